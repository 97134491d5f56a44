import { readFile } from 'node:fs/promises';
import { dayOf, type Millis } from '../../domain/day.ts';
import { GAMES, type Game } from '../../domain/games.ts';
import type { Group, GroupOutcome, Snapshot, SourceSet } from '../contract/snapshot.ts';
import type { KnownFiles } from '../contract/source-file.ts';
import { BadRow, type CsvRow, readCsv } from '../io/csv.ts';
import { MalformedText } from '../io/text.ts';
import { isFutureDay } from '../kit/observed-at.ts';
import { adaptPrices, adaptProducts, adaptSet } from '../tcgcsv/adapt.ts';
import { MalformedFile, type RawPrice, type RawProduct } from '../tcgcsv/raw.ts';
import { digestOf } from '../tcgcsv/read.ts';
import { adaptRow } from './adapt.ts';
import { type CsvFile, type CsvFiles, inOrderOfGroups } from './files.ts';

export interface CsvOptions {
  /** The sets in the catalogue, by the id of their group. */
  readonly sets: ReadonlyMap<string, SourceSet>;
  /** When the prices were observed, if the operator gives it; else the modification time. */
  readonly observedAt?: Millis;
  readonly now: Millis;
}

/**
 * Opens TCGCSV's files `ProductsAndPrices.csv`, one a group. They hold what the JSON files hold
 * except for the set of the group, which must be in the catalogue or in a file `groups`.
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
      throw new MalformedFile('its time of change is in the future; give --observed');
    }
    const bytes = await readFile(location);
    const digest = digestOf(bytes);
    const before = known(path);
    if (before?.digest === digest && before.observedAt === read.observedAt) {
      return { kind: 'unchanged', name: path };
    }
    const group = groupOf(read, await readContent(bytes));
    return { kind: 'read', group: { ...group, files: [{ path, digest, etag: null }] } };
  } catch (error) {
    return { kind: 'broken', name: path, reason: faultOf(error) };
  }
}

/** The content of a file. */
interface Content {
  readonly category: number;
  readonly group: number;
  /** Products by id: a product has a row for each of its prices. */
  readonly products: Map<number, RawProduct>;
  readonly prices: RawPrice[];
}

async function readContent(bytes: Uint8Array): Promise<Content> {
  let content: Content | undefined;
  let number = 1;
  for await (const row of readCsv([bytes])) {
    number += 1;
    try {
      content = addRow(content, row);
    } catch (error) {
      if (!(error instanceof MalformedFile)) throw error;
      throw new MalformedFile(`row ${number}: ${error.message}`, { cause: error });
    }
  }
  if (!content) throw new MalformedFile('holds no products');
  return content;
}

function addRow(content: Content | undefined, row: CsvRow | BadRow): Content {
  if (row instanceof BadRow) throw new MalformedFile(row.reason);
  const { category, group, product, price } = adaptRow(row);
  const all: Content = content ?? { category, group, products: new Map(), prices: [] };
  if (category !== all.category || group !== all.group) throw new MalformedFile('another group');
  if (!all.products.has(product.productId)) all.products.set(product.productId, product);
  if (price) all.prices.push(price);
  return all;
}

function groupOf(read: FileToRead, content: Content): Omit<Group, 'files'> {
  const game = GAMES.find(({ tcgplayerCategory }) => tcgplayerCategory === content.category);
  if (!game) throw new MalformedFile(`category ${content.category} is none of our games`);
  const { cards, skipped } = adaptProducts(game, [...content.products.values()]);
  const { listings, contradictory } = adaptPrices(content.prices);
  return {
    idSpace: 'tcgcsv',
    set: setOf(read, game, content.group),
    observedAt: read.observedAt,
    cards,
    listings,
    skipped: { ...skipped, ...(contradictory > 0 && { 'contradictory price': contradictory }) },
  };
}

function setOf({ sets, groups }: FileToRead, game: Game, group: number): SourceSet {
  const raw = groups.get(group);
  const set = sets.get(String(group)) ?? (raw && adaptSet(game, raw));
  if (!set) {
    throw new MalformedFile(
      `its group ${group} is not known: import it as JSON first, or put its file groups beside it`,
    );
  }
  if (set.game !== game.slug) throw new MalformedFile(`group ${group} is of ${set.game}`);
  return set;
}

/** Returns why a file could not be read. Rethrows errors that are no fault of the file. */
function faultOf(error: unknown): string {
  if (error instanceof MalformedFile || error instanceof MalformedText) return error.message;
  if (typeof (error as NodeJS.ErrnoException).code === 'string') return (error as Error).message;
  throw error;
}
