import type { Kysely } from 'kysely';
import type { Day } from '../../domain/day.ts';
import { combineRates, type Rates } from '../../domain/rates.ts';
import type { Store } from '../connect.ts';
import type { BulkTable } from '../engine/engine.ts';
import { RATES } from './json-columns.ts';
import type { Database, ExchangeRateRow } from './schema.ts';

/** SQL of exchange rates: the operator's, and the rates published by sources. */

type Db = Kysely<Database>;

const EXCHANGE_RATES: BulkTable<ExchangeRateRow> = {
  name: 'exchange_rates',
  columns: { currency: 'text', day: 'int4', dollars: 'text', revision: 'int4' },
  key: ['currency', 'day'],
};

/** Returns all exchange rates for merging the served prices. */
export async function readRates(db: Db): Promise<Rates> {
  return combineRates(await readOwnRates(db), await readPublishedRates(db));
}

/** Returns the operator's rates, as the last import used them. */
export async function readOwnRates(db: Db): Promise<Rates> {
  const { rates } = await db.selectFrom('catalog_state').select('rates').executeTakeFirstOrThrow();
  return rates === null ? [] : RATES.read(rates);
}

export async function writeOwnRates(db: Db, rates: Rates): Promise<void> {
  await db
    .updateTable('catalog_state')
    .set({ rates: RATES.write(rates) })
    .execute();
}

/** Returns the rates that a source has published, in any order. */
export async function readPublishedRates(db: Db): Promise<Rates> {
  const rows = await db
    .selectFrom('exchange_rates')
    .select(['currency', 'day', 'dollars'])
    .execute();
  return rows.map(({ currency, day, dollars }) => {
    return { currency, day: day as Day, dollarsPerUnit: Number(dollars), source: 'ecb' as const };
  });
}

/** Returns all published rates if any came after a publication, otherwise undefined. */
export async function readRatesSince(db: Db, revision: number): Promise<Rates | undefined> {
  const newer = await db
    .selectFrom('exchange_rates')
    .where('revision', '>', revision)
    .select('day')
    .limit(1)
    .executeTakeFirst();
  return newer && readPublishedRates(db);
}

/** Writes rates. Replaces the rates of known days and currencies. */
export function upsertRates(
  { engine }: Store,
  transaction: Db,
  rates: Rates,
  revision: number,
): Promise<void> {
  const rows = rates.map(({ currency, day, dollarsPerUnit }) => {
    return { currency, day, dollars: String(dollarsPerUnit), revision };
  });
  return engine.upsert(transaction, EXCHANGE_RATES, rows);
}
