import { OperatorError } from '../../domain/errors.ts';
import type {
  BulkCard,
  BulkDay,
  BulkFileEnd,
  BulkRows,
  BulkSet,
  BulkSource,
} from '../contract/bulk.ts';
import type { KnownFiles } from '../contract/files.ts';
import { findFile, readChunks } from '../io/files.ts';
import { BadRecord } from '../io/json.ts';
import type { Tree } from '../io/tree.ts';
import { MalformedBulkFile, readBulkEntries } from '../kit/bulk-file.ts';
import type { FileStore } from './download.ts';
import { type ListedFile, readList } from './list.ts';
import { CardJoiner, DayReader, setOf } from './rows.ts';

/** A change in how rows are read makes all files be read again. */
const ADAPTER_VERSION = 1;

/** Rows written in one transaction, which takes a fraction of a second. */
const CARDS_AT_ONCE = 1000;
const DAYS_AT_ONCE = 20_000;

export interface BulkLocation {
  readonly tree: Tree;
  readonly files: FileStore;
  /** The key that must have signed the list, in base64; undefined for no check. */
  readonly publicKey: string | undefined;
  readonly onFile?: (done: number, total: number, name: string) => void;
}

/**
 * Opens the newest bulk files of a folder or a service. Reads the NDJSON files: they contain the
 * types of values, can be read row by row, and make faults visible to people.
 *
 * @throws OperatorError if the list or a file differs from the signed one, or is not part of bulk
 * files.
 */
export async function openBulk(location: BulkLocation): Promise<BulkSource> {
  const { tree, files, publicKey, onFile } = location;
  const wanted = filesToRead(await readList(tree, publicKey));
  if (!wanted.some(({ type }) => type === 'cards')) {
    throw new OperatorError(`${tree.location} has no cards in NDJSON.`);
  }
  const found: FoundFile[] = [];
  // Nothing is written before all files are complete.
  for (const file of wanted) {
    found.push({ ...file, path: await files.locate(file) });
    onFile?.(found.length, wanted.length, file.url);
  }
  const moments = wanted.flatMap(({ updatedAt }) =>
    updatedAt === null ? [] : Date.parse(updatedAt),
  );
  const observedAt = moments.length === 0 ? null : Math.max(...moments);
  return {
    observedAt,
    fileCount: found.length,
    async *read(known) {
      for (const file of found) yield* readFile(file, known, observedAt ?? 0);
    },
  };
}

interface FoundFile extends ListedFile {
  readonly path: string;
}

/**
 * Sets and cards of all games are in one file each. The history has one file for each game and
 * month.
 */
function filesToRead(listed: readonly ListedFile[]): ListedFile[] {
  const ndjson = listed.filter(({ format }) => format === 'ndjson');
  const all = (type: ListedFile['type']) => {
    return ndjson.filter((file) => file.type === type && file.game === null);
  };
  return [...all('sets'), ...all('cards'), ...ndjson.filter(({ type }) => type === 'history')];
}

async function* readFile(
  file: FoundFile,
  known: KnownFiles,
  observedAt: number,
): AsyncGenerator<BulkRows | BulkFileEnd> {
  const path = [file.type, file.game, file.month].filter(Boolean).join('/');
  const digest = `${file.sha256} ${ADAPTER_VERSION}`;
  const isUnchanged = known(path)?.digest === digest;
  if (!isUnchanged) yield* readRows(file);
  yield { type: 'end', isUnchanged, file: { path, digest, etag: null, observedAt } };
}

async function* readRows(file: FoundFile): AsyncGenerator<BulkRows> {
  if (file.type === 'sets') {
    const sets: BulkSet[] = [];
    for await (const row of entriesOf(file, setOf)) sets.push(row);
    yield { type: 'sets', sets };
  } else if (file.type === 'cards') {
    for await (const cards of inBatches(cardsOf(file), CARDS_AT_ONCE))
      yield { type: 'cards', cards };
  } else {
    const reader = new DayReader();
    const rows: AsyncIterable<BulkDay> = entriesOf(file, (row) => reader.read(row));
    for await (const days of inBatches(rows, DAYS_AT_ONCE)) yield { type: 'history', days };
  }
}

async function* cardsOf(file: FoundFile): AsyncGenerator<BulkCard> {
  const joiner = new CardJoiner();
  for await (const card of entriesOf(file, (row) => joiner.push(row))) if (card) yield card;
  const last = joiner.end();
  if (last) yield last;
}

/** @throws OperatorError that names the file and the line. */
async function* entriesOf<Row>(
  { path, url }: FoundFile,
  read: (row: unknown) => Row,
): AsyncGenerator<Row> {
  let line = '';
  try {
    for await (const entries of readBulkEntries(readChunks(await findFile(path)))) {
      for (const { name, value } of entries) {
        line = `, ${name}`;
        if (value instanceof BadRecord) throw value;
        yield read(value);
      }
    }
  } catch (error) {
    if (!(error instanceof BadRecord || error instanceof MalformedBulkFile)) throw error;
    throw new OperatorError(`${url}${line}: ${error.message}. Nothing was published.`, {
      cause: error,
    });
  }
}

async function* inBatches<Row>(rows: AsyncIterable<Row>, size: number): AsyncGenerator<Row[]> {
  let batch: Row[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
