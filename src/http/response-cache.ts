import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Day } from '../domain/day.ts';
import type { Needs } from './admission.ts';
import {
  compress,
  type Encoding,
  encodedTag,
  encodingOf,
  LEAST_COMPRESSED,
} from './compression.ts';
import { headerLines } from './prepared-head.ts';

/** The request that a body answers, and the rest of the answer. */
export interface ResponseParts {
  /** The `Link` header of a page. */
  readonly link: string | undefined;
  /** How many days of history the body contains: 0 for none, `Infinity` for all. */
  readonly historyDays: number;
  /** The requirements of the request for its API key and plan. */
  readonly needs: Needs;
  /** The index of the endpoint for counting the request. */
  readonly endpoint: number;
  /** The path of its route, such as `/v1/cards/:id`. */
  readonly route: string;
}

/** A body or a part of one, with its entity tag. Different texts have different tags. */
export interface Serialized {
  readonly payload: string;
  readonly etag: string;
}

/** A body as sent. A compressed one is a text with one character per byte. */
export interface CachedResponse extends ResponseParts, Serialized {
  /** The headers that differ between bodies, as lines of a head. */
  readonly lines: string;
  /** Node writes ASCII faster as Latin-1. */
  readonly encoding: 'latin1' | 'utf8';
}

/** Characters of URLs and bodies: about ten thousand cards, or a thousand pages of a search. */
const CAPACITY = 10_000_000;

/** Bytes of bodies in each encoding: lists are compressed to a tenth, cards to a third. */
const COMPRESSED_CAPACITY = 3_000_000;

/** The dependencies of cacheable bodies, in addition to their URL. */
export interface Edition {
  /** The id of the publication: after a failover another one may have the same number. */
  readonly publication: string;
  /** The current day (UTC): prices can become stale at midnight. */
  readonly day: Day;
}

/**
 * Keeps the bodies of cacheable endpoints by URL until the next publication, and until midnight UTC
 * (docs/adr/0008-answers-are-kept-until-the-next-publication.md).
 */
export class ResponseCache {
  readonly #responses = responses(CAPACITY);
  readonly #compressed = {
    zstd: responses(COMPRESSED_CAPACITY),
    br: responses(COMPRESSED_CAPACITY),
    gzip: responses(COMPRESSED_CAPACITY),
  };
  readonly #fragments = new LRUCache<string, Serialized>({
    maxSize: CAPACITY,
    sizeCalculation: ({ payload }, id) => id.length + payload.length,
  });
  #edition: Edition = { publication: '', day: 0 as Day };

  /**
   * Returns the body of a URL from this edition, in an encoding if compression is worthwhile. A
   * different edition empties the cache.
   */
  get(url: string, edition: Edition, encoding?: Encoding): CachedResponse | undefined {
    this.#turnTo(edition);
    const compressed = encoding && this.#compressed[encoding].get(url);
    if (compressed) return compressed;
    const plain = this.#responses.get(url);
    return encoding && plain && plain.payload.length >= LEAST_COMPRESSED ? undefined : plain;
  }

  /** Compresses a body. A body that is cached for the URL is compressed only once. */
  async compressed(
    url: string,
    edition: Edition,
    { payload, encoding }: { readonly payload: string; readonly encoding: Encoding },
  ): Promise<Buffer> {
    const plain = this.get(url, edition);
    if (plain?.payload !== payload) return compress(payload, encoding);
    const known = this.#compressed[encoding].get(url);
    if (known) return Buffer.from(known.payload, 'latin1');
    const bytes = await compress(payload, encoding);
    if (this.#isCurrent(edition)) {
      this.#compressed[encoding].set(url, compressedResponse(plain, encoding, bytes));
    }
    return bytes;
  }

  /** Returns a part of bodies from this edition; makes and keeps it if it is missing. */
  fragment(id: string, edition: Edition, make: () => string): Serialized {
    this.#turnTo(edition);
    const known = this.#fragments.get(id);
    if (known) return known;
    const payload = make();
    const fragment = { payload, etag: etagOf(payload) };
    this.#fragments.set(id, fragment);
    return fragment;
  }

  /**
   * Keeps a response and returns it, unless the URL contains an API key or the edition has changed
   * since {@link get}.
   */
  add(url: string, edition: Edition, parts: ResponseParts & Serialized): CachedResponse {
    const bytes = Buffer.byteLength(parts.payload);
    const encoding = bytes === parts.payload.length ? 'latin1' : 'utf8';
    const response = { ...parts, encoding, lines: linesOf(parts, bytes) } as const;
    if (this.#isCurrent(edition) && !url.includes('api_key')) this.#responses.set(url, response);
    return response;
  }

  #turnTo(edition: Edition): void {
    if (this.#isCurrent(edition)) return;
    this.#responses.clear();
    for (const kept of Object.values(this.#compressed)) kept.clear();
    this.#fragments.clear();
    this.#edition = edition;
  }

  #isCurrent({ publication, day }: Edition): boolean {
    return publication === this.#edition.publication && day === this.#edition.day;
  }
}

/** Creates a cache of responses by URL with this capacity in characters. */
function responses(maxSize: number): LRUCache<string, CachedResponse> {
  return new LRUCache({
    maxSize,
    sizeCalculation: ({ payload, link = '' }, url) => url.length + payload.length + link.length,
  });
}

function compressedResponse(
  plain: CachedResponse,
  encoding: Encoding,
  bytes: Buffer,
): CachedResponse {
  const etag = encodedTag(plain.etag, encoding);
  const lines = linesOf({ ...plain, etag }, bytes.length, { 'content-encoding': encoding });
  return { ...plain, etag, lines, payload: bytes.toString('latin1'), encoding: 'latin1' };
}

/** Returns the headers that differ between bodies, as lines of a head. */
function linesOf(
  { etag, link }: Pick<CachedResponse, 'etag' | 'link'>,
  bytes: number,
  others: Readonly<Record<string, string>> = {},
): string {
  const place = link === undefined ? {} : { link };
  return headerLines({ etag, 'content-length': String(bytes), ...others, ...place });
}

/** The entity tag of a body: equal bodies have equal tags. */
export function etagOf(payload: string): string {
  return `"${hash('sha1', payload, 'base64url')}"`;
}

/** A text that is the same for every caller, compressed once. */
export class StaticText {
  readonly #type: string;
  readonly #text: string;
  readonly #etag: string;
  readonly #compressed = new Map<Encoding, Promise<Buffer>>();

  constructor(type: string, text: string) {
    this.#type = type;
    this.#text = text;
    // Weak, because compressed and plain bytes share it.
    this.#etag = `W/${etagOf(text)}`;
  }

  /** Sends the text, or a 304 if the caller already has it. */
  async send({ headers }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    reply.headers({
      'cache-control': 'no-cache',
      etag: this.#etag,
      vary: 'accept-encoding',
    });
    if (headers['if-none-match'] === this.#etag) return reply.code(304).send();
    reply.type(this.#type);
    const encoding = encodingOf(headers);
    if (!encoding) return reply.send(this.#text);
    return reply.header('content-encoding', encoding).send(await this.#compress(encoding));
  }

  #compress(encoding: Encoding): Promise<Buffer> {
    const bytes = this.#compressed.get(encoding) ?? compress(this.#text, encoding, 'once');
    this.#compressed.set(encoding, bytes);
    return bytes;
  }
}
