import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { cleanUp } from './cleanup.ts';

/** Responds to one request. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

/** A request that an upstream received. */
export interface Asked {
  /** The path with its query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
}

/** A local server that stands in for upstream sources. It closes when the test ends. */
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
    cleanUp(() => {
      server.close();
      server.closeAllConnections();
    });
    return new Upstream(server);
  }

  /** Sets the responses of a path, in order. The last one repeats. */
  on(path: string, ...answers: readonly Answer[]): this {
    let turn = 0;
    this.#answers.set(path, (request, response) => {
      const answer = answers[Math.min(turn, answers.length - 1)];
      turn += 1;
      return answer?.(request, response);
    });
    return this;
  }

  /** Sets the response of all other paths, which is 404 by default. */
  otherwise(answer: Answer): this {
    this.#otherwise = answer;
    return this;
  }

  /** Returns the paths requested since the last call. */
  paths(): string[] {
    return this.asked.splice(0).map(({ path }) => path);
  }
}

type Headers = Readonly<Record<string, string>>;

export function status(code: number, headers: Headers = {}, body = ''): Answer {
  return (_request, response) => response.writeHead(code, headers).end(body);
}

/** Serves a file with its length; answers 304 to a matching validator. */
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

/** Serves a file with Content-Encoding gzip. */
export function packed(content: string, headers: Headers = {}): Answer {
  return file(gzipSync(content), { ...headers, 'content-encoding': 'gzip' });
}

/** Serves half of a gzipped file, with the right Content-Length for that half. */
export function halfPacked(content: string): Answer {
  const whole = gzipSync(content);
  return file(whole.subarray(0, whole.length / 2), { 'content-encoding': 'gzip' });
}

/** Serves half of a file, then closes the connection. */
export function cut(content: string): Answer {
  return (_request, response) => {
    response.writeHead(200, { 'content-length': Buffer.byteLength(content) });
    response.write(content.slice(0, content.length / 2), () => {
      setTimeout(() => response.destroy(), 5);
    });
  };
}

/** Serves a body without a length, which ends when the connection closes. */
export function unmeasured(content: string): Answer {
  return (request) => {
    request.socket.end(`HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${content}`);
  };
}

/** Closes the connection without a response. */
export const hangUp: Answer = (request) => request.socket.destroy();

/** Serves a body with a wrong Content-Length. */
export function wrongLength(content: string, by: number): Answer {
  return (request) => {
    const length = Buffer.byteLength(content) + by;
    request.socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n${content}`);
  };
}

/** Sends a byte now and then, forever. */
export const drip: Answer = async (_request, response) => {
  while (!response.destroyed) {
    response.write('x');
    await sleep(5);
  }
};

export function redirect(location: string, code = 302): Answer {
  return status(code, { location });
}
