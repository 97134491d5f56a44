import { addDays, type Day, dayOf, formatDay, type Millis, startOfDay } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import { FIGURES } from '../../domain/price.ts';
import type { Backfill, BackfillChunk, BackfillOutcome } from '../contract/backfill.ts';
import type { KnownFiles } from '../contract/source-file.ts';
import { adaptPrices } from '../tcgcsv/adapt.ts';
import { MalformedFile, parsePrices } from '../tcgcsv/raw.ts';
import type { ArchivedDay } from './days.ts';
import type { ArchiveEntry } from './unpack.ts';

/**
 * TCGCSV's archive of past days: `prices-YYYY-MM-DD.ppmd.7z`, with a file
 * `YYYY-MM-DD/{category}/{group}/prices` for each group, as the service served it that day.
 */

export interface ArchiveOptions {
  readonly days: readonly ArchivedDay[];
  readonly now: Millis;
  /** Reads days again that an earlier import has done. */
  readonly again: boolean;
}

/**
 * How many days are unpacked at once, which takes longer than what is done with them after; of a
 * source on the web only one, for it wants to be asked for one file at a time.
 */
const THREADS = 2;

/** Opens days of the archive. They are read later, one by one, the next ones meanwhile. */
export function openArchive({ days, now, again }: ArchiveOptions): Backfill {
  return {
    source: 'tcgcsv-archive',
    idSpace: 'tcgcsv',
    marketplace: 'tcgplayer',
    figures: FIGURES,
    total: days.length,
    async *parts(known) {
      const latest = addDays(dayOf(now), 1);
      const before = again ? () => undefined : known;
      let done = 0;
      const begin = (day: ArchivedDay) => readDay(day, before, latest);
      const count = days.some((day) => day.remote) ? 1 : THREADS;
      for await (const read of ahead(days, count, begin)) {
        done += 1;
        yield { outcome: read.outcome, done };
        if (read.isLast) return;
      }
    },
  };
}

/** The results for the items, in order; `count` are under way while the caller works with one. */
async function* ahead<Item, Result>(
  items: Iterable<Item>,
  count: number,
  begin: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const begun: Promise<Result>[] = [];
  for (const item of items) {
    const ready = begun.length < count ? undefined : await begun.shift();
    const next = begin(item);
    // Should it fail while nobody waits for it yet, that is no unhandled rejection.
    next.catch(() => {});
    begun.push(next);
    if (ready !== undefined) yield ready;
  }
  yield* begun;
}

interface ReadDay {
  readonly outcome: BackfillOutcome;
  /** Whether it is no use to ask for the days after it. */
  readonly isLast: boolean;
}

async function readDay(day: ArchivedDay, known: KnownFiles, latest: Day): Promise<ReadDay> {
  try {
    return { outcome: await outcomeOf(day, known, latest), isLast: false };
  } catch (error) {
    const isUnreachable = error instanceof OperatorError;
    if (!isUnreachable && !(error instanceof MalformedFile)) throw error;
    const isLast = isUnreachable && day.remote;
    const reason = isLast ? `${error.message} The days after it were not tried.` : error.message;
    return { outcome: { kind: 'broken', name: day.path, reason }, isLast };
  }
}

async function outcomeOf(
  { day, path: name, remote, read }: ArchivedDay,
  known: KnownFiles,
  latest: Day,
): Promise<BackfillOutcome> {
  if (day > latest) throw new MalformedFile('its day is in the future');
  const before = known(name);
  // A past day does not change any more: nobody is asked for it twice.
  if (remote && before) return { kind: 'unchanged', name };
  const files = await read();
  if (!files) return { kind: 'unavailable', name };
  const { digest } = files;
  if (before?.digest === digest) return { kind: 'unchanged', name };
  const entries = pricesOf(await files.entries(), day);
  if (entries.length === 0) throw new MalformedFile('holds no prices of that day and our games');
  const file = { path: name, digest, etag: null, observedAt: startOfDay(day) };
  return { kind: 'read', name, part: { chunks: chunksOf(entries, day), file } };
}

function pricesOf(entries: readonly ArchiveEntry[], day: Day): ArchiveEntry[] {
  const ofDay = new RegExp(`^${formatDay(day)}/\\d+/\\d+/prices$`);
  return entries.filter(({ path }) => ofDay.test(path));
}

function* chunksOf(entries: readonly ArchiveEntry[], day: Day): Generator<BackfillChunk> {
  for (const { path, bytes } of entries) {
    try {
      const { listings, contradictory } = adaptPrices(parsePrices(bytes));
      yield {
        listings: listings.map((listing) => ({ ...listing, day })),
        skipped: contradictory > 0 ? { 'contradictory price': contradictory } : {},
        broken: [],
      };
    } catch (error) {
      if (!(error instanceof MalformedFile)) throw error;
      yield { listings: [], skipped: {}, broken: [{ name: path, reason: error.message }] };
    }
  }
}
