import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { addDays, type Day, formatDay, parseDay } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import { GAMES } from '../../domain/games.ts';
import type { Tree } from '../io/tree.ts';
import { digestOf } from '../tcgcsv/read.ts';
import type { ArchiveEntry, Unpacker } from './unpack.ts';

/** A day that an archive has or may have. */
export interface ArchivedDay {
  readonly day: Day;
  /** The name of its file or folder, by which it is remembered. */
  readonly path: string;
  /** Whether reading it takes a request to a server. */
  readonly isRemote: boolean;
  /** Whether reading it takes 7z. */
  readonly isPacked: boolean;
  /**
   * Reads the day; returns undefined when the archive does not have it.
   *
   * @throws MalformedFile when it is damaged, OperatorError when it cannot be read.
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
 * `YYYY-MM-DD`, or a folder of these. Returns them oldest first.
 *
 * @throws OperatorError when there are none.
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
    `${location} is no archive: a file prices-YYYY-MM-DD.ppmd.7z, an unpacked folder ` +
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
