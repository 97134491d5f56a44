import type { Account } from './accounts.ts';
import { ANYBODY, type Caller, type Client, type Question } from './client.ts';
import { firstCards, somePage, someRead } from './questions.ts';

const TICK_MS = 10;

/**
 * How long it takes to reach the full pace: programs that have just started run slowly at first.
 */
export const RAMP_MS = 5000;

/** One of so many requests is for a page that needs no database. */
const PAGES = 20;

/** The most requests that wait for an answer at once. */
const MOST_WAITING = 1500;

/** Sends reads of all endpoints by all accounts, at a steady pace regardless of the answers. */
export class Traffic {
  readonly #client: Client;
  readonly #accounts: readonly Account[];
  readonly #random: () => number;
  readonly #cards = firstCards();
  readonly #waiting = new Set<Promise<unknown>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(client: Client, accounts: readonly Account[], random: () => number) {
    this.#client = client;
    this.#accounts = accounts;
    this.#random = random;
  }

  /** Sends ever more requests, and after {@link RAMP_MS} `rate` a second until `stop`. */
  start(rate: number): void {
    const begun = performance.now();
    let sent = 0;
    this.#timer = setInterval(() => {
      const due = (rate / 1000) * fullPaceMs(performance.now() - begun);
      for (; sent < due; sent += 1) if (this.#waiting.size < MOST_WAITING) this.#send();
    }, TICK_MS);
  }

  /** Resolves when the last answer has come. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#waiting);
  }

  /** A read as anybody with the plan `free` may send it. */
  someFreeRead(): Question {
    return someRead(this.#cards, false, this.#pick);
  }

  #send(): void {
    const [caller, question] = this.#next();
    const asking = this.#client.ask(caller, question);
    this.#waiting.add(asking);
    void asking.finally(() => this.#waiting.delete(asking));
  }

  #next(): readonly [Caller, Question] {
    if (this.#pick(PAGES) === 0) return [ANYBODY, somePage(this.#pick)];
    const account = this.#accounts[this.#pick(this.#accounts.length)];
    if (!account) return [ANYBODY, somePage(this.#pick)];
    return [account, someRead(this.#cards, account.isTrader, this.#pick)];
  }

  readonly #pick = (below: number): number => Math.floor(this.#random() * below);
}

/** Returns the time at full pace in which as many requests are due as in `ms` from the start. */
function fullPaceMs(ms: number): number {
  return ms < RAMP_MS ? ms ** 2 / (2 * RAMP_MS) : ms - RAMP_MS / 2;
}
