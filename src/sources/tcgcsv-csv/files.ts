import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Millis } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import { withReadErrors } from '../io/read-errors.ts';
import { MalformedFile, parseGroups, type RawGroup } from '../tcgcsv/raw.ts';

/** A CSV file of one group. */
export interface CsvFile {
  readonly location: string;
  /** Its path below the location that the operator gave, by which it is named and remembered. */
  readonly path: string;
  readonly modifiedAt: Millis;
}

export interface CsvFiles {
  readonly files: readonly CsvFile[];
  /** Groups by id, from files `groups` in the same folders. */
  readonly groups: ReadonlyMap<number, RawGroup>;
}

/** TCGCSV's name of each file, often with the group's name in front of it. */
const NAME = /ProductsAndPrices\.csv$/i;

/**
 * Finds a CSV file, or all files `…ProductsAndPrices.csv` below a folder, with the files `groups`
 * beside them.
 *
 * @throws OperatorError when there are none, or a file `groups` is something else.
 */
export async function findCsvFiles(location: string): Promise<CsvFiles> {
  const isFolder = (await withReadErrors(location, () => stat(location))).isDirectory();
  const root = isFolder ? location : dirname(location);
  const all = await withReadErrors(root, () => readdir(root, { recursive: isFolder }));
  const paths = isFolder ? all.filter((path) => NAME.test(path)).sort() : [basename(location)];
  if (paths.length === 0) {
    throw new OperatorError(`${location} holds no files named …ProductsAndPrices.csv.`);
  }
  const groups = all.filter((path) => basename(path) === 'groups');
  return {
    files: await Promise.all(paths.map((path) => describe(root, path))),
    groups: await readGroups(groups.map((path) => join(root, path))),
  };
}

async function describe(root: string, path: string): Promise<CsvFile> {
  const location = join(root, path);
  const { mtimeMs } = await withReadErrors(location, () => stat(location));
  return { location, path, modifiedAt: Math.floor(mtimeMs) };
}

async function readGroups(locations: readonly string[]): Promise<Map<number, RawGroup>> {
  const groups = new Map<number, RawGroup>();
  for (const location of locations) {
    const bytes = await withReadErrors(location, () => readFile(location));
    for (const group of parseGroupsAt(location, bytes)) groups.set(group.groupId, group);
  }
  return groups;
}

function parseGroupsAt(location: string, bytes: Uint8Array): readonly RawGroup[] {
  try {
    return parseGroups(bytes).rows;
  } catch (error) {
    if (!(error instanceof MalformedFile)) throw error;
    throw new OperatorError(`${location} is no groups file: ${error.message}.`, { cause: error });
  }
}
