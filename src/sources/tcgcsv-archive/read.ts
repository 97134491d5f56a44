import { addDays, type Day, dayOf, formatDay, type Millis, startOfDay } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import { FIGURES } from '../../domain/price.ts';
import type { Backfill, BackfillChunk, BackfillOutcome } from '../contract/backfill.ts';
import type { KnownFiles } from '../contract/source-file.ts';
import { MalformedFile } from '../tcgcsv/raw.ts';
import { readPrices } from '../tcgcsv/read.ts';
import type { ArchivedDay } from './days.ts';
import type { ArchiveEntry } from './unpack.ts';

/**
 * TCGCSV's archive of past days: files `prices-YYYY-MM-DD.ppmd.7z`, which contain a file
 * `YYYY-MM-DD/{category}/{group}/prices` for each group, as it was served that day.
 */

export interface ArchiveOptions {
  readonly days: readonly ArchivedDay[];
  readonly now: Millis;
  /** Whether to read days again that an earlier import has read. */
  readonly again: boolean;
}

/**
 * How many local days are unpacked at the same time: unpacking takes longer than the rest of the
 * import. Days on the web are requested one at a time.
 */
const THREADS = 2;

/** Opens days of the archive. While the caller works with a day, the next ones are unpacked. */
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
      const start = (day: ArchivedDay) => readDay(day, before, latest);
      const count = days.some((day) => day.isRemote) ? 1 : THREADS;
      for await (const read of prefetch(days, count, start)) {
        done += 1;
        yield { outcome: read.outcome, done };
        if (read.isLast) return;
      }
    },
  };
}

/** Yields the results for the items in their order, and keeps `count` of them under way. */
async function* prefetch<Item, Result>(
  items: Iterable<Item>,
  count: number,
  start: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const started: Promise<Result>[] = [];
  for (const item of items) {
    const ready = started.length < count ? undefined : await started.shift();
    const next = start(item);
    // A failure reaches whoever awaits the result; before that it is no unhandled rejection.
    next.catch(() => {});
    started.push(next);
    if (ready !== undefined) yield ready;
  }
  yield* started;
}

interface ReadDay {
  readonly outcome: BackfillOutcome;
  /** Whether the days after it are not tried. */
  readonly isLast: boolean;
}

async function readDay(day: ArchivedDay, known: KnownFiles, latest: Day): Promise<ReadDay> {
  try {
    return { outcome: await outcomeOf(day, known, latest), isLast: false };
  } catch (error) {
    const isUnreachable = error instanceof OperatorError;
    if (!isUnreachable && !(error instanceof MalformedFile)) throw error;
    const isLast = isUnreachable && day.isRemote;
    const reason = isLast ? `${error.message} The days after it were not tried.` : error.message;
    return { outcome: { kind: 'broken', name: day.path, reason }, isLast };
  }
}

async function outcomeOf(
  { day, path: name, isRemote, read }: ArchivedDay,
  known: KnownFiles,
  latest: Day,
): Promise<BackfillOutcome> {
  if (day > latest) throw new MalformedFile('its day is in the future');
  const before = known(name);
  // Past days do not change: none is requested twice.
  if (isRemote && before) return { kind: 'unchanged', name };
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
      const { listings, skipped, bad } = readPrices(bytes);
      yield {
        listings: listings.map((listing) => ({ ...listing, day })),
        skipped,
        broken: bad.map(({ name, reason }) => ({ name: `${path}: ${name}`, reason })),
      };
    } catch (error) {
      if (!(error instanceof MalformedFile)) throw error;
      yield { listings: [], skipped: {}, broken: [{ name: path, reason: error.message }] };
    }
  }
}
