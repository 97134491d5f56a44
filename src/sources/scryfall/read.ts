import { OperatorError } from '../../domain/errors.ts';
import type { FeedBatch, OpenFeed } from '../contract/feed.ts';
import { findFile, kilobytes, readChunks, recognise } from '../io/bytes.ts';
import type { LocalFile } from '../io/files.ts';
import { MalformedJson } from '../io/json-stream.ts';
import { Gathering } from '../kit/gathering.ts';
import { requireMagic } from '../kit/magic-finishes.ts';
import { observedAtOfFile } from '../kit/observed-at.ts';
import { BadRecord } from '../kit/schema.ts';
import { ADAPTER_VERSION, adaptCard } from './adapt.ts';
import { type BulkEntry, MalformedBulkFile, readBulkEntries } from './bulk-file.ts';
import { parseCard } from './raw.ts';

const CARDS_AT_ONCE = 200;

/**
 * Opens Scryfall's bulk file `default_cards`, of whatever size: `.json` or `.jsonl`, packed by gzip
 * or not. The file itself does not say when its prices were observed. Unless the operator does,
 * its name does (`default-cards-20260128220837.json`), or else the time when it was changed.
 *
 * @throws OperatorError when there is no such file, or it is of a time to come.
 */
export const openScryfall: OpenFeed = async (location, options) => {
  requireMagic('Scryfall', options.games);
  const file = await findFile(location);
  const observedAt = options.observedAt ?? observedAtOfFile(file, options.now);
  return {
    source: 'scryfall',
    observedAt,
    total: kilobytes(file.size),
    unit: 'KB',
    file: await recognise(ADAPTER_VERSION, file),
    batches: () => readBatches(file, observedAt),
  };
};

async function* readBatches(file: LocalFile, observedAt: number): AsyncGenerator<FeedBatch> {
  const notOurs = (fault: string) => {
    return new OperatorError(`${file.path} cannot be read as Scryfall's default_cards: ${fault}.`);
  };
  const gathering = new Gathering(notOurs, CARDS_AT_ONCE);
  const pieces = readChunks(file);
  try {
    for await (const entries of readBulkEntries(pieces)) {
      for (const { name, value } of entries) {
        gathering.take(name, () => readCard(value, observedAt));
        if (gathering.isFull) yield gathering.handOn(kilobytes(pieces.bytesRead));
      }
    }
  } catch (error) {
    const isMalformed = error instanceof MalformedBulkFile || error instanceof MalformedJson;
    throw isMalformed ? notOurs(error.message) : error;
  }
  gathering.end();
  yield gathering.handOn(kilobytes(pieces.bytesRead));
}

function readCard(value: BulkEntry['value'], observedAt: number) {
  if (value instanceof BadRecord) throw value;
  return adaptCard(parseCard(value), observedAt);
}
