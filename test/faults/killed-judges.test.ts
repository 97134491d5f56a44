import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhooks } from '../../src/accounts/webhooks/webhooks.ts';
import type { Cents } from '../../src/domain/money.ts';
import { openStore, type Store } from '../../src/store/connect.ts';
import { AlertDesk, line, ruleOf } from '../support/alerts.ts';
import { importFixtures } from '../support/app.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually, killed } from '../support/cli.ts';
import { seededRandom } from '../support/edited-tree.ts';
import { createMigratedDatabase, forEachEngine } from '../support/engines.ts';
import { publishPrices } from '../support/publish-prices.ts';
import { IS_LONG, rounds } from './support/length.ts';

const PROGRAM = new URL('support/judge-process.ts', import.meta.url);
const PROCESSES = 2;
/** From a kill to the next, in milliseconds. A process takes a second to start. */
const LONGEST_MS = 2000;
const LOW = 100 as Cents;
const HIGH = 10_000 as Cents;

forEachEngine((label) => {
  it('processes that are killed while they judge fire each crossing once', {
    timeout: IS_LONG ? 600_000 : 120_000,
  }, async () => {
    const { location, remove } = await createMigratedDatabase(label);
    cleanUp(remove);
    await importFixtures(location);
    const store = await openStore(location);
    cleanUp(() => store.close());
    const prices = new SwingingPrices(store);
    await prices.publish(LOW);
    const { desk, alerts } = await addAlerts(store);
    const kills = rounds(5, 50);
    const judges = new KilledJudges(location, kills);
    cleanUp(() => judges.stop());
    let crossings = 0;
    while (judges.isKilling) {
      await prices.publish(HIGH);
      await prices.publish(LOW);
      // The judges are at most one crossing behind, so that kills come in the middle of their work.
      await eventually(async () => (await countFired(store)) >= crossings);
      crossings += alerts;
    }
    await eventually(async () => (await countFired(store)) >= crossings);
    await judges.stop();
    await desk.judge();
    assert.equal(await countFired(store), crossings);
    await assertEachOnce(store, crossings);
    console.log(`${label}: ${kills} kills, ${crossings} crossings of ${alerts} alerts`);
  });
});

/** Publishes the same price of all printings. */
class SwingingPrices {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async publish(market: Cents): Promise<void> {
    const { db, clock } = this.#store;
    const { length } = await db.selectFrom('printings').select('id').execute();
    await publishPrices(this.#store, Array(length).fill({ market }), clock());
  }
}

/** Adds an alert for each printing, and a webhook that gets what they fire. */
async function addAlerts(store: Store) {
  const desk = await AlertDesk.open(store);
  await desk.catalog.refresh();
  await new Webhooks(store, store.clock).add(desk.accountId, { url: 'https://shop.example/' });
  const { catalog } = desk;
  const cards = catalog
    .games()
    .flatMap(({ game }) => catalog.sets(game.slug))
    .flatMap(({ set }) => catalog.cardsOf(set));
  let alerts = 0;
  for (const { id, printings } of cards) {
    for (const { name } of printings) {
      await desk.add(ruleOf('above', { amount: 50 }), { lines: [line(id, name)] });
      alerts += 1;
    }
  }
  return { desk, alerts };
}

async function countFired({ accounts: { db } }: Store): Promise<number> {
  const { count } = await db
    .selectFrom('alert_events')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Asserts that no alert fired twice for a publication, and that the webhook gets each event. */
async function assertEachOnce({ accounts: { db } }: Store, crossings: number): Promise<void> {
  const fired = await db.selectFrom('alert_events').select(['alert_id', 'publication']).execute();
  const distinct = new Set(fired.map(({ alert_id, publication }) => `${alert_id} ${publication}`));
  assert.equal(distinct.size, crossings);
  const sent = await db
    .selectFrom('outbox')
    .select('id')
    .where('type', '=', 'alert.fired')
    .execute();
  assert.equal(sent.length, crossings);
}

/** Two processes that judge, and are killed and started again in turns. */
class KilledJudges {
  kills = 0;
  isKilling = true;
  readonly #location: string;
  readonly #children: ChildProcess[] = [];
  readonly #random = seededRandom(9);
  readonly #killing: Promise<void>;

  constructor(location: string, kills: number) {
    this.#location = location;
    for (let count = 0; count < PROCESSES; count += 1) this.#fork();
    this.#killing = this.#kill(kills);
  }

  async stop(): Promise<void> {
    this.isKilling = false;
    await this.#killing;
    for (const child of this.#children.splice(0)) await killed(child);
  }

  async #kill(kills: number): Promise<void> {
    while (this.kills < kills && this.isKilling) {
      await sleep(this.#random() * LONGEST_MS);
      const child = this.#children.shift();
      if (child) await killed(child);
      this.#fork();
      this.kills += 1;
    }
    this.isKilling = false;
  }

  #fork(): void {
    this.#children.push(fork(PROGRAM, [this.#location], { execArgv: [] }));
  }
}
