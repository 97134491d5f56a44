/** Answers of the past from real archives, which are not part of the repository. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import {
  type Day,
  dayOf,
  formatDay,
  formatExactMoment,
  type Millis,
  MS_PER_DAY,
  startOfDay,
} from '../../src/domain/day.ts';
import { GAMES } from '../../src/domain/games.ts';
import type { HistoryDay } from '../../src/domain/price.ts';
import { rollBackDays } from '../../src/ingest/decisions/rollback.ts';
import { importBackfill } from '../../src/ingest/drivers/backfill.ts';
import { importSnapshot } from '../../src/ingest/drivers/snapshot.ts';
import { openFolder } from '../../src/sources/io/tree.ts';
import { openTcgcsv } from '../../src/sources/tcgcsv/read.ts';
import { type ArchivedDay, findDays, openArchive } from '../../src/sources/tcgcsv-archive/read.ts';
import { Unpacker } from '../../src/sources/tcgcsv-archive/unpack.ts';
import { readPublication } from '../../src/store/catalogue/publications.ts';
import {
  checkHistory,
  historiesReader,
  knownHistoriesReader,
  LAST_DAY,
} from '../../src/store/history/index.ts';
import { rounds } from '../faults/support/length.ts';
import { type Caller, Service } from '../support/app.ts';
import { temporaryFolder } from '../support/cli.ts';

const DATA = new URL('../../../shared/data', import.meta.url).pathname;
const ARCHIVE = join(DATA, 'tcgcsv-archive');
/** So many days of the archive are replayed; all of them in the long form. */
const DAYS = rounds(10, 132);
/** After so many days, one comes late, one is corrected, and the journal is measured. */
const MEASURED = 10;
/** A day that comes after all the others. */
const LATE = 4;
/** A day with prices that are corrected. */
const CORRECTED = 6;
/** How many of the last days are rolled back, and imported again. */
const WRONG = 2;
const BATCHES = 2;
/** As many cards as a batch may have. */
const BATCH = 20;

/** A file of prices of a set of Lorcana. */
const LORCANA_PRICES = /(^|\/)71\/\d+\/prices$/;
const MS_PER_HOUR = 3_600_000;

/** The tables that date the history. */
const JOURNAL = [
  'history_recordings',
  'history_late',
  'history_corrections',
  'newest_days',
  'publications',
];

interface Journal {
  readonly points: number;
  /** By table. */
  readonly bytes: ReadonlyMap<string, number>;
}

/** What was answered at a moment. */
interface Seen {
  readonly moment: Millis;
  readonly revision: number;
  /** The answers as text, by address. */
  readonly answers: ReadonlyMap<string, string>;
  readonly printings: readonly number[];
  /** The histories of these printings as text. */
  readonly histories: string;
}

describe('the answers of archive days', () => {
  const database = join(temporaryFolder(), 'cards.db');
  const clock = { now: Date.parse('2025-09-18T12:00:00Z') };
  const FIRST = dayOf(clock.now);
  const unpacker = new Unpacker();
  const seen: Seen[] = [];
  let service: Service;
  let caller: Caller;
  let urls: readonly string[] = [];
  let journal: Journal;

  const importDay = async (day: ArchivedDay, again = false) => {
    const archive = openArchive({ days: [day], now: clock.now, again });
    await importBackfill(service.store, archive, { clock: () => clock.now });
  };

  /** The printings with a day of the archive, by row id. */
  const archived = async () => {
    const rows = await service.store.db
      .selectFrom('history_recent')
      .where('last_day', '>', FIRST)
      .select('printing_id')
      .orderBy('printing_id')
      .execute();
    return rows.map(({ printing_id }) => printing_id);
  };

  const answer = async (url: string) => {
    const response = await caller.get(url);
    assert.equal(response.statusCode, 200, response.body);
    return JSON.stringify(response.json().data);
  };

  /** Chooses cards of the archive, spread over its sets. */
  const chooseUrls = async () => {
    const printings = new Set(await archived());
    const { catalog } = service;
    const ids = catalog
      .games()
      .flatMap(({ game }) => catalog.sets(game.slug))
      .flatMap(({ set }) => catalog.cardsOf(set))
      .filter((card) => card.printings.some(({ rowId }) => printings.has(rowId)))
      .map(({ id }) => id);
    const step = Math.max(1, Math.floor(ids.length / (BATCHES * BATCH)));
    const chosen = ids.filter((_, index) => index % step === 0).slice(0, BATCHES * BATCH);
    assert.equal(chosen.length, BATCHES * BATCH);
    const batches = Array.from({ length: BATCHES }, (_, at) => {
      return `/v1/cards?ids=${chosen.slice(at * BATCH, (at + 1) * BATCH).join()}`;
    });
    const histories = chosen.slice(0, 5).flatMap((id) => {
      return [`/v1/cards/${id}/history?period=all`, `/v1/cards/${id}/statistics?`];
    });
    urls = [...batches.map((url) => `${url}&include=printings,history,statistics`), ...histories];
  };

  const look = async () => {
    clock.now += 60_000;
    await service.catalog.refresh();
    const asOf = formatDay(dayOf(clock.now));
    const answers = new Map<string, string>();
    for (const url of urls) {
      const dated = url.includes('ids=') ? `${url}&asOf=${asOf}` : url;
      answers.set(dated, await answer(dated));
    }
    const printings = await archived();
    const { revision } = await readPublication(service.store.db);
    const histories = textOf(await historiesReader(service.store)(windowsOf(printings)));
    seen.push({ moment: clock.now, revision, answers, printings, histories });
  };

  /** Returns the bytes of the rows of the journal, and how many points these are for. */
  const measure = async (): Promise<Journal> => {
    const { db } = service.store;
    const { rows } = await sql<{ name: string; bytes: number }>`select name, sum(payload) as bytes
      from dbstat where name in (${sql.join(JOURNAL)}) group by name`.execute(db);
    const { points } = await checkHistory(service.store);
    return { points, bytes: new Map(rows.map(({ name, bytes }) => [name, bytes])) };
  };

  before(async () => {
    service = await Service.open(database, {}, clock);
    const tree = await openFolder(join(DATA, 'tcgcsv'));
    const games = GAMES.filter(({ slug }) => slug === 'lorcana' || slug === 'pokemon');
    const snapshot = await openTcgcsv(tree, { games, observedAt: clock.now });
    await importSnapshot(service.store, snapshot, { clock: () => clock.now });
    caller = await service.caller('trader');
    const days = (await findDays(ARCHIVE, unpacker)).slice(0, DAYS);
    const step = async (run: () => Promise<unknown>) => {
      clock.now += MS_PER_HOUR;
      await run();
      await look();
    };
    const correct = async (days: readonly ArchivedDay[]) => {
      const [late, corrected] = [days[LATE], days[CORRECTED]];
      assert.ok(late && corrected);
      await step(() => importDay(late));
      await step(() => importDay(withOtherPrices(corrected), true));
      journal = await measure();
    };
    for (const [index, day] of days.entries()) {
      if (index === LATE) continue;
      clock.now = startOfDay(day.day) + 20 * MS_PER_HOUR;
      await importDay(day);
      await service.catalog.refresh();
      if (index === 0) await chooseUrls();
      await look();
      if (index === MEASURED - 1) await correct(days);
    }
    const wrong = days.slice(-WRONG);
    const since = wrong[0]?.day ?? assert.fail();
    const rollback = { source: 'tcgcsv-archive', since };
    await step(() => rollBackDays(service.store, rollback, { clock: () => clock.now }));
    await step(async () => {
      for (const day of wrong) await importDay(day, true);
    });
    clock.now += 30 * MS_PER_DAY;
  });

  after(async () => {
    await unpacker.close();
    await service.close();
  });

  test('are given again byte for byte, whatever came later', async () => {
    assert.equal(seen.length, DAYS + 3);
    let compared = 0;
    for (const { moment, answers } of seen) {
      for (const [url, then] of answers) {
        const now = await answer(`${url}&knownAt=${formatExactMoment(moment)}`);
        assert.equal(now, then, `${url} at ${formatExactMoment(moment)}`);
        compared += 1;
      }
    }
    assert.equal(compared, seen.length * urls.length);
  });

  test('have the same histories of all printings', async () => {
    const read = knownHistoriesReader(service.store);
    for (const { revision, printings, histories } of seen) {
      const now = textOf(await read(windowsOf(printings), revision));
      assert.equal(now, histories, `publication ${revision}`);
    }
  });

  test('need rows of at most a tenth of a byte a point, with a late day and a correction', (t) => {
    const { points, bytes } = journal;
    const sum = [...bytes.values()].reduce((all, one) => all + one, 0);
    t.diagnostic(`${points} points; bytes: ${JSON.stringify(Object.fromEntries(bytes))}`);
    assert.equal(bytes.size, JOURNAL.length);
    assert.ok(sum / points <= 0.1, `${sum / points} bytes a point`);
  });
});

/** Returns a day of which the first set of Lorcana has other prices. */
function withOtherPrices(day: ArchivedDay): ArchivedDay {
  return {
    ...day,
    async read() {
      const files = (await day.read()) ?? assert.fail();
      const entries = [...(await files.entries())];
      const at = entries.findIndex(({ path }) => LORCANA_PRICES.test(path));
      const entry = entries[at] ?? assert.fail();
      const text = Buffer.from(entry.bytes).toString();
      const other = text.replaceAll(/"marketPrice":\s*(\d+)/g, (_, dollars) => {
        return `"marketPrice":${Number(dollars) + 1}`;
      });
      assert.notEqual(other, text);
      entries[at] = { ...entry, bytes: new TextEncoder().encode(other) };
      const digest = createHash('sha256').update(other).digest('hex');
      return { digest, entries: async () => entries };
    },
  };
}

function windowsOf(printings: readonly number[]) {
  return printings.map((printing) => ({ printing, from: 0 as Day, to: LAST_DAY as Day }));
}

/** Returns histories as text, which differs where any price, day or source differs. */
function textOf(histories: ReadonlyMap<number, readonly HistoryDay[]>): string {
  const sorted = [...histories].filter(([, days]) => days.length > 0).sort(([a], [b]) => a - b);
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex');
}
