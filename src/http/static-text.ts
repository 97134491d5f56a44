import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { etagOf } from './response-cache.ts';

/** A text that is the same for every caller. It is compressed once. */
export class StaticText {
  readonly #type: string;
  readonly #text: string;
  readonly #etag: string;
  readonly #gzip: Buffer;

  constructor(type: string, text: string) {
    this.#type = type;
    this.#text = text;
    // Weak, because compressed and plain bytes share it.
    this.#etag = `W/${etagOf(text)}`;
    this.#gzip = gzipSync(text);
  }

  /** Sends the text, or a 304 if the caller already has it. */
  send({ headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
    reply.headers({
      'cache-control': 'no-cache',
      etag: this.#etag,
      vary: 'accept-encoding',
    });
    if (headers['if-none-match'] === this.#etag) return reply.code(304).send();
    reply.type(this.#type);
    if (!/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(String(headers['accept-encoding']))) {
      return reply.send(this.#text);
    }
    return reply.header('content-encoding', 'gzip').send(this.#gzip);
  }
}
