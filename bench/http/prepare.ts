import { readFileSync } from 'node:fs';
import { Accounts } from '../../src/accounts/accounts.ts';
import { AccountKeys } from '../../src/accounts/keys/account-keys.ts';
import { Authenticator } from '../../src/accounts/keys/authenticator.ts';
import { Catalog } from '../../src/catalog/catalog.ts';
import { defaultPrinting } from '../../src/domain/card.ts';
import { addDays } from '../../src/domain/day.ts';
import type { Cents } from '../../src/domain/money.ts';
import type { Provenance } from '../../src/domain/price.ts';
import { openStore, type Store } from '../../src/store/connect.ts';
import { recordHistory } from '../../src/store/history/index.ts';

/** Creates business accounts, and returns a key of each. */
export async function createCallers(location: string, count: number): Promise<string[]> {
  return withStore(location, async (store) => {
    const accounts = new Accounts(store, Date.now);
    const keys = new AccountKeys(store, Date.now);
    const created: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const email = `bench-${index}@shop.example`;
      await accounts.create(email, 'business');
      created.push((await keys.create(email)).key);
    }
    return created;
  });
}

/** Charges a business account until `left` requests are left of today. */
export async function leave(location: string, key: string, left: number): Promise<void> {
  await withStore(location, async (store) => {
    const authenticator = new Authenticator(store, Date.now);
    const caller = await authenticator.identify(key);
    if (!caller) throw new Error('the key does not work');
    const spend = caller.plan.dailyRequests - caller.usedToday - left;
    await Promise.all(Array.from({ length: spend }, () => authenticator.charge(caller)));
  });
}

/** Makes all of today's quota of every account there again. */
export async function refill(location: string): Promise<void> {
  await withStore(location, async (store) => {
    await store.accounts.db.deleteFrom('usage').execute();
  });
}

/** Gives a card a year of history up to its newest day, so that there is something to read. */
export async function addYear(location: string, cardId: string): Promise<void> {
  await withStore(location, async (store) => {
    const catalog = new Catalog(store);
    await catalog.refresh();
    const card = catalog.card(cardId);
    const printing = card && defaultPrinting(card);
    const newest = card && catalog.asOf(card.set.game);
    if (!printing || !newest) throw new Error(`there is no priced card ${cardId}`);
    const days = Array.from({ length: 365 }, (_, index) => {
      const prices = { market: cents(index), low: cents(index - 99), mid: null, high: cents(999) };
      const day = addDays(newest, index - 364);
      return { printing: printing.rowId, prices: { day, ...prices }, provenance: TCGCSV };
    });
    await store.db.transaction().execute(async (transaction) => {
      // As if the days had come one by one, from the oldest on.
      await transaction
        .deleteFrom('history_recent')
        .where('printing_id', '=', printing.rowId)
        .execute();
      await recordHistory(store, transaction, days, Date.now());
    });
  });
}

const TCGCSV: Provenance = { source: 'tcgcsv', marketplace: 'tcgplayer', repeated: false };

/** Amounts that wander as prices do. */
function cents(seed: number): Cents {
  return (45_000 + ((seed * 7919) % 1000)) as Cents;
}

async function withStore<Result>(
  location: string,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await openStore(location);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Ids of cards spread evenly over the catalogue. */
export async function sampleCards(database: string, count: number): Promise<string[]> {
  const store = await openStore(database);
  try {
    const rows = await store.db
      .selectFrom('cards')
      .where('product_type', 'is', null)
      .select('public_id')
      .orderBy('id')
      .execute();
    const step = Math.max(1, Math.floor(rows.length / count));
    return rows.filter((_, index) => index % step === 0).map((row) => row.public_id);
  } finally {
    await store.close();
  }
}

/** Search paths for the first `count` queries of a table whose second column holds them. */
export function readQueries(file: string, count: number): string[] {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .slice(1, count + 1);
  return lines.map((line) => `/v1/search?q=${encodeURIComponent(line.split('\t')[1] ?? '')}`);
}
