import { sql } from 'kysely';
import type { Day } from '../../src/domain/day.ts';
import type { DayPrices } from '../../src/domain/price.ts';
import { openStore, type Store } from '../../src/store/connect.ts';
import type { BulkTable } from '../../src/store/engine/engine.ts';
import { historyReader, type PrintingDay, recordHistory } from '../../src/store/history/index.ts';

/** A way to store history, in its own database. */
export interface Subject {
  readonly store: Store;
  /** Records days in one transaction. */
  record(days: readonly PrintingDay[]): Promise<void>;
  read(printing: number, from: Day, to: Day): Promise<DayPrices[]>;
}

/** Makes or opens the database at `location`. */
export type OpenSubject = (location: string) => Promise<Subject>;

export async function openPacked(location: string): Promise<Subject> {
  const store = await openStore(location);
  return {
    store,
    async record(days) {
      await store.db.transaction().execute((transaction) => {
        return recordHistory(store, transaction, days, 0);
      });
    },
    read: historyReader(store),
  };
}

type DailyRow = DayPrices & { readonly printing_id: number };

const DAILY: BulkTable<DailyRow> = {
  name: 'daily',
  columns: {
    printing_id: 'int4',
    day: 'int4',
    market: 'int4',
    low: 'int4',
    mid: 'int4',
    high: 'int4',
  },
  key: ['printing_id', 'day'],
};

/** A row a day, as compact as the engine's tables allow. */
export async function openRowADay(location: string): Promise<Subject> {
  const store = await openStore(location);
  await sql
    .raw(
      `create table if not exists daily (printing_id integer, day integer, market integer,
        low integer, mid integer, high integer, constraint daily_pk primary key (printing_id, day))
        ${store.engine.ddl.clustered}`,
    )
    .execute(store.db);
  const read = store.engine.prepare<DayPrices>(
    `select day, market, low, mid, high from daily
      where printing_id = $1 and day between $2 and $3 order by day`,
  );
  return {
    store,
    async record(days) {
      const rows = days.map(({ printing, prices }) => ({ printing_id: printing, ...prices }));
      await store.db.transaction().execute((transaction) => {
        return store.engine.upsert(transaction, DAILY, rows);
      });
    },
    read: (printing, from, to) => read([printing, from, to]),
  };
}

/** Bytes on disk of the tables that hold history, with their indexes. */
export async function bytesOnDisk({ engine, db }: Store): Promise<number> {
  if (engine.name === 'sqlite') await sql`pragma wal_checkpoint(truncate)`.execute(db);
  else await sql`vacuum analyze`.execute(db);
  const size =
    engine.name === 'sqlite'
      ? sql<{ bytes: number }>`select page_count * page_size as bytes
          from pragma_page_count(), pragma_page_size()`
      : sql<{ bytes: number }>`select sum(pg_total_relation_size(oid))::bigint as bytes
          from pg_class where relname in
          ('daily', 'history', 'history_recent', 'history_corrections')`;
  return (await size.execute(db)).rows[0]?.bytes ?? 0;
}
