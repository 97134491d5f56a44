import { createHash } from 'node:crypto';
import { OperatorError } from '../../domain/errors.ts';
import type { FeedBatch, GradeMap, OpenFeed } from '../contract/feed.ts';
import type { SourceFile } from '../contract/files.ts';
import type { FeedSource, Remote } from '../contract/source.ts';
import { BadRow, type CsvRow, readCsv } from '../io/csv.ts';
import { findFile, kilobytes, type LocalFile, readChunks } from '../io/files.ts';
import { BadRecord } from '../io/json.ts';
import { MalformedText } from '../io/text.ts';
import { FeedBatcher } from '../kit/feed-batcher.ts';
import { describeSourceFile, observedAtOfFile } from '../kit/source-file.ts';
import {
  ADAPTER_VERSION,
  adaptProduct,
  checkHeader,
  type Guide,
  isInDollars,
  type PriceUnit,
  parseProduct,
  priceCells,
} from './adapt.ts';

const NO_GRADES: GradeMap = new Map();

/**
 * Opens a price guide of PriceCharting: CSV, plain or packed by gzip. The file does not give the
 * moment of its prices. Unless the operator gives it, it is the day in the file's name, otherwise
 * the modification time. The file is read twice: first to see whether prices are in dollars or in
 * cents, which the first rows usually show, and then for the prices.
 *
 * @throws OperatorError if it cannot be read, holds no rows or lacks a column.
 */
export const openPriceCharting: OpenFeed = async (location, options) => {
  const file = await findFile(location);
  const observedAt = options.observedAt ?? observedAtOfFile(file, options.now);
  const grades = options.grades ?? NO_GRADES;
  const unit = await withGuideErrors(file, () => readUnit(file));
  const guide: Guide = { unit, observedAt, games: options.games, grades };
  return {
    source: 'pricecharting',
    observedAt,
    total: kilobytes(file.size),
    unit: 'KB',
    file: withGradeMap(await describeSourceFile(ADAPTER_VERSION, file), grades),
    batches: () => readBatches(file, guide),
  };
};

/** Includes the grade map in the digest, so the file is imported again with another map. */
function withGradeMap(file: SourceFile, grades: GradeMap): SourceFile {
  if (grades.size === 0) return file;
  const mapping = [...grades].map((pair) => pair.join('=')).sort();
  const digest = createHash('sha256')
    .update([file.digest, ...mapping].join('\n'))
    .digest('hex');
  return { ...file, digest };
}

/** Returns dollars as soon as a price can only be in dollars, otherwise cents. */
async function readUnit(file: LocalFile): Promise<PriceUnit> {
  let fault = 'it has no rows';
  let isChecked = false;
  for await (const row of readCsv(readChunks(file))) {
    if (row instanceof BadRow) {
      fault = row.reason;
      continue;
    }
    if (!isChecked) checkHeader(Object.keys(row));
    isChecked = true;
    if (priceCells(row).some(isInDollars)) return 'dollars';
  }
  if (!isChecked) throw new BadRecord(fault);
  return 'cents';
}

async function* readBatches(file: LocalFile, guide: Guide): AsyncGenerator<FeedBatch> {
  const chunks = readChunks(file);
  const batcher = new FeedBatcher();
  const rows = readCsv(chunks);
  let number = 1;
  for (;;) {
    const next = await withGuideErrors(file, () => rows.next());
    if (next.done) break;
    number += 1;
    batcher.add(`row ${number}`, () => adaptProduct(parseRow(next.value), guide));
    if (batcher.isFull) yield batcher.flush(kilobytes(chunks.bytesRead));
  }
  yield batcher.end(file.path, kilobytes(chunks.bytesRead));
}

function parseRow(row: CsvRow | BadRow) {
  if (row instanceof BadRow) throw new BadRecord(row.reason);
  return parseProduct(row);
}

/** @throws OperatorError if the file turns out not to be a price guide. */
async function withGuideErrors<Result>(
  { path }: LocalFile,
  read: () => Promise<Result>,
): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof BadRecord || error instanceof MalformedText)) throw error;
    throw new OperatorError(`${path} is not a price guide of PriceCharting: ${error.message}.`, {
      cause: error,
    });
  }
}

const MEGABYTE = 1024 * 1024;

/** Subscribers download it with their API key. PriceCharting updates the file once a day. */
export const PRICECHARTING_REMOTE: Remote = {
  base: 'https://www.pricecharting.com',
  pauseMs: 1000,
  everyHours: 20,
  key: { in: 'query', name: 't', required: true },
  content: {
    kind: 'files',
    main: {
      path: 'price-guide/download-custom?category=pokemon-cards',
      saveAs: 'price-guide.csv',
      maxBytes: 300 * MEGABYTE,
      gzip: true,
    },
  },
};

export const PRICECHARTING: FeedSource = {
  name: 'pricecharting',
  summary: 'What cards sold for, ungraded and graded.',
  takes: 'A price guide as CSV, which subscribers can download.',
  example: 'pokemon-cards.csv --grade any_9=psa_9',
  open: openPriceCharting,
  hasGenericGrades: true,
  remote: PRICECHARTING_REMOTE,
};
