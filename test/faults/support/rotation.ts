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

/** What a node says of itself at `/readyz`: `ready`, `stopping`, or why it is not ready. */
type Status = string;

/**
 * Asks nodes in turn at a steady pace, over connections that are kept alive, as a load balancer
 * does that learns by `/readyz` which of them may be asked. If none is ready, it asks those that
 * are not stopping, as `deploy/cluster/haproxy-front.cfg` does: on a slow machine, a database that
 * takes half a second to answer makes every node unready for a moment.
 */
export class Rotation {
  /** How many requests were answered with 200. */
  answered = 0;
  /** What else became of requests. */
  readonly failures: string[] = [];
  readonly #agent = new Agent();
  readonly #statuses = new Map<string, Status>();
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

  /** Adds a node from when it is ready until it stops; resolves when it is ready. */
  async add(url: string): Promise<void> {
    while ((await this.#statusOf(url)) !== 'ready') await sleep(CHECK_MS);
    this.#statuses.set(url, 'ready');
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
    while (!this.#isOver && this.#statuses.get(url) !== 'stopping') {
      await sleep(CHECK_MS);
      this.#statuses.set(url, await this.#statusOf(url));
    }
    this.#statuses.delete(url);
  }

  /** What a node says of itself. One that does not answer has stopped. */
  async #statusOf(url: string): Promise<Status> {
    try {
      const answer = await fetch(`${url}/readyz`);
      return ((await answer.json()) as { readonly status: Status }).status;
    } catch {
      return 'stopping';
    }
  }

  /** The nodes that a request may go to. */
  #candidates(): readonly string[] {
    const running = [...this.#statuses].filter(([, status]) => status !== 'stopping');
    const ready = running.filter(([, status]) => status === 'ready');
    return (ready.length > 0 ? ready : running).map(([url]) => url);
  }

  async #ask(asked: Asked | undefined): Promise<void> {
    const nodes = this.#candidates();
    const url = nodes[this.#turn++ % nodes.length];
    const outcome = asked && url ? await this.#outcomeOf(url, asked) : 'no node is running';
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
