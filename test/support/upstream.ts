import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

/** How an upstream answers one request. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

/** What an upstream was asked. */
export interface Asked {
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
}

/** A server on this machine that plays the upstreams; it is gone when the test ends. */
export class Upstream {
  readonly url: string;
  readonly asked: Asked[] = [];
  readonly #answers = new Map<string, Answer>();
  #otherwise: Answer = status(404);

  private constructor(server: Server) {
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => {
      const { url: path = '', headers } = request;
      this.asked.push({ path, headers });
      const answer = this.#answers.get(path.split('?')[0] ?? '') ?? this.#otherwise;
      answer(request, response);
    });
  }

  static async open(): Promise<Upstream> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    after(() => {
      server.close();
      server.closeAllConnections();
    });
    return new Upstream(server);
  }

  /** Answers a path with one answer after the other, and with the last one from then on. */
  on(path: string, ...answers: readonly Answer[]): this {
    let turn = 0;
    this.#answers.set(path, (request, response) => {
      const answer = answers[Math.min(turn, answers.length - 1)];
      turn += 1;
      return answer?.(request, response);
    });
    return this;
  }

  /** Answers all other paths, which are 404 unless told. */
  otherwise(answer: Answer): this {
    this.#otherwise = answer;
    return this;
  }

  /** The paths that were asked since the last call. */
  paths(): string[] {
    return this.asked.splice(0).map(({ path }) => path);
  }
}

type Headers = Readonly<Record<string, string>>;

export function status(code: number, headers: Headers = {}, body = ''): Answer {
  return (_request, response) => response.writeHead(code, headers).end(body);
}

/** A file, with its length, that is not sent again to who has it. */
export function file(content: string | Uint8Array, headers: Headers = {}): Answer {
  const body = Buffer.from(content);
  return (request, response) => {
    const { 'if-none-match': etag, 'if-modified-since': moment } = request.headers;
    const known =
      (etag !== undefined && etag === headers.etag) ||
      (moment !== undefined && moment === headers['last-modified']);
    if (known) return response.writeHead(304, headers).end();
    return response.writeHead(200, { ...headers, 'content-length': body.length }).end(body);
  };
}

/** A file that travels packed. */
export function packed(content: string, headers: Headers = {}): Answer {
  return file(gzipSync(content), { ...headers, 'content-encoding': 'gzip' });
}

/** A file that ends in the middle, in a packing that was told to be whole. */
export function halfPacked(content: string): Answer {
  const whole = gzipSync(content);
  return file(whole.subarray(0, whole.length / 2), { 'content-encoding': 'gzip' });
}

/** Half of a file, and then nothing more; the connection ends. */
export function cut(content: string): Answer {
  return (_request, response) => {
    response.writeHead(200, { 'content-length': Buffer.byteLength(content) });
    response.write(content.slice(0, content.length / 2), () => {
      setTimeout(() => response.destroy(), 5);
    });
  };
}

/** A body without a length, so that nothing but the end of the connection ends it. */
export function unmeasured(content: string): Answer {
  return (request) => {
    request.socket.end(`HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${content}`);
  };
}

/** The end of the connection instead of an answer. */
export const hangUp: Answer = (request) => request.socket.destroy();

/** A length that is not that of the body. */
export function wrongLength(content: string, by: number): Answer {
  return (request) => {
    const length = Buffer.byteLength(content) + by;
    request.socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n${content}`);
  };
}

/** A byte now and then, for ever. */
export const drip: Answer = async (_request, response) => {
  while (!response.destroyed) {
    response.write('x');
    await sleep(5);
  }
};

export function redirect(location: string, code = 302): Answer {
  return status(code, { location });
}
