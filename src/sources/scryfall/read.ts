import { OperatorError } from '../../domain/errors.ts';
import type { FeedBatch, OpenFeed } from '../contract/feed.ts';
import { requireRecord } from '../io/bad-record.ts';
import { kilobytes, readChunks } from '../io/bytes.ts';
import { findFile, type LocalFile } from '../io/files.ts';
import { MalformedJson } from '../io/json-stream.ts';
import { FeedBatcher } from '../kit/feed-batcher.ts';
import { requireGame } from '../kit/games.ts';
import { observedAtOfFile } from '../kit/observed-at.ts';
import { describeSourceFile } from '../kit/source-file.ts';
import { ADAPTER_VERSION, adaptCard } from './adapt.ts';
import { MalformedBulkFile, readBulkEntries } from './bulk-file.ts';
import { parseCard } from './raw.ts';

const CARDS_PER_BATCH = 200;

/**
 * Opens Scryfall's bulk file `default_cards`, of any size: `.json` or `.jsonl`, plain or packed by
 * gzip. The file does not give the moment of its prices. Unless the operator does, it is the one
 * in the file's name (`default-cards-20260128220837.json`), or else the modification time.
 *
 * @throws OperatorError when there is no such file, or its moment is in the future.
 */
export const openScryfall: OpenFeed = async (location, options) => {
  requireGame({ name: 'Scryfall', game: 'mtg' }, options.games);
  const file = await findFile(location);
  const observedAt = options.observedAt ?? observedAtOfFile(file, options.now);
  return {
    source: 'scryfall',
    observedAt,
    total: kilobytes(file.size),
    unit: 'KB',
    file: await describeSourceFile(ADAPTER_VERSION, file),
    batches: () => readBatches(file, observedAt),
  };
};

async function* readBatches(file: LocalFile, observedAt: number): AsyncGenerator<FeedBatch> {
  const unreadable = (reason: string) => {
    return new OperatorError(`${file.path} cannot be read as Scryfall's default_cards: ${reason}.`);
  };
  const batcher = new FeedBatcher({
    recordsPerBatch: CARDS_PER_BATCH,
    forgetsIds: true,
    unreadable,
  });
  const chunks = readChunks(file);
  try {
    for await (const entries of readBulkEntries(chunks)) {
      for (const { name, value } of entries) {
        batcher.add(name, () => adaptCard(parseCard(requireRecord(value)), observedAt));
        if (batcher.isFull) yield batcher.flush(kilobytes(chunks.bytesRead));
      }
    }
  } catch (error) {
    const isMalformed = error instanceof MalformedBulkFile || error instanceof MalformedJson;
    throw isMalformed ? unreadable(error.message) : error;
  }
  batcher.requireAnyRecord();
  yield batcher.end(file.path, kilobytes(chunks.bytesRead));
}
