import { addDays, dayOf, type Millis } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { GameSlug } from '../../domain/games.ts';
import type { FeedBatch, OpenFeed } from '../contract/feed.ts';
import { type ByteChunks, findFile, readChunks, recognise } from '../io/bytes.ts';
import type { LocalFile } from '../io/files.ts';
import {
  type JsonMember,
  MalformedJson,
  type MemberAction,
  readJsonMembers,
} from '../io/json-stream.ts';
import { Gatherer } from '../kit/feed-batcher.ts';
import { BadRecord } from '../kit/schema.ts';
import { ADAPTER_VERSION, adaptGuide, type Guide } from './adapt.ts';
import { CARDMARKET_GAMES, type CardmarketGame, gameOfFile } from './games.ts';
import { parseGuide, parseProduct, type RawGuide, type RawProduct } from './raw.ts';

const KILOBYTE = 1024;

/**
 * Opens a price guide of Cardmarket, perhaps packed with gzip. With its product list as the
 * further file `products` cards have names, and what is no single card is left out.
 *
 * @throws OperatorError when it cannot be read, does not tell its time, or its name not its game.
 */
export const openCardmarket: OpenFeed = async (location, options) => {
  const file = await findFile(location);
  const game = chooseGame(file, options.games);
  const { products } = options.files;
  const list = products === undefined ? undefined : await findFile(products);
  const observedAt = options.observedAt ?? (await createdAt(file, options.now));
  const besides = list ? [list] : [];
  return {
    source: 'cardmarket',
    observedAt,
    total: Math.ceil(file.size / KILOBYTE),
    unit: 'KB',
    file: await recognise(ADAPTER_VERSION, file, ...besides),
    async *batches() {
      const names = list ? await readNames(list) : null;
      yield* readBatches(file, { game, observedAt, names });
    },
  };
};

/** The game by the file's name, or else the only one that is wanted. */
function chooseGame({ name }: LocalFile, wanted: readonly GameSlug[] | null): CardmarketGame {
  const told = gameOfFile(name);
  const [only, ...others] = CARDMARKET_GAMES.filter(({ slug }) => wanted?.includes(slug));
  const game = told ?? (others.length === 0 ? only : undefined);
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

async function createdAt(file: LocalFile, now: Millis): Promise<Millis> {
  const text = await findCreatedAt(file);
  // `+0200` is how Cardmarket writes the zone; Date wants `+02:00`.
  const moment = Date.parse(text?.replace(/([+-]\d{2})(\d{2})$/, '$1:$2') ?? '');
  const isPossible = dayOf(moment) <= addDays(dayOf(now), 1);
  if (isPossible) return moment;
  const what = text === undefined ? 'it has no "createdAt"' : `"${text.slice(0, 40)}" is none`;
  throw new OperatorError(
    `${file.path} does not tell when its prices were observed (${what}). Say it: ` +
      '--observed YYYY-MM-DD.',
  );
}

async function findCreatedAt(file: LocalFile): Promise<string | undefined> {
  const choose = ([name]: readonly string[]) => (name === 'createdAt' ? 'take' : 'skip');
  for await (const { value } of membersOf(file, readChunks(file), choose, 'price guide')) {
    if (typeof value === 'string') return value;
  }
  return undefined;
}

/** @throws OperatorError when it is no product list. */
async function readNames(list: LocalFile): Promise<Map<number, string>> {
  const names = new Map<number, string>();
  let firstFault: string | undefined;
  const choose = (path: readonly string[]) => entriesOf('products', path);
  for await (const { value } of membersOf(list, readChunks(list), choose, 'product list')) {
    const product = orFault(() => parseProduct(value));
    if (typeof product === 'string') firstFault ??= product;
    else names.set(product.idProduct, product.name);
  }
  if (names.size > 0) return names;
  throw notOurs(list, 'product list', firstFault ?? 'it holds no "products"');
}

function orFault(parse: () => RawProduct): RawProduct | string {
  try {
    return parse();
  } catch (error) {
    if (error instanceof BadRecord) return error.message;
    throw error;
  }
}

async function* readBatches(file: LocalFile, guide: Guide): AsyncGenerator<FeedBatch> {
  const gatherer = new Gatherer();
  const pieces = readChunks(file);
  const choose = (path: readonly string[]) => entriesOf('priceGuides', path);
  let count = 0;
  for await (const { value } of membersOf(file, pieces, choose, 'price guide')) {
    count += 1;
    gatherer.take(nameIn(value) ?? `entry ${count}`, () => adaptGuide(parseEntry(value), guide));
    if (gatherer.isFull) yield gatherer.handOn(done(pieces));
  }
  if (count === 0) throw notOurs(file, 'price guide', 'it holds no "priceGuides"');
  yield gatherer.handOn(done(pieces));
}

function parseEntry(value: unknown): RawGuide {
  if (value instanceof BadRecord) throw value;
  return parseGuide(value);
}

/** Chooses the members of the array that a file has under a name. */
function entriesOf(list: string, [first, ...more]: readonly string[]): MemberAction {
  if (first !== list) return 'skip';
  return more.length === 0 ? 'enter' : 'take';
}

async function* membersOf(
  file: LocalFile,
  pieces: ByteChunks,
  choose: (path: readonly string[]) => MemberAction,
  what: string,
): AsyncGenerator<JsonMember> {
  try {
    for await (const members of readJsonMembers(pieces, choose)) yield* members;
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error;
    throw notOurs(file, what, error.message);
  }
}

function nameIn(value: unknown): string | undefined {
  const { idProduct } = Object(value) as { idProduct?: unknown };
  return typeof idProduct === 'number' ? `product ${idProduct}` : undefined;
}

function notOurs({ path }: LocalFile, what: string, fault: string): OperatorError {
  return new OperatorError(`${path} is no ${what} of Cardmarket: ${fault}.`);
}

function done({ bytesRead }: ByteChunks): number {
  return Math.ceil(bytesRead / KILOBYTE);
}
