import { OperatorError } from '../../domain/errors.ts';
import type { FeedBatch, OpenFeed } from '../contract/feed.ts';
import { BadRecord, requireRecord } from '../io/bad-record.ts';
import { kilobytes, readChunks } from '../io/bytes.ts';
import { findFile, type LocalFile } from '../io/files.ts';
import { MalformedJson } from '../io/json-stream.ts';
import { MalformedText } from '../io/text.ts';
import { FeedBatcher } from '../kit/feed-batcher.ts';
import { observedAtOfFile } from '../kit/observed-at.ts';
import { describeSourceFile } from '../kit/source-file.ts';
import { ADAPTER_VERSION, type AdaptOptions, adaptCard } from './adapt.ts';
import { readCards } from './pages.ts';
import { parseCard, type RawCard } from './raw.ts';

/** When so many cards are broken and no other came before, the file is something else. */
const PROBED_CARDS = 100;

/**
 * Opens a file of responses of JustTCG's API, plain or packed by gzip; {@link readCards} finds the
 * cards in it. Every price has a moment of its own; the feed's is only that of the file.
 *
 * @throws OperatorError when it cannot be read.
 */
export const openJustTcg: OpenFeed = async (location, options) => {
  const file = await findFile(location);
  return {
    source: 'justtcg',
    observedAt: options.observedAt ?? observedAtOfFile(file, options.now),
    total: kilobytes(file.size),
    unit: 'KB',
    file: await describeSourceFile(ADAPTER_VERSION, file),
    batches: () => readBatches(file, options),
  };
};

async function* readBatches(file: LocalFile, options: AdaptOptions): AsyncGenerator<FeedBatch> {
  const batcher = new FeedBatcher();
  const parser = new CardParser(file);
  let chunks = readChunks(file);
  const open = () => {
    chunks = readChunks(file);
    return chunks;
  };
  try {
    for await (const { place, value } of readCards(open)) {
      const card = parser.parse(value);
      batcher.add(nameIn(value) ?? place, () => adaptCard(requireRecord(card), options));
      if (batcher.isFull) yield batcher.flush(kilobytes(chunks.bytesRead));
    }
  } catch (error) {
    if (!(error instanceof MalformedText || error instanceof MalformedJson)) throw error;
    throw notJustTcgs(file, error.message);
  }
  parser.requireAnyCard();
  yield batcher.end(file.path, kilobytes(chunks.bytesRead));
}

/** Parses cards, and recognises a file that has none. */
class CardParser {
  readonly #file: LocalFile;
  #firstFault: string | undefined;
  #faultCount = 0;
  #hasReadAny = false;

  constructor(file: LocalFile) {
    this.#file = file;
  }

  /**
   * Returns a card, or what is wrong with it.
   *
   * @throws OperatorError when too many cards are broken and none was read.
   */
  parse(value: unknown): RawCard | BadRecord {
    try {
      const card = parseCard(requireRecord(value));
      this.#hasReadAny = true;
      return card;
    } catch (error) {
      if (!(error instanceof BadRecord)) throw error;
      this.#faultCount += 1;
      this.#firstFault ??= error.message;
      if (this.#faultCount >= PROBED_CARDS) this.requireAnyCard();
      return error;
    }
  }

  /** @throws OperatorError when no card could be read. */
  requireAnyCard(): void {
    if (this.#hasReadAny) return;
    throw notJustTcgs(this.#file, this.#firstFault ?? 'it holds no cards');
  }
}

/** Returns the name of a card that may be broken, if it has one. */
function nameIn(value: unknown): string | undefined {
  const { name } = Object(value) as { name?: unknown };
  return typeof name === 'string' && name !== '' && !(value instanceof Error)
    ? name.slice(0, 100)
    : undefined;
}

function notJustTcgs({ path }: LocalFile, fault: string): OperatorError {
  return new OperatorError(`${path} holds no answers of JustTCG: ${fault}.`);
}
