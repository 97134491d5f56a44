import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { dayOf, type Millis } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import { GAMES, type Game } from '../../domain/games.ts';
import type { BrokenPart, KnownFiles } from '../contract/files.ts';
import type { Group, GroupOutcome, Snapshot, SourceSet } from '../contract/snapshot.ts';
import { BadRow, type CsvRow, readCsv } from '../io/csv.ts';
import { withReadErrors } from '../io/files.ts';
import { BadRecord } from '../io/json.ts';
import { MalformedText } from '../io/text.ts';
import { isFutureDay } from '../kit/source-file.ts';
import {
  adaptPrices,
  adaptProducts,
  adaptSet,
  type BadRow as BadPriceRow,
  MalformedFile,
  parseGroups,
  type RawGroup,
  requireFewBad,
} from '../tcgcsv/adapt.ts';
import { describeUnread, digestOf } from '../tcgcsv/read.ts';
import { adaptRow, type RowContent } from './adapt.ts';

/** A CSV file of one group. */
export interface CsvFile {
  readonly location: string;
  /** Its path below the operator's location, by which it is named and stored. */
  readonly path: string;
  readonly modifiedAt: Millis;
}

export interface CsvFiles {
  readonly files: readonly CsvFile[];
  /** Groups by id, from files `groups` in the same folders. */
  readonly groups: ReadonlyMap<number, RawGroup>;
}

/** TCGCSV's name of each file, often preceded by the group's name. */
const NAME = /ProductsAndPrices\.csv$/i;

/**
 * Finds a CSV file, or all files `…ProductsAndPrices.csv` below a folder, with the files `groups`
 * next to them.
 *
 * @throws OperatorError if there are none, or a file `groups` has other content.
 */
export async function findCsvFiles(location: string): Promise<CsvFiles> {
  const isFolder = (await withReadErrors(location, () => stat(location))).isDirectory();
  const root = isFolder ? location : dirname(location);
  const all = await withReadErrors(root, () => readdir(root, { recursive: isFolder }));
  const paths = isFolder ? all.filter((path) => NAME.test(path)).sort() : [basename(location)];
  if (paths.length === 0) {
    throw new OperatorError(`${location} has no files named …ProductsAndPrices.csv.`);
  }
  const groups = all.filter((path) => basename(path) === 'groups');
  return {
    files: await Promise.all(paths.map((path) => describeFile(root, path))),
    groups: await readGroups(groups.map((path) => join(root, path))),
  };
}

async function describeFile(root: string, path: string): Promise<CsvFile> {
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
    throw new OperatorError(`${location} is not a groups file: ${error.message}.`, {
      cause: error,
    });
  }
}

/** Returns files in the order of their groups' ids. Files without a legible first row come last. */
export async function inOrderOfGroups(files: readonly CsvFile[]): Promise<CsvFile[]> {
  const ordered: { file: CsvFile; group: number }[] = [];
  for (const file of files) ordered.push({ file, group: await readGroupId(file) });
  return ordered.sort((a, b) => a.group - b.group).map(({ file }) => file);
}

/** Returns the id of a file's group; faults are reported when the file is read in full. */
async function readGroupId({ location }: CsvFile): Promise<number> {
  try {
    for await (const row of readCsv(createReadStream(location))) {
      if (!(row instanceof BadRow)) return adaptRow(row).group;
    }
  } catch {
    // The file cannot be read, or its first row has an impossible cell.
  }
  return Number.MAX_SAFE_INTEGER;
}

export interface CsvOptions {
  /** The sets in the catalogue, by the id of their group. */
  readonly sets: ReadonlyMap<string, SourceSet>;
  /** When the prices were observed, if the operator gives it; otherwise the modification time. */
  readonly observedAt?: Millis;
  readonly now: Millis;
}

/**
 * Opens TCGCSV's files `ProductsAndPrices.csv`, one per group. They contain the data of the JSON
 * files except for the set of the group, which must be in the catalogue or in a file `groups`.
 */
export function openTcgcsvCsv({ files, groups }: CsvFiles, options: CsvOptions): Snapshot {
  const observedAtOf = (file: CsvFile) => options.observedAt ?? file.modifiedAt;
  return {
    source: 'tcgcsv-csv',
    games: GAMES.map((game) => game.slug),
    marketplace: 'tcgplayer',
    observedAt: Math.max(...files.map(observedAtOf)),
    groupCount: files.length,
    async *groups(known) {
      for (const file of await inOrderOfGroups(files)) {
        yield readGroup({ ...options, file, groups, observedAt: observedAtOf(file) }, known);
      }
    },
  };
}

interface FileToRead extends CsvOptions {
  readonly file: CsvFile;
  readonly groups: CsvFiles['groups'];
  readonly observedAt: Millis;
}

async function readGroup(read: FileToRead, known: KnownFiles): Promise<GroupOutcome> {
  const { location, path } = read.file;
  try {
    if (isFutureDay(dayOf(read.observedAt), read.now)) {
      throw new MalformedFile('its modification time is in the future; give --observed');
    }
    const bytes = await readFile(location);
    const digest = digestOf(bytes);
    const before = known(path);
    if (before?.digest === digest && before.observedAt === read.observedAt) {
      return { kind: 'unchanged', part: path, name: path };
    }
    const group = groupOf(read, await readContent(bytes));
    const files = [{ path, digest, etag: null }];
    return { kind: 'read', part: path, group: { ...group, files } };
  } catch (error) {
    return { kind: 'broken', part: path, name: path, reason: faultOf(error) };
  }
}

/** The content of a file for one group. */
interface Content {
  readonly category: number;
  readonly group: number;
  readonly rows: readonly NumberedRow[];
  readonly bad: readonly BadPriceRow[];
}

interface NumberedRow extends RowContent {
  readonly number: number;
}

/** @throws MalformedFile if it has no rows, or too many of them are bad. */
async function readContent(bytes: Uint8Array): Promise<Content> {
  const all: NumberedRow[] = [];
  const bad: BadPriceRow[] = [];
  let number = 1;
  for await (const row of readCsv([bytes])) {
    number += 1;
    try {
      all.push({ ...adaptRow(requireCells(row)), number });
    } catch (error) {
      if (!(error instanceof BadRecord)) throw error;
      bad.push(badRow(number, productIn(row), error.message));
    }
  }
  const groups = Map.groupBy(all, ({ category, group }) => `${category}/${group}`);
  const rows = [...groups.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
  for (const { number, category, group, product } of all.filter((row) => !rows.includes(row))) {
    bad.push(badRow(number, product.productId, `it is of another group, ${category}/${group}`));
  }
  requireFewBad('rows', bad, number - 1);
  const [first] = rows;
  if (!first) throw new MalformedFile(bad[0] ? describeFirst(bad[0]) : 'holds no products');
  return { category: first.category, group: first.group, rows, bad };
}

function requireCells(row: CsvRow | BadRow): CsvRow {
  if (row instanceof BadRow) throw new BadRecord(row.reason);
  return row;
}

/** Returns the product of a row that is bad for another reason, if it is recognisable. */
function productIn(row: CsvRow | BadRow): number | null {
  const id = row instanceof BadRow ? '' : (row.productId ?? '');
  return /^\d{1,15}$/.test(id) ? Number(id) : null;
}

function badRow(number: number, productId: number | null, reason: string): BadPriceRow {
  const product = productId === null ? '' : ` (product ${productId})`;
  return { name: `row ${number}${product}`, productId, reason };
}

function describeFirst({ name, reason }: BrokenPart): string {
  return `${name}: ${reason}`;
}

function groupOf(read: FileToRead, { category, group, rows, bad }: Content): Omit<Group, 'files'> {
  const game = GAMES.find(({ tcgplayerCategory }) => tcgplayerCategory === category);
  if (!game) throw new MalformedFile(`category ${category} is not a known game`);
  // A product has a row for each of its prices. The first one counts.
  const products = new Map(rows.toReversed().map(({ product }) => [product.productId, product]));
  const { cards, skipped } = adaptProducts(game, [...products.values()].toReversed());
  const { listings, contradictory } = adaptPrices(rows.flatMap(({ price }) => price ?? []));
  const unread = describeUnread(contradictory, bad);
  return {
    idSpace: 'tcgcsv',
    set: setOf(read, game, group),
    observedAt: read.observedAt,
    cards,
    listings,
    skipped: { ...skipped, ...unread.skipped },
    badRows: bad.map(({ name, reason }) => ({ name: `${read.file.path}, ${name}`, reason })),
    unreadPrices: unread.unread,
  };
}

function setOf({ sets, groups }: FileToRead, game: Game, group: number): SourceSet {
  const raw = groups.get(group);
  const set = sets.get(String(group)) ?? (raw && adaptSet(game, raw));
  if (!set) {
    throw new MalformedFile(
      `its group ${group} is not known: import it as JSON first, or put its file groups next to it`,
    );
  }
  if (set.game !== game.slug) throw new MalformedFile(`group ${group} is of ${set.game}`);
  return set;
}

/** Returns why a file could not be read. Rethrows errors that the file did not cause. */
function faultOf(error: unknown): string {
  if (error instanceof MalformedFile || error instanceof MalformedText) return error.message;
  if (typeof (error as NodeJS.ErrnoException).code === 'string') return (error as Error).message;
  throw error;
}
