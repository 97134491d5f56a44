import { type Day, type Millis, parseDay, startOfDay } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import { languageCalled } from '../../domain/languages.ts';
import type { FeedBatch, FeedOptions, OpenFeed } from '../contract/feed.ts';
import type { FeedSource, Remote, RemoteFile } from '../contract/source.ts';
import { type ByteChunks, findFile, kilobytes, type LocalFile, readChunks } from '../io/files.ts';
import { BadRecord, requireRecord } from '../io/json.ts';
import {
  type ChooseAction,
  type JsonMember,
  MalformedJson,
  readJsonMembers,
} from '../io/json-stream.ts';
import { type AdaptedRecord, FeedBatcher } from '../kit/feed-batcher.ts';
import { requireGames } from '../kit/games.ts';
import { type MagicCard, magicName, magicRarity } from '../kit/magic-finishes.ts';
import { describeSourceFile, rejectFutureDay } from '../kit/source-file.ts';
import {
  ADAPTER_VERSION,
  adaptPrices,
  DayParser,
  type IdentifiedCard,
  parseCard,
  parseMeta,
  parsePrices,
  type RawCard,
} from './adapt.ts';
import { adaptProduct, parseProduct } from './products.ts';

/** MTGJSON's names for the files. */
const PRICES = 'AllPrices or AllPricesToday';
const IDENTIFIERS = 'AllIdentifiers';
const PRODUCTS = 'SetList or AllPrintings';

/** Each card has some hundred prices. */
const CARDS_PER_BATCH = 50;

/**
 * Opens MTGJSON's AllPrices or AllPricesToday, of any size, plain or packed by gzip. Every price
 * has the day that the file gives; the feed has the day in its `meta`. The further file
 * `identifiers`, AllIdentifiers, provides the cards of the prices; `products`, SetList or
 * AllPrintings, provides the contents of sealed products.
 *
 * @throws OperatorError if one of the files is missing, or contains no day.
 */
export const openMtgjson: OpenFeed = async (location, options) => {
  requireGames({ name: 'MTGJSON', games: ['mtg'] }, options.games);
  const found = await findAll(location, options);
  const { prices, identifiers, products } = found;
  const sizes = [prices, identifiers, ...products].map(({ size }) => size);
  const observedAt = options.observedAt ?? (await readObservedAt(prices, options.now));
  return {
    source: 'mtgjson',
    observedAt,
    total: kilobytes(sizes.reduce((sum, size) => sum + size, 0)),
    unit: 'KB',
    file: await describeSourceFile(ADAPTER_VERSION, prices, identifiers, ...products),
    batches: () => readBatches(found, options.now),
  };
};

interface Files {
  readonly prices: LocalFile;
  readonly identifiers: LocalFile;
  /** One file, or none. */
  readonly products: readonly LocalFile[];
}

async function findAll(location: string, { files }: FeedOptions): Promise<Files> {
  if (files.identifiers === undefined) {
    throw new OperatorError(
      "MTGJSON's prices have only its own card ids. Also pass its AllIdentifiers: " +
        '--identifiers AllIdentifiers.json.gz',
    );
  }
  return {
    prices: await findFile(location),
    identifiers: await findFile(files.identifiers),
    products: files.products === undefined ? [] : [await findFile(files.products)],
  };
}

/** Reads the day of a file, which may come after the prices. */
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
  { prices, identifiers, products }: Files,
  now: Millis,
): AsyncGenerator<FeedBatch> {
  const cards = new IdentifierTable();
  const days = new DayParser(now);
  const addIdentifiers = ([, uuid = '']: readonly string[], value: unknown) => {
    const raw = parseCard(requireRecord(value));
    cards.add(uuid, raw);
    return { items: [], translations: translationsOf(cards.find(uuid), raw) };
  };
  let items = 0;
  const adapt = ([, uuid = '']: readonly string[], value: unknown) => {
    const adapted = adaptPrices(cards.find(uuid), parsePrices(requireRecord(value)), days);
    items += adapted.items.length;
    return adapted;
  };
  let before = 0;
  yield* readData(identifiers, { what: IDENTIFIERS, before, choose: chooseData }, addIdentifiers);
  before += identifiers.size;
  for (const file of products) {
    yield* readProducts(file, before, cards);
    before += file.size;
  }
  yield* readData(prices, { what: PRICES, before, choose: chooseData }, adapt);
  if (items === 0) throw unreadable(prices, PRICES, `no price is of a card in ${identifiers.path}`);
}

/** Returns the names of a card in other languages. Names of several faces are joined by ` // `. */
function translationsOf(card: IdentifiedCard | 'other face' | undefined, raw: RawCard) {
  if (card === undefined || card === 'other face' || !raw.foreignData) return [];
  const reference = {
    ...card.reference,
    game: 'mtg',
    variant: null,
    printings: null,
  } as const;
  return raw.foreignData.flatMap(({ language: called, name }) => {
    const language = languageCalled(called);
    return language && name ? [{ card: reference, language, name }] : [];
  });
}

/** Reads the contents of products, which may include products further down in the file. */
async function* readProducts(
  file: LocalFile,
  before: number,
  cards: IdentifierTable,
): AsyncGenerator<FeedBatch> {
  const ids = new Map<string, string>();
  const tcgplayerIdOf = (uuid: string) => {
    const card = cards.find(uuid);
    const isCard = card !== undefined && card !== 'other face';
    return isCard ? card.reference.externalIds.tcgplayer : ids.get(uuid);
  };
  const chunks = readChunks(file);
  for await (const members of readMembers(file, PRODUCTS, chunks, chooseProducts)) {
    for (const { value } of members) noteProductId(ids, value);
  }
  yield* readData(file, { what: PRODUCTS, before, choose: chooseProducts }, (_, value) => {
    return adaptProduct(parseProduct(value), tcgplayerIdOf);
  });
}

/** Notes TCGplayer's id of a product. The next reading reports malformed ones. */
function noteProductId(ids: Map<string, string>, value: unknown): void {
  try {
    const { uuid, identifiers } = parseProduct(value);
    if (identifiers.tcgplayerProductId) ids.set(uuid, identifiers.tcgplayerProductId);
  } catch (error) {
    if (!(error instanceof BadRecord)) throw error;
  }
}

/** Takes the products of all sets: the members of `sealedProduct`. */
function chooseProducts(path: readonly string[]) {
  const [first, , list] = path;
  if (first !== 'data' || (list !== undefined && list !== 'sealedProduct')) return 'skip';
  return path.length < 4 ? 'enter' : 'take';
}

interface Reading {
  /** The expected kind of file. */
  readonly what: string;
  /** The number of bytes already read from other files. */
  readonly before: number;
  /** Takes the records. */
  readonly choose: ChooseAction;
}

/** Reads the records of a file. */
async function* readData(
  file: LocalFile,
  { what, before, choose }: Reading,
  adapt: (path: readonly string[], value: unknown) => AdaptedRecord,
): AsyncGenerator<FeedBatch> {
  const batcher = new FeedBatcher({
    recordsPerBatch: CARDS_PER_BATCH,
    forgetsIds: true,
    unreadable: (reason) => unreadable(file, what, reason),
  });
  const chunks = readChunks(file);
  const flush = () => batcher.flush(kilobytes(before + chunks.bytesRead));
  for await (const members of readMembers(file, what, chunks, choose)) {
    for (const { path, value } of members) {
      batcher.add(nameOf(path, value), () => adapt(path, value));
      if (batcher.isFull) yield flush();
    }
  }
  batcher.requireAnyRecord();
  yield batcher.end(file.path, kilobytes(before + chunks.bytesRead));
}

/** The name of a record in reports: MTGJSON's id of the card, or the name of the product. */
function nameOf([, uuid = '', ...list]: readonly string[], value: unknown): string {
  if (list.length === 0) return uuid;
  const { name } = Object(value) as { readonly name?: unknown };
  return typeof name === 'string' ? name : `product ${list.at(-1)} of ${uuid}`;
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

/**
 * The cards for MTGJSON's ids. There are more than a hundred thousand. Each is packed as text into
 * a few large buffers, which costs less memory and no garbage collection.
 */
export class IdentifierTable {
  readonly #texts = new PackedTexts();
  readonly #offsets = new Map<string, number>();

  /** Adds a card. If a card has several faces, only the first counts. */
  add(uuid: string, raw: RawCard): void {
    this.#offsets.set(uuid, this.#texts.add(isFirstFace(raw) ? pack(raw) : OTHER_FACE));
  }

  find(uuid: string): IdentifiedCard | 'other face' | undefined {
    const offset = this.#offsets.get(uuid);
    if (offset === undefined) return undefined;
    const packed = this.#texts.at(offset);
    return packed === OTHER_FACE ? 'other face' : unpack(uuid, packed);
  }
}

const BLOCK_BYTES = 1024 * 1024;
const LENGTH_BYTES = 4;

/** Texts with their lengths, one after the other in blocks of memory. */
class PackedTexts {
  readonly #blocks: Buffer[] = [];
  #end = 0;

  /** Stores a text of less than a block; returns its offset. */
  add(text: string): number {
    const bytes = Buffer.byteLength(text);
    const needed = LENGTH_BYTES + bytes;
    const left = this.#blocks.length * BLOCK_BYTES - this.#end;
    if (needed > left) this.#end += left;
    const offset = this.#end;
    const block = this.#blockOf(offset);
    const start = offset % BLOCK_BYTES;
    block.writeUInt32LE(bytes, start);
    block.write(text, start + LENGTH_BYTES);
    this.#end += needed;
    return offset;
  }

  at(offset: number): string {
    const block = this.#blockOf(offset);
    const start = (offset % BLOCK_BYTES) + LENGTH_BYTES;
    return block.toString('utf8', start, start + block.readUInt32LE(start - LENGTH_BYTES));
  }

  #blockOf(offset: number): Buffer {
    const index = Math.floor(offset / BLOCK_BYTES);
    const known = this.#blocks[index];
    if (known) return known;
    const block = Buffer.allocUnsafe(BLOCK_BYTES);
    this.#blocks.push(block);
    return block;
  }
}

const OTHER_FACE = '';

function isFirstFace({ side }: RawCard): boolean {
  return !side || side === 'a';
}

/** Separates the fields of a card; no field contains it. */
const SEPARATOR = '\u001f';

function pack({ number, setCode, rarity, finishes, identifiers, ...raw }: RawCard): string {
  return [
    magicName(raw.name, raw.isOversized),
    number,
    setCode,
    rarity ?? '',
    finishes.join(' '),
    identifiers.tcgplayerProductId ?? '',
    identifiers.tcgplayerEtchedProductId ?? '',
    identifiers.tcgplayerAlternativeFoilProductId ? 'other foil' : '',
    identifiers.scryfallId ?? '',
    identifiers.mcmId ?? '',
  ].join(SEPARATOR);
}

function unpack(uuid: string, packed: string): IdentifiedCard {
  const [name = '', number = '', setCode = '', rarity = '', ...rest] = packed.split(SEPARATOR);
  const [finishes = '', tcgplayer = '', etchedId = '', otherFoil = '', ...others] = rest;
  const [scryfall = '', cardmarket = ''] = others;
  const ids = Object.entries({ tcgplayer, scryfall, cardmarket }).filter(([, id]) => id !== '');
  const reference: MagicCard['reference'] = {
    externalId: uuid,
    name,
    number,
    setCode,
    setName: null,
    rarity: rarity === '' ? null : magicRarity(rarity),
    externalIds: Object.fromEntries(ids),
    image: null,
    releaseDate: null,
  };
  return {
    reference,
    finishes: finishes === '' ? [] : finishes.split(' '),
    etchedId: etchedId || null,
    hasOtherFoil: otherFoil !== '',
  };
}

const GIGABYTE = 1024 * 1024 * 1024;

/** The prices of today. AllPrices, with the last 90 days, is imported by hand. */
export const MTGJSON_REMOTE: Remote = {
  base: 'https://mtgjson.com/api/v5',
  pauseMs: 100,
  content: {
    kind: 'files',
    main: packed('AllPricesToday.json'),
    further: { identifiers: packed('AllIdentifiers.json'), products: packed('SetList.json') },
  },
};

function packed(name: string): RemoteFile {
  return { path: `${name}.gz`, saveAs: name, maxBytes: 2 * GIGABYTE, gzip: true };
}

export const MTGJSON: FeedSource = {
  name: 'mtgjson',
  summary: 'Prices of Magic at three markets, of today or of 90 days.',
  takes: 'AllPrices.json or AllPricesToday.json, plain or packed with gzip.',
  files: {
    identifiers:
      "MTGJSON's AllIdentifiers.json, which identifies the cards and has their names in other languages.",
    products: "MTGJSON's SetList.json or AllPrintings.json, which say what is in sealed products.",
  },
  example: 'AllPricesToday.json.gz --identifiers AllIdentifiers.json.gz',
  open: openMtgjson,
  remote: MTGJSON_REMOTE,
};
