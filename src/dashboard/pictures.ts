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
 * Where the sources have their pictures. Nothing else is fetched, whatever a catalogue names. Where
 * a host has sizes, ours are the next larger ones, or what is sharp enough.
 */
export const PICTURE_HOSTS: readonly PictureHost[] = [
  TCGPLAYER,
  ...GAMES.flatMap(({ pictureHosts }) => pictureHosts),
];

/**
 * The addresses to try for a size of a picture, the best one first: that of its host's own size,
 * then the one that the source named. None when nothing is fetched from there.
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
   * The picture at an address, in the given size or the next one that its server has; undefined
   * when there is none or it cannot be fetched. It takes at most {@link TIMEOUT_MS}.
   *
   * @throws ApiError when too many others wait.
   */
  read(address: string, size: PictureSize): Promise<Picture | undefined>;
}

export interface PictureOptions {
  readonly userAgent: string;
  readonly logger: Logger;
  /** Keeps pictures on disk; without it, they are kept only in memory. */
  readonly cache?: PictureCache;
  /** From where pictures are fetched; {@link PICTURE_HOSTS} by default. */
  readonly hosts?: readonly PictureHost[];
  /** The origins that may be in a private network; none by default. */
  readonly trustedOrigins?: readonly string[];
}

const MEGABYTE = 1024 * 1024;
/** The most bytes of one picture, and of all in memory. */
const MAX_PICTURE_BYTES = 2 * MEGABYTE;
const MAX_MEMORY_BYTES = 32 * MEGABYTE;
/** The approximate size of an entry without the bytes of its picture. */
const ENTRY_BYTES = 512;
/** Milliseconds for which a picture stays in memory, … */
const MEMORY_LIFETIME = 24 * 3_600_000;
/** … and for which one that could not be fetched is not asked for again. */
const FAILURE_LIFETIME = 60_000;
/** Milliseconds after which a picture is given up, including the wait for others. */
const TIMEOUT_MS = 5000;
/** How many are fetched at the same time, … */
const MAX_CONCURRENT = 8;
/** … how many more wait, and the seconds after which one that may not wait is asked for again. */
const MAX_WAITING = 56;
const RETRY_AFTER = 5;

/** A looked-up picture in one size; without bytes if there is none. */
interface Outcome {
  readonly picture?: Picture;
}

/**
 * Fetches pictures for browsers, so that they ask no server but this one (docs/adr/0012), makes
 * heavy ones smaller, and keeps them. It follows no redirect.
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
  /** Pictures that are being read, which simultaneous requests share. */
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

  /** Reads a picture from the disk or from its server, and remembers what became of it. */
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
      // The inner bound frees the place of a fetch that hangs, the outer one ends the waiting.
      return await before(
        signal,
        this.#limit(() => before(signal, this.#fetchFirst(addresses, size, signal))),
      );
    } catch (err) {
      this.#options.logger.debug({ err, address: addresses[0]?.href }, 'a picture is given up');
      return undefined;
    }
  }

  /** Fetches the first address that has a picture. */
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
    // Nobody reads the body any more, so its errors do not matter.
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
  const message = 'Too many pictures are being fetched. Try again in a few seconds.';
  return new ApiError('TOO_MANY_ATTEMPTS', message, { retryAfter: RETRY_AFTER });
}

function mediaType(header: string | string[] | undefined): string | undefined {
  return String(header).split(';', 1)[0]?.trim().toLowerCase();
}
