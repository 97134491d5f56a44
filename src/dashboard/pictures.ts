import type { Logger } from 'pino';
import { Agent, cacheStores, type Dispatcher, interceptors, request } from 'undici';
import { Semaphore } from '../lib/semaphore.ts';

/** A picture as it is sent on. */
export interface Picture {
  /** A media type of {@link TYPES}. */
  readonly type: string;
  readonly bytes: Buffer;
}

/** What reads pictures of cards from where the sources have them. */
export interface PictureReader {
  /** The picture at an address; undefined when there is none, or it cannot be had. */
  read(address: string): Promise<Picture | undefined>;
}

export interface PictureOptions {
  readonly userAgent: string;
  readonly logger: Logger;
  /** Whether an address may be asked; {@link isPictureAddress} unless told. */
  readonly isAllowed?: (address: URL) => boolean;
}

/** Where the sources say that pictures are. Nothing else is asked, whatever a catalogue says. */
const PLACES = [
  'https://tcgplayer-cdn.tcgplayer.com/',
  'https://cards.scryfall.io/',
  'https://images.pokemontcg.io/',
  'https://images.ygoprodeck.com/',
  'https://cards.lorcast.io/',
  'https://cdn.swu-db.com/',
  'https://en.onepiece-cardgame.com/',
  // Flesh and Blood: a folder at a host that is everybody's, and two hosts of its publisher.
  'https://storage.googleapis.com/fabmaster/',
  'https://d2wlb52bya4y8z.cloudfront.net/',
  'https://dhhim4ltzu1pj.cloudfront.net/',
];

/** What browsers show as a picture and never run: no SVG. */
const TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif'];

const MEGABYTE = 1024 * 1024;
/** Bytes of one picture, and of all that are kept in memory. */
const LARGEST = 2 * MEGABYTE;
const KEPT = 32 * MEGABYTE;
/** Seconds that a picture is kept of which its server does not say how long it may be. */
const KEPT_SECONDS = 86_400;
/** Milliseconds until a picture must be there as a whole. */
const PATIENCE = 5000;
/** How many are asked for at the same moment; others wait. */
const AT_ONCE = 8;

/** Whether pictures are fetched from an address. */
export function isPictureAddress({ href }: URL): boolean {
  return PLACES.some((place) => href.startsWith(place));
}

/**
 * Fetches pictures for browsers, which ask nobody but us (docs/adr/0012), and keeps them for a
 * while. A redirect is not followed.
 */
export class Pictures implements PictureReader {
  readonly #options: PictureOptions;
  readonly #dispatcher: Dispatcher;
  readonly #turns = new Semaphore(AT_ONCE);

  constructor(options: PictureOptions) {
    this.#options = options;
    const store = new cacheStores.MemoryCacheStore({ maxSize: KEPT, maxEntrySize: LARGEST });
    const kept = interceptors.cache({ store, methods: ['GET'], cacheByDefault: KEPT_SECONDS });
    this.#dispatcher = new Agent({ maxResponseSize: LARGEST }).compose(kept);
  }

  async read(address: string): Promise<Picture | undefined> {
    const { isAllowed = isPictureAddress, logger } = this.#options;
    if (!URL.canParse(address)) return undefined;
    const url = new URL(address);
    if (!isAllowed(url)) return undefined;
    try {
      return await this.#turns.take(() => this.#fetch(url));
    } catch (err) {
      logger.debug({ err, address: url.href }, 'a picture cannot be had');
      return undefined;
    }
  }

  async #fetch(url: URL): Promise<Picture> {
    const { statusCode, headers, body } = await request(url, {
      dispatcher: this.#dispatcher,
      headers: { accept: TYPES.join(', '), 'user-agent': this.#options.userAgent },
      signal: AbortSignal.timeout(PATIENCE),
    });
    const type = TYPES.find((known) => known === mediaType(headers['content-type']));
    if (statusCode === 200 && type) return { type, bytes: Buffer.from(await body.bytes()) };
    // An error once nobody reads it any more is none of ours.
    body.on('error', () => {}).destroy();
    throw new Error(`it was answered with ${statusCode} and ${headers['content-type']}`);
  }
}

function mediaType(header: string | string[] | undefined): string | undefined {
  return String(header).split(';', 1)[0]?.trim().toLowerCase();
}
