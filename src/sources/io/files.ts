import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Millis } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import { withReadErrors } from './read-errors.ts';

/** Finding files on this machine. */

export interface LocalFile {
  readonly name: string;
  readonly path: string;
  /** Bytes on the disk, packed or not. */
  readonly size: number;
  readonly modifiedAt: Millis;
}

/** @throws OperatorError when the file does not exist or is a folder. */
export async function findFile(location: string): Promise<LocalFile> {
  const found = await withReadErrors(location, () => stat(location));
  if (!found.isFile()) throw new OperatorError(`${location} is a folder; a file is expected.`);
  return describe(location);
}

/**
 * Returns the file at a location, or the files of a folder whose names are wanted, sorted by name.
 *
 * @throws OperatorError when the location does not exist or may not be read.
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
