import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SevenZip from '7z-wasm';
import { parseDay } from '../../src/domain/day.ts';
import { OperatorError } from '../../src/domain/errors.ts';
import { openFolder } from '../../src/sources/io/tree.ts';
import { readPrices } from '../../src/sources/tcgcsv/read.ts';
import type { ObservedDay } from './compose.ts';

/** The prices of one group on one day. */
export interface ArchivedPrices extends ObservedDay {
  /** The path of the prices below the day: `3/604/prices`. */
  readonly path: string;
}

/**
 * Reads the prices at `paths` (`3/604/prices`) for every day in a folder of TCGCSV's archive: files
 * `prices-YYYY-MM-DD.ppmd.7z`, or folders `YYYY-MM-DD` unpacked from them.
 *
 * @throws OperatorError for a file that cannot be unpacked.
 */
export async function readArchive(
  folder: string,
  paths: readonly string[],
): Promise<ArchivedPrices[]> {
  const unpacked = await mkdtemp(join(tmpdir(), 'make-starter-'));
  try {
    const archived: ArchivedPrices[] = [];
    for (const name of (await readdir(folder)).sort()) {
      const date = name.replace(/^prices-(.*)\.ppmd\.7z$/, '$1');
      const isPacked = name !== date;
      const entries = paths.map((path) => `${date}/${path}`);
      if (isPacked) await unpack(folder, name, unpacked, entries);
      archived.push(...(await readDay(isPacked ? unpacked : folder, date, paths)));
    }
    return archived;
  } finally {
    await rm(unpacked, { recursive: true });
  }
}

/** Unpacks some entries of a 7z file into a folder. */
async function unpack(
  from: string,
  file: string,
  to: string,
  entries: readonly string[],
): Promise<void> {
  // A new instance for each file: the arguments of every call stay on its small stack.
  const { FS, NODEFS, callMain } = await SevenZip.default({ print() {}, printErr() {} });
  for (const [mountpoint, root] of [
    ['/from', from],
    ['/to', to],
  ] as const) {
    FS.mkdir(mountpoint);
    FS.mount(NODEFS, { root }, mountpoint);
  }
  const { exitCode } = process;
  // callMain returns the exit code of 7z and also sets it for our process.
  const status: unknown = callMain(['x', '-y', '-o/to', `/from/${file}`, ...entries]);
  process.exitCode = exitCode;
  if (status !== 0) throw new OperatorError(`${join(from, file)} cannot be unpacked.`);
}

async function readDay(
  folder: string,
  date: string,
  paths: readonly string[],
): Promise<ArchivedPrices[]> {
  const day = parseDay(date);
  if (day === undefined) return [];
  const tree = await openFolder(folder);
  const archived: ArchivedPrices[] = [];
  for (const path of paths) {
    const file = await tree.read(`${date}/${path}`);
    if (file.kind !== 'found') continue;
    archived.push({ day, path, listings: readPrices(file.bytes).listings });
  }
  return archived;
}
