import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { cleanUp } from '../../support/cleanup.ts';

/** How often a node is asked whether it is ready, in milliseconds. */
const CHECK_MS = 100;

/** How long a request may take, in milliseconds. */
const PATIENCE_MS = 15_000;

/** What a request of the load asks for. */
export interface Asked {
  readonly path: string;
  readonly key: string;
}

/**
 * Asks nodes in turn at a steady pace, over connections that are kept alive, as a load balancer
 * does that learns by `/readyz` which of them may be asked.
 */
export class Rotation {
  /** How many requests were answered with 200. */
  answered = 0;
  /** What else became of requests. */
  readonly failures: string[] = [];
  readonly #agent = new Agent();
  readonly #ready = new Set<string>();
  readonly #running = new Set<Promise<void>>();
  #isOver = false;
  #turn = 0;

  /** Asks for one after the other of `asked`, so many a second, until {@link stop}. */
  start(asked: readonly Asked[], perSecond: number): void {
    cleanUp(() => this.stop());
    const begun = performance.now();
    let sent = 0;
    const timer = setInterval(() => {
      if (this.#isOver) return clearInterval(timer);
      const due = ((performance.now() - begun) / 1000) * perSecond;
      for (; sent < due; sent += 1) this.#run(this.#ask(asked[sent % asked.length]));
    }, 10);
  }

  /** Adds a node from when it is ready until it no longer is; resolves when it is ready. */
  async add(url: string): Promise<void> {
    while (!(await this.#isReady(url))) await sleep(CHECK_MS);
    this.#ready.add(url);
    this.#run(this.#watch(url));
  }

  /** Resolves when the last answer has come. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#running);
    await this.#agent.destroy();
  }

  #run(work: Promise<void>): void {
    this.#running.add(work);
    void work.finally(() => this.#running.delete(work));
  }

  async #watch(url: string): Promise<void> {
    while (!this.#isOver && (await this.#isReady(url))) await sleep(CHECK_MS);
    this.#ready.delete(url);
  }

  async #isReady(url: string): Promise<boolean> {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    await answer?.arrayBuffer();
    return answer?.status === 200;
  }

  async #ask(asked: Asked | undefined): Promise<void> {
    const url = [...this.#ready][this.#turn++ % this.#ready.size];
    const outcome = asked && url ? await this.#outcomeOf(url, asked) : 'no node is ready';
    if (outcome === 200) this.answered += 1;
    else this.failures.push(`${url}${asked?.path}: ${outcome}`);
  }

  /** The status of an answer, or why there is none. */
  async #outcomeOf(url: string, { path, key }: Asked): Promise<number | string> {
    try {
      const { statusCode, body } = await request(url + path, {
        dispatcher: this.#agent,
        headers: { 'x-api-key': key },
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      await body.dump();
      return statusCode;
    } catch (error) {
      return String(error);
    }
  }
}
