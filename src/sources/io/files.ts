import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { addDays, dayOf, type Millis } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { SourceFile } from '../contract/source-file.ts';
import { readChunks, recognise } from './bytes.ts';
import { withReadErrors } from './read-errors.ts';

/** Files on this machine. */

export interface LocalFile {
  readonly name: string;
  readonly path: string;
  /** Bytes as they lie on the disk. */
  readonly size: number;
  readonly modifiedAt: Millis;
}

/**
 * The file at a location, or those in a folder that are wanted, by name.
 *
 * @throws OperatorError when there is nothing, or it may not be read.
 */
export async function findFiles(
  location: string,
  isWanted: (name: string) => boolean,
): Promise<LocalFile[]> {
  const found = await withReadErrors(location, () => stat(location));
  if (!found.isDirectory()) return [await describe(location)];
  const names = await withReadErrors(location, () => readdir(location));
  const files = names.filter(isWanted).sort();
  return Promise.all(files.map((name) => describe(join(location, name))));
}

async function describe(path: string): Promise<LocalFile> {
  const { size, mtimeMs } = await withReadErrors(path, () => stat(path));
  return { name: basename(path), path, size, modifiedAt: Math.floor(mtimeMs) };
}

/**
 * What is in a small file, unpacked if it is packed.
 *
 * @throws OperatorError when it cannot be read, or is not whole.
 */
export async function readWholeFile(file: LocalFile): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  // A piece is overwritten by the next one.
  for await (const piece of readChunks(file)) pieces.push(piece.slice());
  return Buffer.concat(pieces);
}

/**
 * When the newest of some files was changed: what is known of their prices' time if nothing else
 * tells it.
 *
 * @throws OperatorError when that is in the future, and so cannot be true.
 */
export function newestModification(files: readonly LocalFile[], now: Millis): Millis {
  const newest = files.reduce((a, b) => (a.modifiedAt >= b.modifiedAt ? a : b));
  if (dayOf(newest.modifiedAt) > addDays(dayOf(now), 1)) {
    throw new OperatorError(
      `${newest.path} says that it was changed in the future. Say when the prices were observed: ` +
        '--observed YYYY-MM-DD.',
    );
  }
  return newest.modifiedAt;
}

/**
 * By what the files at a location are recognised that were read already: their bytes, those of
 * further files, and their reader's version. The location's last part names them, so that a copy
 * elsewhere is known again.
 */
export async function fingerprint(
  location: string,
  version: number,
  [first, ...rest]: readonly LocalFile[],
): Promise<SourceFile | null> {
  if (!first) return null;
  return { ...(await recognise(version, first, ...rest)), path: basename(location) };
}
