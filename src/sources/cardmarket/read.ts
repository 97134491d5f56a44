import { dayOf, type Millis } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { GameSlug } from '../../domain/games.ts';
import type { FeedBatch, OpenFeed } from '../contract/feed.ts';
import { BadRecord, requireRecord } from '../io/bad-record.ts';
import { type ByteChunks, kilobytes, readChunks } from '../io/bytes.ts';
import { findFile, type LocalFile } from '../io/files.ts';
import {
  type ChooseAction,
  type JsonMember,
  MalformedJson,
  type MemberAction,
  readJsonMembers,
} from '../io/json-stream.ts';
import { FeedBatcher } from '../kit/feed-batcher.ts';
import { isFutureDay } from '../kit/observed-at.ts';
import { describeSourceFile } from '../kit/source-file.ts';
import { ADAPTER_VERSION, adaptGuide, type Guide } from './adapt.ts';
import { CARDMARKET_GAMES, type CardmarketGame, gameOfFile } from './games.ts';
import { parseGuide, parseProduct, type RawProduct } from './raw.ts';

/**
 * Opens a price guide of Cardmarket, plain or packed by gzip. With the product list as the further
 * file `products`, cards have names, and products that are no single cards are left out.
 *
 * @throws OperatorError when it cannot be read, or gives neither its game nor its moment.
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
      const names = list ? await readNames(list) : null;
      yield* readBatches(file, { game, observedAt, names });
    },
  };
};

/** Returns the game in the file's name, or else the only wanted one. */
function chooseGame({ name }: LocalFile, wanted: readonly GameSlug[] | null): CardmarketGame {
  const [only, ...others] = CARDMARKET_GAMES.filter(({ slug }) => wanted?.includes(slug));
  const game = gameOfFile(name) ?? (others.length === 0 ? only : undefined);
  if (!game) {
    throw new OperatorError(
      `${name} does not tell its game: keep the name that Cardmarket gives it, such as ` +
        'price_guide_1.json, or say the game with --game.',
    );
  }
  if (wanted && !wanted.includes(game.slug)) {
    throw new OperatorError(`${name} is of ${game.slug}, not of ${wanted.join(', ')}.`);
  }
  return game;
}

async function readCreatedAt(file: LocalFile, now: Millis): Promise<Millis> {
  const text = await findCreatedAt(file);
  // Cardmarket writes the zone as `+0200`; Date wants `+02:00`.
  const moment = Date.parse(text?.replace(/([+-]\d{2})(\d{2})$/, '$1:$2') ?? '');
  if (!Number.isNaN(moment) && !isFutureDay(dayOf(moment), now)) return moment;
  const what = text === undefined ? 'it has no "createdAt"' : `"${text.slice(0, 40)}" is none`;
  throw new OperatorError(
    `${file.path} does not tell when its prices were observed (${what}). Say it: ` +
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

/**
 * Returns the names of all single cards by product id.
 *
 * @throws OperatorError when the file is no product list.
 */
async function readNames(list: LocalFile): Promise<Map<number, string>> {
  const names = new Map<number, string>();
  let firstFault: string | undefined;
  const choose: ChooseAction = (path) => chooseEntries('products', path);
  for await (const { value } of readMembers(list, readChunks(list), choose, 'product list')) {
    const product = parseOrFault(value);
    if (typeof product === 'string') firstFault ??= product;
    else names.set(product.idProduct, product.name);
  }
  if (names.size > 0) return names;
  throw notCardmarkets(list, 'product list', firstFault ?? 'it holds no "products"');
}

function parseOrFault(value: unknown): RawProduct | string {
  try {
    return parseProduct(value);
  } catch (error) {
    if (error instanceof BadRecord) return error.message;
    throw error;
  }
}

async function* readBatches(file: LocalFile, guide: Guide): AsyncGenerator<FeedBatch> {
  const batcher = new FeedBatcher();
  const chunks = readChunks(file);
  const choose: ChooseAction = (path) => chooseEntries('priceGuides', path);
  let count = 0;
  for await (const { value } of readMembers(file, chunks, choose, 'price guide')) {
    count += 1;
    const name = productLabel(value) ?? `entry ${count}`;
    batcher.add(name, () => adaptGuide(parseGuide(requireRecord(value)), guide));
    if (batcher.isFull) yield batcher.flush(kilobytes(chunks.bytesRead));
  }
  if (count === 0) throw notCardmarkets(file, 'price guide', 'it holds no "priceGuides"');
  yield batcher.flush(kilobytes(chunks.bytesRead));
}

/** Takes the members of the array that a file has under a name. */
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
  return new OperatorError(`${path} is no ${what} of Cardmarket: ${fault}.`);
}
