import { dayOf, type Millis } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { GameSlug } from '../../domain/games.ts';
import type { FeedBatch, OpenFeed } from '../contract/feed.ts';
import type { BrokenPart } from '../contract/files.ts';
import type { FeedSource, Remote, RemoteFile } from '../contract/source.ts';
import { type ByteChunks, findFile, kilobytes, type LocalFile, readChunks } from '../io/files.ts';
import { BadRecord, requireRecord } from '../io/json.ts';
import {
  type ChooseAction,
  type JsonMember,
  MalformedJson,
  type MemberAction,
  readJsonMembers,
} from '../io/json-stream.ts';
import { FeedBatcher, refusalFor } from '../kit/feed-batcher.ts';
import { describeSourceFile, isFutureDay } from '../kit/source-file.ts';
import {
  ADAPTER_VERSION,
  adaptGuide,
  CARDMARKET_GAMES,
  type CardmarketGame,
  type Guide,
  gameOfFile,
  parseGuide,
  parseProduct,
  type RawProduct,
} from './adapt.ts';

/**
 * Opens a price guide of Cardmarket, plain or packed by gzip. With the product list as the further
 * file `products`, cards have names, and products other than single cards are omitted.
 * @throws OperatorError if it cannot be read, or gives neither its game nor its moment.
 */
export const openCardmarket: OpenFeed = async (location, options) => {
  const file = await findFile(location);
  const game = chooseGame(file, options.games);
  const { products } = options.files;
  const list = products === undefined ? undefined : await findFile(products);
  const observedAt = options.observedAt ?? (await readCreatedAt(file, options.now));
  const further = list ? [list] : [];
  return {
    source: 'cardmarket',
    observedAt,
    total: kilobytes(file.size),
    unit: 'KB',
    file: await describeSourceFile(ADAPTER_VERSION, file, ...further),
    async *batches() {
      const products = list ? await readProducts(list) : undefined;
      const guide = { game, observedAt, names: products?.names ?? null };
      yield* readBatches(file, guide, products?.broken ?? []);
    },
  };
};

/** Returns the game in the file's name, otherwise the only wanted one. */
function chooseGame({ name }: LocalFile, wanted: readonly GameSlug[] | null): CardmarketGame {
  const [only, ...others] = CARDMARKET_GAMES.filter(({ slug }) => wanted?.includes(slug));
  const game = gameOfFile(name) ?? (others.length === 0 ? only : undefined);
  if (!game) {
    throw new OperatorError(
      `${name} does not show its game: keep the name that Cardmarket gives it, such as ` +
        'price_guide_1.json, or give the game with --game.',
    );
  }
  if (wanted && !wanted.includes(game.slug)) {
    throw new OperatorError(`${name} is a file of ${game.slug}, not of ${wanted.join(', ')}.`);
  }
  return game;
}

async function readCreatedAt(file: LocalFile, now: Millis): Promise<Millis> {
  const text = await findCreatedAt(file);
  // Cardmarket writes the zone as `+0200`; Date wants `+02:00`.
  const moment = Date.parse(text?.replace(/([+-]\d{2})(\d{2})$/, '$1:$2') ?? '');
  if (!Number.isNaN(moment) && !isFutureDay(dayOf(moment), now)) return moment;
  const what =
    text === undefined ? 'it has no "createdAt"' : `"${text.slice(0, 40)}" is not a moment`;
  throw new OperatorError(
    `${file.path} does not show when its prices were observed (${what}). Add ` +
      '--observed YYYY-MM-DD.',
  );
}

async function findCreatedAt(file: LocalFile): Promise<string | undefined> {
  const choose: ChooseAction = ([name]) => (name === 'createdAt' ? 'take' : 'skip');
  for await (const { value } of readMembers(file, readChunks(file), choose, 'price guide')) {
    if (typeof value === 'string') return value;
  }
  return undefined;
}

/** A product list: the names of all single cards by product id, and its unreadable parts. */
interface ProductList {
  readonly names: ReadonlyMap<number, string>;
  readonly broken: readonly BrokenPart[];
}

/** @throws OperatorError if the file is not a product list, or too many entries are bad. */
async function readProducts(list: LocalFile): Promise<ProductList> {
  const names = new Map<number, string>();
  const broken: BrokenPart[] = [];
  const choose: ChooseAction = (path) => chooseEntries('products', path);
  for await (const { path, value } of readMembers(list, readChunks(list), choose, 'product list')) {
    const product = parseOrFault(value);
    const name = `${list.name}, entry ${Number(path[1]) + 1}`;
    if (typeof product === 'string') broken.push({ name, reason: product });
    else names.set(product.idProduct, product.name);
  }
  const [first] = broken;
  if (names.size === 0) {
    throw notCardmarkets(list, 'product list', first?.reason ?? 'it has no "products"');
  }
  const refusal = refusalFor(broken.length, names.size + broken.length, first);
  if (refusal !== undefined) throw notCardmarkets(list, 'product list', refusal);
  return { names, broken };
}

function parseOrFault(value: unknown): RawProduct | string {
  try {
    return parseProduct(requireRecord(value));
  } catch (error) {
    if (error instanceof BadRecord) return error.message;
    throw error;
  }
}

async function* readBatches(
  file: LocalFile,
  guide: Guide,
  broken: readonly BrokenPart[],
): AsyncGenerator<FeedBatch> {
  const batcher = new FeedBatcher();
  for (const { name, reason } of broken) batcher.addBroken(name, reason);
  const chunks = readChunks(file);
  const choose: ChooseAction = (path) => chooseEntries('priceGuides', path);
  let count = 0;
  for await (const { value } of readMembers(file, chunks, choose, 'price guide')) {
    count += 1;
    const name = productLabel(value) ?? `entry ${count}`;
    batcher.add(name, () => adaptGuide(parseGuide(requireRecord(value)), guide));
    if (batcher.isFull) yield batcher.flush(kilobytes(chunks.bytesRead));
  }
  if (count === 0) throw notCardmarkets(file, 'price guide', 'it has no "priceGuides"');
  yield batcher.end(file.path, kilobytes(chunks.bytesRead));
}

/** Takes the members of the array with this name. */
function chooseEntries(list: string, [first, ...more]: readonly string[]): MemberAction {
  if (first !== list) return 'skip';
  return more.length === 0 ? 'enter' : 'take';
}

async function* readMembers(
  file: LocalFile,
  chunks: ByteChunks,
  choose: ChooseAction,
  what: string,
): AsyncGenerator<JsonMember> {
  try {
    for await (const members of readJsonMembers(chunks, choose)) yield* members;
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error;
    throw notCardmarkets(file, what, error.message);
  }
}

function productLabel(value: unknown): string | undefined {
  const { idProduct } = Object(value) as { idProduct?: unknown };
  return typeof idProduct === 'number' ? `product ${idProduct}` : undefined;
}

function notCardmarkets({ path }: LocalFile, what: string, fault: string): OperatorError {
  return new OperatorError(`${path} is not a ${what} of Cardmarket: ${fault}.`);
}

const MEGABYTE = 1024 * 1024;

/** Magic, whose product ids Scryfall provides. Files of other games are imported by hand. */
const GAME = 1;

/** Cardmarket creates the files once a day. */
export const CARDMARKET_REMOTE: Remote = {
  base: 'https://downloads.s3.cardmarket.com/productCatalog',
  pauseMs: 100,
  content: {
    kind: 'files',
    main: file('priceGuide', `price_guide_${GAME}.json`),
    further: { products: file('productList', `products_singles_${GAME}.json`) },
  },
};

function file(folder: string, name: string): RemoteFile {
  return { path: `${folder}/${name}`, saveAs: name, maxBytes: 500 * MEGABYTE, gzip: true };
}

export const CARDMARKET: FeedSource = {
  name: 'cardmarket',
  summary: "Cardmarket's price guides, in euros.",
  takes: 'A price guide under the name that Cardmarket gives it, price_guide_1.json.',
  files: { products: 'The list of single cards, products_singles_1.json, which has names.' },
  example: 'price_guide_1.json --products products_singles_1.json',
  open: openCardmarket,
  remote: CARDMARKET_REMOTE,
};
