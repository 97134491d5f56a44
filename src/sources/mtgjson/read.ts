import { type Millis, parseDay, startOfDay } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { FeedBatch, FeedOptions, OpenFeed } from '../contract/feed.ts';
import { type ByteChunks, findFile, kilobytes, readChunks, recognise } from '../io/bytes.ts';
import type { LocalFile } from '../io/files.ts';
import { type JsonMember, MalformedJson, readJsonMembers } from '../io/json-stream.ts';
import type { AdaptedRecord } from '../kit/feed-batcher.ts';
import { Gathering } from '../kit/gathering.ts';
import { requireMagic } from '../kit/magic-finishes.ts';
import { rejectFutureDay } from '../kit/observed-at.ts';
import { BadRecord } from '../kit/schema.ts';
import { ADAPTER_VERSION, adaptPrices, DayParser } from './adapt.ts';
import { IdentifierTable } from './identifiers.ts';
import { parseCard, parseMeta, parsePrices } from './raw.ts';

/** What the files are called at MTGJSON. */
const PRICES = 'AllPrices or AllPricesToday';
const IDENTIFIERS = 'AllIdentifiers';

/** Each has some hundred days of prices. */
const CARDS_AT_ONCE = 50;

/**
 * Opens MTGJSON's AllPrices or AllPricesToday, of whatever size, packed by gzip or not. Prices are
 * those of the days that the file names; it is as of the day in its `meta`. Which cards they are
 * of is told by AllIdentifiers, the further file `identifiers`.
 *
 * @throws OperatorError when one of the files is missing, or says no day.
 */
export const openMtgjson: OpenFeed = async (location, options) => {
  requireMagic('MTGJSON', options.games);
  const { prices, identifiers } = await findBoth(location, options);
  const observedAt = options.observedAt ?? (await momentOf(prices, options.now));
  return {
    source: 'mtgjson',
    observedAt,
    total: kilobytes(prices.size + identifiers.size),
    unit: 'KB',
    file: await recognise(ADAPTER_VERSION, prices, identifiers),
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

/** The day of a file; it may stand behind the prices. */
async function momentOf(file: LocalFile, now: Millis): Promise<Millis> {
  const meta = (path: readonly string[]) => (path[0] === 'meta' ? 'take' : 'skip');
  for await (const [member] of membersOf(file, PRICES, readChunks(file), meta)) {
    const day = dayOf(member);
    if (day === undefined) continue;
    rejectFutureDay(day, file.path, now);
    return startOfDay(day);
  }
  throw notWhat(file, PRICES, 'it has no meta.date');
}

function dayOf(member: JsonMember | undefined) {
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
  const add = (uuid: string, value: unknown) => {
    cards.add(uuid, valid(value, parseCard));
    return { items: [] };
  };
  let items = 0;
  const adapt = (uuid: string, value: unknown) => {
    const adapted = adaptPrices(cards.find(uuid), valid(value, parsePrices), days);
    items += adapted.items.length;
    return adapted;
  };
  yield* readData(identifiers, IDENTIFIERS, 0, add);
  yield* readData(prices, PRICES, identifiers.size, adapt);
  if (items === 0) throw notWhat(prices, PRICES, `no price is of a card in ${identifiers.path}`);
}

/** Reads the members of a file's `data`. */
async function* readData(
  file: LocalFile,
  what: string,
  bytesBefore: number,
  read: (uuid: string, value: unknown) => AdaptedRecord,
): AsyncGenerator<FeedBatch> {
  const gathering = new Gathering((fault) => notWhat(file, what, fault), CARDS_AT_ONCE);
  const pieces = readChunks(file);
  const handOn = () => gathering.handOn(kilobytes(bytesBefore + pieces.bytesRead));
  for await (const members of membersOf(file, what, pieces, ofData)) {
    for (const { path, value } of members) {
      const uuid = path[1] ?? '';
      gathering.take(uuid, () => read(uuid, value));
      if (gathering.isFull) yield handOn();
    }
  }
  gathering.end();
  yield handOn();
}

/** The members of `data` are taken, whatever else there is. */
function ofData(path: readonly string[]) {
  if (path[0] !== 'data') return 'skip';
  return path.length === 1 ? 'enter' : 'take';
}

function valid<Raw>(value: unknown, parse: (value: unknown) => Raw): Raw {
  if (value instanceof BadRecord) throw value;
  return parse(value);
}

async function* membersOf(
  file: LocalFile,
  what: string,
  pieces: ByteChunks,
  choose: Parameters<typeof readJsonMembers>[1],
): AsyncGenerator<readonly JsonMember[]> {
  try {
    yield* readJsonMembers(pieces, choose);
  } catch (error) {
    throw error instanceof MalformedJson ? notWhat(file, what, error.message) : error;
  }
}

function notWhat(file: LocalFile, what: string, fault: string): OperatorError {
  return new OperatorError(`${file.path} cannot be read as MTGJSON's ${what}: ${fault}.`);
}
