import type { Logger } from 'pino';
import { Agent, cacheStores, type Dispatcher, interceptors, request } from 'undici';
import { ApiError } from '../domain/errors.ts';
import { connectInPublic } from '../lib/public-addresses.ts';
import { createQueue } from '../lib/queue.ts';
import { PICTURE_TYPES, typeOfPicture } from './picture-types.ts';

/** A picture as the browser gets it. */
export interface Picture {
  /** A media type of {@link PICTURE_TYPES}. */
  readonly type: string;
  readonly bytes: Buffer;
}

/** Reads pictures of cards from the servers of the sources. */
export interface PictureReader {
  /**
   * The picture at an address; undefined when there is none or it cannot be fetched. It takes at
   * most {@link TIMEOUT_MS}.
   *
   * @throws ApiError when too many others wait.
   */
  read(address: string): Promise<Picture | undefined>;
}

export interface PictureOptions {
  readonly userAgent: string;
  readonly logger: Logger;
  /** Whether an address may be fetched; {@link isPictureAddress} by default. */
  readonly isAllowed?: (address: URL) => boolean;
  /** The origins that may be in a private network; none by default. */
  readonly trustedOrigins?: readonly string[];
}

/** Where the sources have their pictures. Nothing else is fetched, whatever a catalogue names. */
const ALLOWED_PREFIXES = [
  'https://tcgplayer-cdn.tcgplayer.com/',
  'https://cards.scryfall.io/',
  'https://images.pokemontcg.io/',
  'https://images.ygoprodeck.com/',
  'https://cards.lorcast.io/',
  'https://cdn.swu-db.com/',
  'https://en.onepiece-cardgame.com/',
  // Flesh and Blood: a folder of a shared host, and two hosts of its publisher.
  'https://storage.googleapis.com/fabmaster/',
  'https://d2wlb52bya4y8z.cloudfront.net/',
  'https://dhhim4ltzu1pj.cloudfront.net/',
];

const MEGABYTE = 1024 * 1024;
/** The most bytes of one picture, and of all in the cache. */
const MAX_PICTURE_BYTES = 2 * MEGABYTE;
const MAX_CACHE_BYTES = 32 * MEGABYTE;
/** How long a picture is cached whose server gives no lifetime. */
const DEFAULT_LIFETIME_SECONDS = 86_400;
/** Milliseconds after which a picture is given up, those of waiting for others included. */
const TIMEOUT_MS = 5000;
/** How many are fetched at the same time, … */
const MAX_CONCURRENT = 8;
/** … how many more wait, and the seconds after which one that may not wait is asked for again. */
const MAX_WAITING = 56;
const RETRY_AFTER = 5;

/** Whether pictures are fetched from an address. */
export function isPictureAddress({ href }: URL): boolean {
  return ALLOWED_PREFIXES.some((prefix) => href.startsWith(prefix));
}

/**
 * Fetches pictures for browsers, so that they ask no server but this one (docs/adr/0012), and
 * caches them as their servers allow. It follows no redirect.
 */
export class Pictures implements PictureReader {
  readonly #options: PictureOptions;
  readonly #dispatcher: Dispatcher;
  readonly #limit = createQueue('picture', MAX_CONCURRENT);

  constructor(options: PictureOptions) {
    this.#options = options;
    const store = new cacheStores.MemoryCacheStore({
      maxSize: MAX_CACHE_BYTES,
      maxEntrySize: MAX_PICTURE_BYTES,
    });
    const cache = interceptors.cache({
      store,
      methods: ['GET'],
      cacheByDefault: DEFAULT_LIFETIME_SECONDS,
    });
    const { trustedOrigins = [] } = options;
    const agent = new Agent({
      maxResponseSize: MAX_PICTURE_BYTES,
      connect: connectInPublic((origin) => trustedOrigins.includes(origin)),
    });
    this.#dispatcher = agent.compose(cache);
  }

  async read(address: string): Promise<Picture | undefined> {
    const { isAllowed = isPictureAddress, logger } = this.#options;
    if (!URL.canParse(address)) return undefined;
    const url = new URL(address);
    if (!isAllowed(url)) return undefined;
    if (this.#limit.pendingCount >= MAX_WAITING) throw tooManyPictures();
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      // The inner bound frees the place of a fetch that hangs, the outer one ends the waiting.
      return await before(
        signal,
        this.#limit(() => before(signal, this.#fetch(url, signal))),
      );
    } catch (err) {
      logger.debug({ err, address: url.href }, 'a picture could not be fetched');
      return undefined;
    }
  }

  async #fetch(url: URL, signal: AbortSignal): Promise<Picture> {
    signal.throwIfAborted();
    const { statusCode, headers, body } = await request(url, {
      dispatcher: this.#dispatcher,
      headers: { accept: PICTURE_TYPES.join(', '), 'user-agent': this.#options.userAgent },
      signal,
    });
    const named = mediaType(headers['content-type']);
    if (statusCode === 200 && PICTURE_TYPES.some((type) => type === named)) {
      return pictureOf(Buffer.from(await body.bytes()));
    }
    // Nobody reads the body any more, so its errors do not matter.
    body.on('error', () => {}).destroy();
    throw new Error(`the server answered ${statusCode} and ${named}`);
  }
}

/** A picture of the type that it has, which may be another than its server says. */
function pictureOf(bytes: Buffer): Picture {
  const type = typeOfPicture(bytes);
  if (!type) throw new Error('the server sent something else under the type of a picture');
  return { type, bytes };
}

/** The result of some work, or a failure as soon as the signal is given. */
async function before<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const settled = new AbortController();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(signal.reason);
  signal.addEventListener('abort', giveUp, { once: true, signal: settled.signal });
  try {
    return await Promise.race([work, late]);
  } finally {
    settled.abort();
  }
}

function tooManyPictures(): ApiError {
  const message = 'Too many pictures are being fetched. Ask again in some seconds.';
  return new ApiError('TOO_MANY_ATTEMPTS', message, { retryAfter: RETRY_AFTER });
}

function mediaType(header: string | string[] | undefined): string | undefined {
  return String(header).split(';', 1)[0]?.trim().toLowerCase();
}
