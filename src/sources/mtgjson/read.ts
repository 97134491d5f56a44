import { type Day, type Millis, parseDay, startOfDay } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { FeedBatch, FeedOptions, OpenFeed } from '../contract/feed.ts';
import { BadRecord, requireRecord } from '../io/bad-record.ts';
import { type ByteChunks, kilobytes, readChunks } from '../io/bytes.ts';
import { findFile, type LocalFile } from '../io/files.ts';
import {
  type ChooseAction,
  type JsonMember,
  MalformedJson,
  readJsonMembers,
} from '../io/json-stream.ts';
import { type AdaptedRecord, FeedBatcher } from '../kit/feed-batcher.ts';
import { requireGame } from '../kit/games.ts';
import { rejectFutureDay } from '../kit/observed-at.ts';
import { describeSourceFile } from '../kit/source-file.ts';
import { ADAPTER_VERSION, adaptPrices, DayParser } from './adapt.ts';
import { IdentifierTable } from './identifiers.ts';
import { parseCard, parseMeta, parsePrices } from './raw.ts';

/** MTGJSON's names of the files. */
const PRICES = 'AllPrices or AllPricesToday';
const IDENTIFIERS = 'AllIdentifiers';

/** Each card has some hundred prices. */
const CARDS_PER_BATCH = 50;

/**
 * Opens MTGJSON's AllPrices or AllPricesToday, of any size, plain or packed by gzip. Every price
 * is of the day that the file gives; the feed is as of the day in its `meta`. The further file
 * `identifiers`, AllIdentifiers, gives the cards of the prices.
 *
 * @throws OperatorError when one of the files is missing, or gives no day.
 */
export const openMtgjson: OpenFeed = async (location, options) => {
  requireGame({ name: 'MTGJSON', game: 'mtg' }, options.games);
  const { prices, identifiers } = await findBoth(location, options);
  const observedAt = options.observedAt ?? (await readObservedAt(prices, options.now));
  return {
    source: 'mtgjson',
    observedAt,
    total: kilobytes(prices.size + identifiers.size),
    unit: 'KB',
    file: await describeSourceFile(ADAPTER_VERSION, prices, identifiers),
    batches: () => readBatches(prices, identifiers, options.now),
  };
};

async function findBoth(location: string, { files }: FeedOptions) {
  if (files.identifiers === undefined) {
    throw new OperatorError(
      "MTGJSON's prices name cards by ids of its own. Give its AllIdentifiers, too: " +
        '--identifiers AllIdentifiers.json.gz',
    );
  }
  return {
    prices: await findFile(location),
    identifiers: await findFile(files.identifiers),
  };
}

/** Reads the day of a file, which may stand behind the prices. */
async function readObservedAt(file: LocalFile, now: Millis): Promise<Millis> {
  const chooseMeta: ChooseAction = ([name]) => (name === 'meta' ? 'take' : 'skip');
  for await (const [member] of readMembers(file, PRICES, readChunks(file), chooseMeta)) {
    const day = dayOfMeta(member);
    if (day === undefined) continue;
    rejectFutureDay(day, file.path, now);
    return startOfDay(day);
  }
  throw unreadable(file, PRICES, 'it has no meta.date');
}

function dayOfMeta(member: JsonMember | undefined): Day | undefined {
  try {
    return parseDay(parseMeta(member?.value).date);
  } catch (error) {
    if (error instanceof BadRecord) return undefined;
    throw error;
  }
}

async function* readBatches(
  prices: LocalFile,
  identifiers: LocalFile,
  now: Millis,
): AsyncGenerator<FeedBatch> {
  const cards = new IdentifierTable();
  const days = new DayParser(now);
  const addIdentifiers = (uuid: string, value: unknown) => {
    cards.add(uuid, parseCard(requireRecord(value)));
    return { items: [] };
  };
  let items = 0;
  const adapt = (uuid: string, value: unknown) => {
    const adapted = adaptPrices(cards.find(uuid), parsePrices(requireRecord(value)), days);
    items += adapted.items.length;
    return adapted;
  };
  yield* readData(identifiers, IDENTIFIERS, 0, addIdentifiers);
  yield* readData(prices, PRICES, identifiers.size, adapt);
  if (items === 0) throw unreadable(prices, PRICES, `no price is of a card in ${identifiers.path}`);
}

/** Reads the members of a file's `data`. */
async function* readData(
  file: LocalFile,
  what: string,
  bytesBefore: number,
  adapt: (uuid: string, value: unknown) => AdaptedRecord,
): AsyncGenerator<FeedBatch> {
  const batcher = new FeedBatcher({
    recordsPerBatch: CARDS_PER_BATCH,
    forgetsIds: true,
    unreadable: (reason) => unreadable(file, what, reason),
  });
  const chunks = readChunks(file);
  const flush = () => batcher.flush(kilobytes(bytesBefore + chunks.bytesRead));
  for await (const members of readMembers(file, what, chunks, chooseData)) {
    for (const { path, value } of members) {
      const uuid = path[1] ?? '';
      batcher.add(uuid, () => adapt(uuid, value));
      if (batcher.isFull) yield flush();
    }
  }
  batcher.requireAnyRecord();
  yield batcher.end(file.path, kilobytes(bytesBefore + chunks.bytesRead));
}

/** Takes the members of `data`, and skips everything else. */
function chooseData(path: readonly string[]) {
  if (path[0] !== 'data') return 'skip';
  return path.length === 1 ? 'enter' : 'take';
}

async function* readMembers(
  file: LocalFile,
  what: string,
  chunks: ByteChunks,
  choose: ChooseAction,
): AsyncGenerator<readonly JsonMember[]> {
  try {
    yield* readJsonMembers(chunks, choose);
  } catch (error) {
    throw error instanceof MalformedJson ? unreadable(file, what, error.message) : error;
  }
}

function unreadable(file: LocalFile, what: string, fault: string): OperatorError {
  return new OperatorError(`${file.path} cannot be read as MTGJSON's ${what}: ${fault}.`);
}
