import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { ApiError } from '../domain/errors.ts';
import type { PictureHost, PictureSize } from '../domain/games/game.ts';
import { GAMES } from '../domain/games.ts';
import type { PublicAgent } from '../lib/public-agent.ts';
import { createQueue } from '../lib/queue.ts';
import type { PictureCache } from './picture-cache.ts';
import { shrink } from './picture-shrinker.ts';
import { PICTURE_TYPES, type Picture, pictureOf } from './picture-types.ts';

const TCGPLAYER: PictureHost = {
  prefix: 'https://tcgplayer-cdn.tcgplayer.com/',
  sizes: {
    pattern: /_(?:200w|in_\d+x\d+)\.jpg$/,
    // The length of the longer side: cards are 143, 287 and 717 wide.
    names: { thumb: '_in_200x200.jpg', small: '_in_400x400.jpg', large: '_in_1000x1000.jpg' },
  },
};

/**
 * Where the sources have their pictures. Nothing else is fetched, even if a catalogue names it. If
 * a host offers sizes, ours use the next larger ones, or one that is sharp enough.
 */
export const PICTURE_HOSTS: readonly PictureHost[] = [
  TCGPLAYER,
  ...GAMES.flatMap(({ pictureHosts }) => pictureHosts),
];

/**
 * The addresses to try for a size of a picture, best first: the host's own size, then the address
 * from the source. Empty if nothing is fetched from there.
 */
export function pictureAddresses(
  address: string,
  size: PictureSize,
  hosts: readonly PictureHost[] = PICTURE_HOSTS,
): URL[] {
  if (!URL.canParse(address)) return [];
  // Normalised by the parser, so a path cannot leave its prefix.
  const { href } = new URL(address);
  const host = hosts.find(({ prefix }) => href.startsWith(prefix));
  if (!host) return [];
  const { sizes } = host;
  const sized = sizes ? href.replace(sizes.pattern, sizes.names[size]) : href;
  return [...new Set([sized, href])].map((each) => new URL(each));
}

/** Reads pictures of cards from the servers of the sources. */
export interface PictureReader {
  /**
   * Returns the picture at an address, in the given size or the server's next one; undefined if
   * there is none or it cannot be fetched. Takes at most {@link TIMEOUT_MS}.
   * @throws ApiError if too many others wait.
   */
  read(address: string, size: PictureSize): Promise<Picture | undefined>;
}

export interface PictureOptions {
  readonly userAgent: string;
  readonly logger: Logger;
  /** Keeps pictures on disk. Without it, they are only in memory. */
  readonly cache?: PictureCache;
  /** The hosts from which pictures are fetched; {@link PICTURE_HOSTS} by default. */
  readonly hosts?: readonly PictureHost[];
  /** Origins that may be in a private network; none by default. */
  readonly trustedOrigins?: readonly string[];
}

const MEGABYTE = 1024 * 1024;
/** The maximum bytes of one picture, and of all pictures in memory. */
const MAX_PICTURE_BYTES = 2 * MEGABYTE;
const MAX_MEMORY_BYTES = 32 * MEGABYTE;
/** The approximate size of an entry without the bytes of its picture. */
const ENTRY_BYTES = 512;
/** How long a picture stays in memory, in milliseconds, … */
const MEMORY_LIFETIME = 24 * 3_600_000;
/** … and how long a picture that could not be fetched is not requested again. */
const FAILURE_LIFETIME = 60_000;
/** The time limit for a picture in milliseconds, including the wait for others. */
const TIMEOUT_MS = 5000;
/** How many are fetched at the same time, … */
const MAX_CONCURRENT = 8;
/** … how many more wait, and the seconds after which a client may retry a picture beyond these. */
const MAX_WAITING = 56;
const RETRY_AFTER = 5;

/** The outcome of a lookup of a picture in one size; without bytes if there is none. */
interface Outcome {
  readonly picture?: Picture;
}

/**
 * Fetches pictures for browsers, so they request nothing from other servers (docs/adr/0012).
 * Shrinks heavy ones, and keeps them. Follows no redirects.
 */
export class Pictures implements PictureReader {
  readonly #options: PictureOptions;
  /** Loaded with the first picture. */
  #agent: Promise<PublicAgent> | undefined;
  readonly #limit = createQueue('picture', MAX_CONCURRENT);
  readonly #known = new LRUCache<string, Outcome>({
    maxSize: MAX_MEMORY_BYTES,
    ttl: MEMORY_LIFETIME,
    sizeCalculation: ({ picture }) => ENTRY_BYTES + (picture?.bytes.length ?? 0),
  });
  /** Pictures being read, which simultaneous requests share. */
  readonly #reading = new Map<string, Promise<Outcome>>();

  constructor(options: PictureOptions) {
    this.#options = options;
  }

  async read(address: string, size: PictureSize): Promise<Picture | undefined> {
    const addresses = pictureAddresses(address, size, this.#options.hosts);
    if (addresses.length === 0) return undefined;
    const key = `${size} ${address}`;
    const known = this.#known.get(key) ?? (await this.#share(key, addresses, size));
    return known.picture;
  }

  #share(key: string, addresses: readonly URL[], size: PictureSize): Promise<Outcome> {
    const reading = this.#reading.get(key);
    if (reading) return reading;
    const outcome = this.#find(key, addresses, size).finally(() => this.#reading.delete(key));
    this.#reading.set(key, outcome);
    return outcome;
  }

  /** Reads a picture from the disk or from its server, and remembers the outcome. */
  async #find(key: string, addresses: readonly URL[], size: PictureSize): Promise<Outcome> {
    const { cache } = this.#options;
    const kept = await cache?.read(key);
    const picture = kept ?? (await this.#fetchInTurn(addresses, size));
    if (picture && !kept) await cache?.write(key, picture);
    const outcome = picture ? { picture } : {};
    this.#known.set(key, outcome, picture ? {} : { ttl: FAILURE_LIFETIME });
    return outcome;
  }

  async #fetchInTurn(addresses: readonly URL[], size: PictureSize): Promise<Picture | undefined> {
    if (this.#limit.pendingCount >= MAX_WAITING) throw tooManyPictures();
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      // The inner limit frees the place of a fetch that hangs; the outer one ends the wait.
      return await before(
        signal,
        this.#limit(() => before(signal, this.#fetchFirst(addresses, size, signal))),
      );
    } catch (err) {
      this.#options.logger.debug({ err, address: addresses[0]?.href }, 'a picture is given up');
      return undefined;
    }
  }

  /** Fetches from the first address that has a picture. */
  async #fetchFirst(
    addresses: readonly URL[],
    size: PictureSize,
    signal: AbortSignal,
  ): Promise<Picture | undefined> {
    for (const address of addresses) {
      try {
        return await shrink(await this.#fetch(address, signal), size);
      } catch (err) {
        signal.throwIfAborted();
        this.#options.logger.debug({ err, address: address.href }, 'a picture is not fetched');
      }
    }
    return undefined;
  }

  async #fetch(url: URL, signal: AbortSignal): Promise<Picture> {
    signal.throwIfAborted();
    this.#agent ??= openAgent(this.#options);
    const agent = await this.#agent;
    const { statusCode, headers, body } = await agent.request(url, {
      headers: { accept: PICTURE_TYPES.join(', '), 'user-agent': this.#options.userAgent },
      signal,
    });
    const named = mediaType(headers['content-type']);
    if (statusCode === 200 && PICTURE_TYPES.some((type) => type === named)) {
      return pictureOf(Buffer.from(await body.bytes()));
    }
    // Nobody reads the body after this, so its errors do not matter.
    body.on('error', () => {}).destroy();
    throw new Error(`the server answered ${statusCode} and ${named}`);
  }
}

async function openAgent({ trustedOrigins = [] }: PictureOptions): Promise<PublicAgent> {
  const { PublicAgent } = await import('../lib/public-agent.ts');
  return new PublicAgent({
    isTrusted: (origin) => trustedOrigins.includes(origin),
    maxResponseSize: MAX_PICTURE_BYTES,
  });
}

/** Resolves with the result of some work, or rejects as soon as the signal is aborted. */
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
  const message = 'Too many pictures are being fetched. Try again in a few seconds.';
  return new ApiError('TOO_MANY_ATTEMPTS', message, { retryAfter: RETRY_AFTER });
}

function mediaType(header: string | string[] | undefined): string | undefined {
  return String(header).split(';', 1)[0]?.trim().toLowerCase();
}
