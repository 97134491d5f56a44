import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Accounts } from '../../../src/accounts/accounts.ts';
import { AccountKeys } from '../../../src/accounts/keys/account-keys.ts';
import { openStore } from '../../../src/store/connect.ts';
import { run } from '../../support/cli.ts';
import { TreeCopy } from '../../support/tcgcsv.ts';

/** Cards below this price would rise too much for a believable price, in dollars. */
const LEAST = 5;

/** How many cards an answer has. */
const CARDS = 20;

const HOUR = 3_600_000;
const MINUTE = 60_000;

type Prices = Record<string, unknown>;

/**
 * A TCGCSV tree in which every price rises by a cent at each step, so the cents in a response with
 * many cards show its publication.
 */
export class RisingPrices {
  readonly #tree = new TreeCopy();
  readonly #start = Date.now() - 20 * HOUR;
  /** Cents that the prices have risen by. */
  step = 0;

  get folder(): string {
    return this.#tree.folder;
  }

  /** Raises all prices by a cent, and makes the tree a minute newer. */
  rise(): this {
    this.step += 1;
    const groups = readdirSync(join(this.folder, 'tcgplayer'), { recursive: true });
    for (const path of groups.map(String).filter((name) => name.endsWith('prices'))) {
      this.#tree.edit(path, (results) => results.forEach(raise));
    }
    this.#tree.observed(new Date(this.#start + this.step * MINUTE).toISOString());
    return this;
  }

  /** Changes the prices of one group. */
  edit(group: string, change: (prices: readonly Prices[]) => readonly Prices[]): void {
    this.#tree.edit(`${group}/prices`, (results) => {
      const changed = change([...results]);
      results.length = 0;
      for (const prices of changed) results.push(prices);
    });
  }

  /** Imports the tree as an operator does. */
  import(database: string): ReturnType<typeof run> {
    return run(['--database', database, 'import', 'tcgcsv', this.folder]);
  }
}

function raise(prices: Prices): void {
  for (const [name, value] of Object.entries(prices)) {
    if (name.endsWith('Price') && typeof value === 'number') {
      prices[name] = Number((value + 0.01).toFixed(2));
    }
  }
}

/** Makes an account with a large quota, and returns its key. */
export async function keyFor(database: string): Promise<string> {
  const store = await openStore(database);
  try {
    const email = 'reader@shop.example';
    await new Accounts(store, Date.now).create(email, 'business');
    return (await new AccountKeys(store, Date.now).create(email)).key;
  } finally {
    await store.close();
  }
}

interface Answer {
  readonly data: readonly { readonly id: string; readonly prices: { market: number } }[];
}

/** Reads the same cards repeatedly, and finds the publication of each answer. */
export class Reader {
  /** How many answers there were. */
  answers = 0;
  /** What was wrong with answers. */
  readonly wrong: string[] = [];
  /** The step of the newest answer. */
  step = 0;
  readonly #url: string;
  readonly #key: string;
  readonly #first: ReadonlyMap<string, number>;
  #isOver = false;

  private constructor(url: string, key: string, first: ReadonlyMap<string, number>) {
    this.#url = url;
    this.#key = key;
    this.#first = first;
  }

  /** Reads of a process whose answers are of step 0. */
  static async of(url: string, key: string, database: string): Promise<Reader> {
    const ids = await dearCards(database);
    const { data } = await ask(url, key, ids);
    return new Reader(url, key, new Map(data.map(({ id, prices }) => [id, prices.market])));
  }

  /** Reads until `stop`, which resolves when the last answer is there. */
  start(): { stop(): Promise<void> } {
    const reading = this.#read();
    return {
      stop: () => {
        this.#isOver = true;
        return reading;
      },
    };
  }

  async #read(): Promise<void> {
    while (!this.#isOver) await this.readOnce();
  }

  async readOnce(): Promise<void> {
    const { data } = await ask(this.#url, this.#key, [...this.#first.keys()]);
    const steps = data.map(({ id, prices }) => {
      return Math.round((prices.market - (this.#first.get(id) ?? 0)) * 100);
    });
    this.answers += 1;
    const [step = 0] = steps;
    if (new Set(steps).size !== 1) this.wrong.push(`of several publications: ${steps}`);
    if (step < this.step) this.wrong.push(`went back from ${this.step} to ${step}`);
    if (data.length !== this.#first.size) this.wrong.push(`has ${data.length} cards`);
    this.step = step;
  }
}

async function ask(url: string, key: string, ids: readonly string[]): Promise<Answer> {
  const response = await fetch(`${url}/v1/cards/batch`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ ids }),
  });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}

async function dearCards(database: string): Promise<string[]> {
  const store = await openStore(database);
  const rows = await store.db
    .selectFrom('cards')
    .innerJoin('printings', 'printings.card_id', 'cards.id')
    .where('printings.market', '>', LEAST * 100)
    .select('cards.public_id as id')
    .distinct()
    .orderBy('id')
    .limit(CARDS)
    .execute();
  await store.close();
  return rows.map(({ id }) => id);
}
