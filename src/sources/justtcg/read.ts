import { OperatorError } from '../../domain/errors.ts';
import type { FeedBatch, OpenFeed } from '../contract/feed.ts';
import { type ByteChunks, findFile, readChunks, recognise } from '../io/bytes.ts';
import type { LocalFile } from '../io/files.ts';
import { MalformedJson } from '../io/json-stream.ts';
import { MalformedText } from '../io/text.ts';
import { Gatherer } from '../kit/feed-batcher.ts';
import { observedAtOfFile } from '../kit/observed-at.ts';
import { BadRecord } from '../kit/schema.ts';
import { ADAPTER_VERSION, type AdaptOptions, adaptCard } from './adapt.ts';
import { readCards } from './pages.ts';
import { parseCard, type RawCard } from './raw.ts';

const KILOBYTE = 1024;

/** When none of so many can be read, the file is something else. */
const PROBED = 100;

/**
 * Opens answers of JustTCG's API, as {@link readCards} finds them in a file, perhaps packed with
 * gzip. Every price has its own moment; that of the feed is only when the file was made.
 *
 * @throws OperatorError when it cannot be read.
 */
export const openJustTcg: OpenFeed = async (location, options) => {
  const file = await findFile(location);
  return {
    source: 'justtcg',
    observedAt: options.observedAt ?? observedAtOfFile(file, options.now),
    total: Math.ceil(file.size / KILOBYTE),
    unit: 'KB',
    file: await recognise(ADAPTER_VERSION, file),
    batches: () => readBatches(file, options),
  };
};

async function* readBatches(file: LocalFile, reading: AdaptOptions): AsyncGenerator<FeedBatch> {
  const gatherer = new Gatherer();
  const probe = new Probe(file);
  let pieces = readChunks(file);
  const open = () => {
    pieces = readChunks(file);
    return pieces;
  };
  try {
    for await (const { place, value } of readCards(open)) {
      const card = probe.parse(value);
      gatherer.take(nameIn(value) ?? place, () => adaptCard(good(card), reading));
      if (gatherer.isFull) yield gatherer.handOn(done(pieces));
    }
  } catch (error) {
    if (!(error instanceof MalformedText || error instanceof MalformedJson)) throw error;
    throw notOurs(file, error.message);
  }
  probe.end();
  yield gatherer.handOn(done(pieces));
}

/** Parses cards, and tells a file that has none from one in which some are broken. */
class Probe {
  readonly #file: LocalFile;
  #firstFault: string | undefined;
  #faults = 0;
  #isOurs = false;

  constructor(file: LocalFile) {
    this.#file = file;
  }

  parse(value: unknown): RawCard | BadRecord {
    try {
      const card = parseCard(value instanceof BadRecord ? good(value) : value);
      this.#isOurs = true;
      return card;
    } catch (error) {
      if (!(error instanceof BadRecord)) throw error;
      this.#faults += 1;
      this.#firstFault ??= error.message;
      if (this.#faults >= PROBED) this.end();
      return error;
    }
  }

  /** @throws OperatorError when there was no card. */
  end(): void {
    if (!this.#isOurs) throw notOurs(this.#file, this.#firstFault ?? 'it holds no cards');
  }
}

function good<Value>(value: Value | BadRecord): Value {
  if (value instanceof BadRecord) throw value;
  return value;
}

/** What people recognise a card by, broken as it may be. */
function nameIn(value: unknown): string | undefined {
  const { name } = Object(value) as { name?: unknown };
  return typeof name === 'string' && name !== '' && !(value instanceof Error)
    ? name.slice(0, 100)
    : undefined;
}

function notOurs({ path }: LocalFile, fault: string): OperatorError {
  return new OperatorError(`${path} holds no answers of JustTCG: ${fault}.`);
}

function done({ bytesRead }: ByteChunks): number {
  return Math.ceil(bytesRead / KILOBYTE);
}
