import { createHash } from 'node:crypto';
import { OperatorError } from '../../domain/errors.ts';
import type { FeedBatch, OpenFeed } from '../contract/feed.ts';
import type { GradeMap } from '../contract/grades.ts';
import type { SourceFile } from '../contract/source-file.ts';
import { type ByteChunks, findFile, readChunks, recognise } from '../io/bytes.ts';
import { BadRow, type CsvRow, readCsv } from '../io/csv.ts';
import type { LocalFile } from '../io/files.ts';
import { MalformedText } from '../io/text.ts';
import { Gatherer } from '../kit/feed-batcher.ts';
import { observedAtOfFile } from '../kit/observed-at.ts';
import { BadRecord } from '../kit/schema.ts';
import { ADAPTER_VERSION, adaptProduct, type Guide } from './adapt.ts';
import { isInDollars, type PriceUnit } from './money.ts';
import { checkHead, parseProduct, priceCells } from './raw.ts';

const KILOBYTE = 1024;
const NO_GRADES: GradeMap = new Map();

/**
 * Opens a price guide of PriceCharting: CSV, perhaps packed with gzip. It does not say when it was
 * made; unless the operator does, the day in the file's name or else its time of change counts. It
 * is read once to see whether prices are in dollars or in cents, as a rule no further than its
 * first rows, and once to take them.
 *
 * @throws OperatorError when it cannot be read, holds no rows or lacks a column.
 */
export const openPriceCharting: OpenFeed = async (location, options) => {
  const file = await findFile(location);
  const observedAt = options.observedAt ?? observedAtOfFile(file, options.now);
  const grades = options.grades ?? NO_GRADES;
  const unit = await asGuide(file, () => unitOf(file));
  const guide: Guide = { unit, observedAt, games: options.games, grades };
  return {
    source: 'pricecharting',
    observedAt,
    total: Math.ceil(file.size / KILOBYTE),
    unit: 'KB',
    file: withMapping(await recognise(ADAPTER_VERSION, file), grades),
    batches: () => readBatches(file, guide),
  };
};

/** A file is worth reading again when the operator takes its grades for something else. */
function withMapping(file: SourceFile, grades: GradeMap): SourceFile {
  if (grades.size === 0) return file;
  const mapping = [...grades].map((pair) => pair.join('=')).sort();
  const digest = createHash('sha256')
    .update([file.digest, ...mapping].join('\n'))
    .digest('hex');
  return { ...file, digest };
}

/** In dollars as soon as one price can be nothing else. */
async function unitOf(file: LocalFile): Promise<PriceUnit> {
  let fault = 'it holds no rows';
  let isChecked = false;
  for await (const row of readCsv(readChunks(file))) {
    if (row instanceof BadRow) {
      fault = row.reason;
      continue;
    }
    if (!isChecked) checkHead(Object.keys(row));
    isChecked = true;
    if (priceCells(row).some(isInDollars)) return 'dollars';
  }
  if (!isChecked) throw new BadRecord(fault);
  return 'cents';
}

async function* readBatches(file: LocalFile, guide: Guide): AsyncGenerator<FeedBatch> {
  const pieces = readChunks(file);
  const gatherer = new Gatherer();
  const rows = readCsv(pieces);
  let number = 1;
  for (;;) {
    const next = await asGuide(file, () => rows.next());
    if (next.done) break;
    number += 1;
    gatherer.take(`row ${number}`, () => adaptProduct(parseRow(next.value), guide));
    if (gatherer.isFull) yield gatherer.handOn(done(pieces));
  }
  yield gatherer.handOn(done(pieces));
}

function parseRow(row: CsvRow | BadRow) {
  if (row instanceof BadRow) throw new BadRecord(row.reason);
  return parseProduct(row);
}

function done({ bytesRead }: ByteChunks): number {
  return Math.ceil(bytesRead / KILOBYTE);
}

/** Says of what is no price guide that it is none. */
async function asGuide<Result>({ path }: LocalFile, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof BadRecord || error instanceof MalformedText)) throw error;
    throw new OperatorError(`${path} is no price guide of PriceCharting: ${error.message}.`, {
      cause: error,
    });
  }
}
