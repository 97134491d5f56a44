import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  addDays,
  type Day,
  dayOf,
  formatDay,
  type Millis,
  parseDay,
  startOfDay,
} from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import { GAMES } from '../../domain/games.ts';
import { FIGURES } from '../../domain/price.ts';
import type { Backfill, BackfillChunk, BackfillOutcome } from '../contract/backfill.ts';
import type { KnownFiles } from '../contract/files.ts';
import type { Tree } from '../io/tree.ts';
import { MalformedFile } from '../tcgcsv/adapt.ts';
import { digestOf, readPrices } from '../tcgcsv/read.ts';
import type { ArchiveEntry, Unpacker } from './unpack.ts';

/** A day that an archive has or may have. */
export interface ArchivedDay {
  readonly day: Day;
  /** The name of its file or folder, by which it is stored. */
  readonly path: string;
  /** Whether reading it requires a request to a server. */
  readonly isRemote: boolean;
  /** Whether reading it requires 7z. */
  readonly isPacked: boolean;
  /**
   * Reads the day; returns undefined if the archive does not have it.
   * @throws MalformedFile if it is damaged, OperatorError if it cannot be read.
   */
  read(): Promise<DayFiles | undefined>;
}

/** The files of a day. */
export interface DayFiles {
  readonly digest: string;
  /** Unpacks the files. */
  entries(): Promise<readonly ArchiveEntry[]>;
}

/** The days to read, both inclusive. */
export interface DayRange {
  readonly from: Day;
  readonly to: Day;
}

const PACKED = /^prices-(\d{4}-\d{2}-\d{2})\.ppmd\.7z$/;

/**
 * Finds the days at a location: a file `prices-YYYY-MM-DD.ppmd.7z`, an unpacked folder
 * `YYYY-MM-DD`, or a folder with any of these. Returns the days oldest first.
 * @throws OperatorError if there are none.
 */
export async function findDays(location: string, unpacker: Unpacker): Promise<ArchivedDay[]> {
  const own = dayAt(location, unpacker);
  if (own) return [own];
  const names = await readdir(location).catch((error) => {
    if (error.code === 'ENOTDIR') return [];
    throw new OperatorError(`${location} cannot be read: ${error.message}`, { cause: error });
  });
  const days = names.flatMap((name) => dayAt(join(location, name), unpacker) ?? []);
  if (days.length > 0) return days.sort((a, b) => a.day - b.day);
  throw new OperatorError(
    `${location} is not an archive: a file prices-YYYY-MM-DD.ppmd.7z, an unpacked folder ` +
      'YYYY-MM-DD, or a folder of such is expected.',
  );
}

/** Returns the days of an archive behind a URL, oldest first. Reading one makes a request. */
export function webDays(tree: Tree, { from, to }: DayRange, unpacker: Unpacker): ArchivedDay[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => {
    const day = addDays(from, index);
    const path = `prices-${formatDay(day)}.ppmd.7z`;
    return {
      day,
      path,
      isRemote: true,
      isPacked: true,
      async read() {
        const file = await tree.read(path);
        return file.kind === 'found' ? packedFiles(file.bytes, day, unpacker) : undefined;
      },
    };
  });
}

/** Returns the day of a file or folder by its name, or undefined for other names. */
function dayAt(location: string, unpacker: Unpacker): ArchivedDay | undefined {
  const name = basename(location);
  const packed = PACKED.exec(name)?.[1];
  const day = parseDay(packed ?? name);
  if (day === undefined) return undefined;
  const read = packed
    ? async () => packedFiles(await readFile(location), day, unpacker)
    : () => unpackedFiles(location, day);
  const isPacked = packed !== undefined;
  const readFiles = () => withFileErrors(location, read);
  return { day, path: name, isRemote: false, isPacked, read: readFiles };
}

function packedFiles(packed: Uint8Array, day: Day, unpacker: Unpacker): DayFiles {
  const wanted = GAMES.map((game) => `${formatDay(day)}/${game.tcgplayerCategory}/*/prices`);
  return {
    digest: digestOf(packed),
    entries: () => unpacker.unpack(new Uint8Array(packed), wanted),
  };
}

async function unpackedFiles(folder: string, day: Day): Promise<DayFiles> {
  const entries: ArchiveEntry[] = [];
  for (const { tcgplayerCategory } of GAMES) {
    for (const group of await groupsIn(join(folder, String(tcgplayerCategory)))) {
      const path = join(String(tcgplayerCategory), group, 'prices');
      const bytes = new Uint8Array(await readFile(join(folder, path)));
      entries.push({ path: `${formatDay(day)}/${path}`, bytes });
    }
  }
  const digests = entries.map(({ path, bytes }) => `${path} ${digestOf(bytes)}\n`);
  return { digest: digestOf(Buffer.from(digests.join(''))), entries: async () => entries };
}

async function groupsIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Turns errors of the file system into an OperatorError; rethrows others. */
async function withFileErrors<Result>(
  location: string,
  read: () => Promise<Result>,
): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
    throw new OperatorError(`${location} cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

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
 * Local days unpacked at the same time, because unpacking takes longer than the rest of the import.
 * Days on the web are requested one at a time.
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

/** Yields the results for the items in order, and keeps `count` of them in progress. */
async function* prefetch<Item, Result>(
  items: Iterable<Item>,
  count: number,
  start: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const started: Promise<Result>[] = [];
  for (const item of items) {
    const ready = started.length < count ? undefined : await started.shift();
    const next = start(item);
    // A failure reaches the caller that awaits the result; until then it must not count as
    // unhandled.
    next.catch(() => {});
    started.push(next);
    if (ready !== undefined) yield ready;
  }
  yield* started;
}

interface ReadDay {
  readonly outcome: BackfillOutcome;
  /** Whether to give up the days after it. */
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
