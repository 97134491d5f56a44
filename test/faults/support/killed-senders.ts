import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Accounts } from '../../../src/accounts/accounts.ts';
import { dueWebhooks } from '../../../src/accounts/webhooks/outbox-sql.ts';
import { Webhooks } from '../../../src/accounts/webhooks/webhooks.ts';
import type { Store } from '../../../src/store/connect.ts';
import { cleanUp } from '../../support/cleanup.ts';
import { killed } from '../../support/cli.ts';
import { seededRandom } from '../../support/edited-tree.ts';
import type { Portion, SenderOrder } from './sender-order.ts';
import { UnreliableReceiver } from './unreliable-receiver.ts';

const PROGRAM = new URL('sender-process.ts', import.meta.url);
const WEBHOOKS_EACH = 5;
const WEBHOOKS = 20;
const PROCESSES = 2;
/** How many publications a process is asked to record at a time. */
const PORTION = 20;
/** For how long nothing arrives and no event is due before the clock goes on. */
const QUIET_MS = 1000;
const LOOK_MS = 100;
/** So many lost events are shown. */
const SHOWN = 5;

interface Sender {
  readonly child: ChildProcess;
  /** What it records, until it is ready again. */
  portion: Portion | undefined;
  isReady: boolean;
}

/** How much is sent, and how often a process is killed in the meantime. */
interface Size {
  readonly events: number;
  readonly kills: number;
}

/**
 * Sends events to 20 webhooks that fail now and then, to one that never answers, and to one that
 * answers 410, by two processes that are killed and started again.
 */
export class KilledSenders {
  readonly receiver: UnreliableReceiver;
  /** The events for the 20 webhooks. */
  readonly events: number;
  kills = 0;
  /** The longest that one of the 20 had due events and got none. */
  longestWaitMs = 0;
  readonly #location: string;
  readonly #store: Store;
  /** The paths of the webhooks, by their ids. */
  readonly #paths: ReadonlyMap<number, string>;
  readonly #firstAt: number;
  readonly #random = seededRandom(3);
  readonly #senders: Sender[] = [];
  readonly #portions: Portion[] = [];
  /** When each webhook was last seen without due events, or as a cause of waits itself. */
  readonly #servedAt = new Map<string, number>();
  #unrecorded: number;
  #aheadMs = 0;
  #failure: Error | undefined;

  private constructor({ location, store, receiver, paths }: Parts, { events, kills }: Size) {
    this.#location = location;
    this.#store = store;
    this.#paths = paths;
    this.receiver = receiver;
    this.#firstAt = store.clock();
    const publications = Math.round(events / WEBHOOKS);
    this.events = publications * WEBHOOKS;
    for (let from = 0; from < publications; from += PORTION) {
      this.#portions.push({ from, to: Math.min(from + PORTION, publications) });
    }
    this.#unrecorded = this.#portions.length;
    receiver.onMessage = () => this.#killAfter(this.events / kills, kills);
  }

  /** Creates the webhooks in a database, and starts the processes. */
  static async start(location: string, store: Store, size: Size): Promise<KilledSenders> {
    const receiver = await UnreliableReceiver.open();
    cleanUp(() => receiver.close());
    const paths = await createWebhooks(store, receiver);
    const senders = new KilledSenders({ location, store, receiver, paths }, size);
    cleanUp(() => senders.#stop());
    for (let count = 0; count < PROCESSES; count += 1) senders.#fork();
    return senders;
  }

  /**
   * Lets the clock go on to the last retry whenever nothing arrives and none is due, until only the
   * events of the dead webhook wait.
   */
  async finish(): Promise<void> {
    while (this.#failure === undefined) {
      await sleep(LOOK_MS);
      const isDue = await this.#measureWaits();
      const isQuiet = performance.now() - Math.max(...this.receiver.lastAt.values()) > QUIET_MS;
      if (this.#unrecorded > 0 || isDue || !isQuiet) continue;
      const last = await this.#lastRetry();
      if (last === null) return;
      this.#aheadMs = Math.max(this.#aheadMs, last - this.#store.clock());
      for (const sender of this.#senders) this.#tell(sender);
    }
    throw this.#failure;
  }

  /** Asserts that every event arrived, under one id with one content. */
  async assertNothingLost(): Promise<void> {
    const { events, changed, lastAt, elsewhere } = this.receiver;
    const rows = await this.#store.accounts.db
      .selectFrom('outbox')
      .select(['id', 'webhook_id', 'attempts', 'delivered_at', 'error'])
      .execute();
    const ids = new Set(rows.map(({ id }) => id));
    const unknown = [...events.keys()].filter((id) => !ids.has(id));
    assert.deepEqual(unknown, [], 'nothing else arrived');
    assert.ok(!lastAt.has(elsewhere), 'no redirect was followed');
    assert.deepEqual(changed, [], 'no id has two contents');
    const own = rows.filter((row) => this.#isAlive(row.webhook_id));
    assert.equal(own.length, this.events, 'one event a publication and webhook');
    const lost = own.filter((row) => row.delivered_at === null || !events.get(row.id)?.isAccepted);
    assert.deepEqual(lost.slice(0, SHOWN), [], `${lost.length} events were lost`);
  }

  /** Asserts that one webhook is disabled, and that all events of the dead one still wait. */
  async assertOthersWait(): Promise<void> {
    const { db } = this.#store.accounts;
    const disabled = await db
      .selectFrom('webhooks')
      .select(['id', 'disabled_reason'])
      .where('disabled_at', 'is not', null)
      .execute();
    const { dead, gone } = this.receiver;
    assert.deepEqual(disabled, [{ id: this.#idOf(gone), disabled_reason: 'answered 410' }]);
    const waiting = await db
      .selectFrom('outbox')
      .select('id')
      .where('next_at', 'is not', null)
      .where('webhook_id', '=', this.#idOf(dead))
      .execute();
    assert.equal(waiting.length, this.events / WEBHOOKS);
  }

  /**
   * Notes how long webhooks with due events have got none, except while they leave a message
   * without an answer themselves. Returns whether there are any.
   */
  async #measureWaits(): Promise<boolean> {
    const now = performance.now();
    const { accounts, clock } = this.#store;
    const due = new Set(await dueWebhooks(accounts.db, clock() + this.#aheadMs));
    for (const [id, path] of this.#paths) {
      if (!this.#isAlive(id)) continue;
      if (!due.has(id) || this.receiver.isHanging(path)) this.#servedAt.set(path, now);
      const since = Math.max(this.#servedAt.get(path) ?? now, this.receiver.lastAt.get(path) ?? 0);
      this.longestWaitMs = Math.max(this.longestWaitMs, now - since);
    }
    return [...due].some((id) => this.#isAlive(id));
  }

  /** Returns when the last of the waiting events is to be sent; null if none waits. */
  async #lastRetry(): Promise<number | null> {
    const { last } = await this.#store.accounts.db
      .selectFrom('outbox')
      .select(({ fn }) => fn.max('next_at').as('last'))
      .where('webhook_id', '!=', this.#idOf(this.receiver.dead))
      .executeTakeFirstOrThrow();
    return last === null ? null : Number(last);
  }

  #killAfter(interval: number, kills: number): void {
    if (this.kills >= kills || this.receiver.messages < interval * (this.kills + 0.5)) return;
    this.kills += 1;
    setTimeout(() => this.#kill(), this.#random() * 50);
  }

  #kill(): void {
    const sender = this.#senders.shift();
    if (!sender) return;
    sender.child.kill('SIGKILL');
    if (sender.portion) this.#portions.unshift(sender.portion);
    this.#fork();
  }

  #fork(): void {
    const child = fork(PROGRAM, [this.#location, String(this.#firstAt)], { execArgv: [] });
    const sender: Sender = { child, portion: undefined, isReady: false };
    this.#senders.push(sender);
    child.on('message', () => this.#goOn(sender));
    child.once('exit', (code) => {
      if (this.#senders.includes(sender)) this.#failure = new Error(`A sender ended with ${code}.`);
    });
  }

  /** A process is ready. */
  #goOn(sender: Sender): void {
    // What was killed may have written before.
    if (!this.#senders.includes(sender)) return;
    if (sender.portion) this.#unrecorded -= 1;
    sender.isReady = true;
    sender.portion = this.#portions.shift();
    this.#tell(sender, sender.portion);
  }

  #tell({ child, isReady }: Sender, record?: Portion): void {
    if (!isReady || !child.connected) return;
    child.send({ aheadMs: this.#aheadMs, record } satisfies SenderOrder);
  }

  #isAlive(webhook: number): boolean {
    const { dead, gone } = this.receiver;
    const path = this.#paths.get(webhook);
    return path !== dead && path !== gone;
  }

  #idOf(path: string): number {
    const [id = 0] = [...this.#paths].find(([, one]) => one === path) ?? [];
    return id;
  }

  async #stop(): Promise<void> {
    for (const { child } of this.#senders.splice(0)) await killed(child);
  }
}

/** What it works with. */
interface Parts {
  readonly location: string;
  readonly store: Store;
  readonly receiver: UnreliableReceiver;
  readonly paths: ReadonlyMap<number, string>;
}

/** Creates the webhooks. Returns their paths by their ids. */
async function createWebhooks(
  store: Store,
  { origin, dead, gone }: UnreliableReceiver,
): Promise<ReadonlyMap<number, string>> {
  const accounts = new Accounts(store, store.clock);
  const webhooks = new Webhooks(store, store.clock, ['127.0.0.0/8']);
  const paths = Array.from({ length: WEBHOOKS }, (_, index) => `/${index}`);
  const created = new Map<number, string>();
  for (const [index, path] of [dead, gone, ...paths].entries()) {
    const email = `owner-${Math.floor(index / WEBHOOKS_EACH)}@shop.example`;
    if (index % WEBHOOKS_EACH === 0) await accounts.create(email, 'free');
    const owner = await accounts.find(email);
    const { id } = await webhooks.add(owner.id, { url: origin + path });
    created.set(id, path);
  }
  return created;
}
