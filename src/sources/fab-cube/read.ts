import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OperatorError } from '../../domain/errors.ts';
import type { FeedBatch, FeedOptions, OpenFeed } from '../contract/feed.ts';
import type { BrokenPart } from '../contract/files.ts';
import type { FeedSource, Remote, RemoteFile } from '../contract/source.ts';
import { BadRow, readCsv } from '../io/csv.ts';
import { findFile, type LocalFile, readChunks, withReadErrors } from '../io/files.ts';
import { BadRecord } from '../io/json.ts';
import { MalformedText } from '../io/text.ts';
import { FeedBatcher, refusalFor } from '../kit/feed-batcher.ts';
import { requireGames } from '../kit/games.ts';
import { describeLocation, newestModification } from '../kit/source-file.ts';
import {
  adaptCard,
  adaptFacts,
  type CubeLookup,
  groupPrintings,
  indexTables,
  parseCard,
  parsePrinting,
  parseSet,
  parseSetPrinting,
  type RawPrinting,
} from './adapt.ts';

const SOURCE = { name: 'fab-cube', games: ['fab'] } as const;

/** Raise it when the adapter's output for the same files changes, so they are imported again. */
const ADAPTER_VERSION = 2;

/** The names of the tables next to `card-printing.csv`, by their names as further files. */
export const TABLES = {
  cards: 'card.csv',
  sets: 'set.csv',
  'set-printings': 'set-printing.csv',
} as const;

const PRINTINGS = 'card-printing.csv';

/**
 * Opens the tables of the-fab-cube/flesh-and-blood-cards: their folder, or its `card-printing.csv`
 * with the other tables next to it or given as further files. These tables contain no prices.
 *
 * @throws OperatorError if a table is missing or is something else.
 */
export const openFabCube: OpenFeed = async (location, options) => {
  requireGames(SOURCE, options.games);
  const isFolder = (await withReadErrors(location, () => stat(location))).isDirectory();
  const main = await findFile(isFolder ? join(location, PRINTINGS) : location);
  const broken: BrokenPart[] = [];
  const printings = await readTable(main, parsePrinting, broken);
  const tables = await findTables(isFolder ? location : dirname(location), options);
  const lookup = indexTables({
    cards: await readTable(tables.cards, parseCard, broken),
    sets: await readTable(tables.sets, parseSet, broken),
    setPrintings: await readTable(tables['set-printings'], parseSetPrinting, broken),
  });
  const groups = groupPrintings(printings);
  const all = [main, ...Object.values(tables)];
  return {
    source: SOURCE.name,
    observedAt: options.observedAt ?? newestModification(all, options.now),
    total: groups.length,
    unit: 'cards',
    file: await describeLocation(location, ADAPTER_VERSION, all),
    batches: () => readBatches(location, groups, lookup, broken),
  };
};

/** Finds the other tables among the further files, otherwise in a folder. */
async function findTables(
  folder: string,
  { files }: FeedOptions,
): Promise<Record<keyof typeof TABLES, LocalFile>> {
  const find = (name: keyof typeof TABLES) => findFile(files[name] ?? join(folder, TABLES[name]));
  return {
    cards: await find('cards'),
    sets: await find('sets'),
    'set-printings': await find('set-printings'),
  };
}

/**
 * Reads a table, and adds its broken rows to `broken`.
 *
 * @throws OperatorError if no row can be read, or too many are bad.
 */
async function readTable<Raw>(
  file: LocalFile,
  parse: (row: unknown) => Raw,
  broken: BrokenPart[],
): Promise<Raw[]> {
  const rows: Raw[] = [];
  const faults: BrokenPart[] = [];
  let number = 1;
  for await (const row of readRows(file)) {
    number += 1;
    try {
      if (row instanceof BadRow) throw new BadRecord(row.reason);
      rows.push(parse(row));
    } catch (error) {
      if (!(error instanceof BadRecord)) throw error;
      faults.push({ name: `${file.name}, row ${number}`, reason: error.message });
    }
  }
  if (rows.length === 0) {
    const fault = faults[0]?.reason ?? 'it has no rows';
    throw new OperatorError(`${file.path} is not that table of the-fab-cube: ${fault}.`);
  }
  const refusal = refusalFor(faults.length, rows.length + faults.length, faults[0]);
  if (refusal !== undefined) throw new OperatorError(`${file.path} is not imported: ${refusal}.`);
  broken.push(...faults);
  return rows;
}

async function* readRows(file: LocalFile) {
  try {
    yield* readCsv(readChunks(file), '\t');
  } catch (error) {
    if (!(error instanceof MalformedText)) throw error;
    throw new OperatorError(`${file.path} cannot be read: ${error.message}.`, { cause: error });
  }
}

async function* readBatches(
  location: string,
  groups: readonly (readonly RawPrinting[])[],
  lookup: CubeLookup,
  broken: readonly BrokenPart[],
): AsyncGenerator<FeedBatch> {
  const batcher = new FeedBatcher();
  for (const { name, reason } of broken) batcher.addBroken(name, reason);
  for (const [index, printings] of groups.entries()) {
    const name = printings[0]?.['Card ID'] ?? '';
    batcher.add(name, () => {
      const facts = adaptFacts(printings[0], lookup);
      const card = adaptCard(printings, lookup);
      return { items: [{ card, observations: [], ...(facts && { facts }) }] };
    });
    if (batcher.isFull) yield batcher.flush(index + 1);
  }
  yield batcher.end(location, groups.length);
}

const MAX_BYTES = 200 * 1024 * 1024;

/** The English tables in the project's repository. */
export const FAB_CUBE_REMOTE: Remote = {
  base: 'https://raw.githubusercontent.com/the-fab-cube/flesh-and-blood-cards',
  pauseMs: 100,
  content: {
    kind: 'files',
    main: table('card-printing.csv'),
    further: Object.fromEntries(
      Object.entries(TABLES).map(([name, file]) => [name, table(file)] as const),
    ),
  },
};

function table(name: string): RemoteFile {
  return { path: `develop/csvs/english/${name}`, saveAs: name, maxBytes: MAX_BYTES };
}

export const FAB_CUBE: FeedSource = {
  name: 'fab-cube',
  summary: 'Cards of Flesh and Blood with their printings and pictures, without prices.',
  takes: 'The folder csvs/english of the-fab-cube, or card-printing.csv in it.',
  files: {
    cards: 'card.csv, when it is elsewhere.',
    sets: 'set.csv, when it is elsewhere.',
    'set-printings': 'set-printing.csv, when it is elsewhere.',
  },
  example: './csvs/english',
  open: openFabCube,
  remote: FAB_CUBE_REMOTE,
};
