import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import pino from 'pino';
import type { PictureCache } from '../../src/dashboard/picture-cache.ts';
import { Pictures } from '../../src/dashboard/pictures.ts';

/** The first bytes of a picture, which identify its type. */
export const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
export const QUIET = pino({ level: 'silent' });

/** A local server of pictures. */
export class PictureServer {
  readonly asked: IncomingMessage[] = [];
  /** Requests for `/held` wait until this resolves. */
  readonly held = Promise.withResolvers<void>();
  readonly #server = createServer((request, response) => this.#answer(request, response));
  readonly #picture: Buffer;

  private constructor(picture: Buffer) {
    this.#picture = picture;
  }

  /** Starts a server with `picture` at most paths. It closes when the tests end. */
  static async start(picture: Buffer = PNG): Promise<PictureServer> {
    const server = new PictureServer(picture);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    after(() => {
      server.#server.closeAllConnections();
      server.#server.close();
    });
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** A reader that may send requests only to this server. */
  reader(cache?: PictureCache): Pictures {
    const sizes = {
      pattern: /-large$/,
      names: { thumb: '-thumb', small: '-small', large: '-large' },
    };
    return new Pictures({
      userAgent: 'cardprice/1.2.3',
      logger: QUIET,
      hosts: [{ prefix: `${this.url}/`, sizes }],
      trustedOrigins: [this.url],
      ...(cache && { cache }),
    });
  }

  /** The requested paths, in order. */
  get paths(): (string | undefined)[] {
    return this.asked.map(({ url }) => url);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.asked.push(request);
    const path = request.url ?? '';
    if (path.startsWith('/held')) await this.held.promise;
    const types: Record<string, string> = {
      '/svg': 'image/svg+xml',
      '/html': 'text/html',
      '/none': '',
      '/text': 'IMAGE/PNG; charset=utf-8',
    };
    const type = types[path] ?? 'image/png';
    if (type !== '') response.setHeader('content-type', type);
    if (path === '/moved') response.writeHead(302, { location: `${this.url}/good` });
    if (path === '/broken') response.writeHead(500);
    if (path === '/cut') response.writeHead(200, { 'content-length': 1000 });
    if (path === '/cut') setTimeout(() => response.destroy(), 5);
    else if (path === '/large') response.end(Buffer.alloc(3 * 1024 * 1024));
    else if (path === '/only-small') response.writeHead(404).end();
    else if (path === '/script') response.end('<script>alert(1)</script>');
    else if (path !== '/silent') response.end(this.#picture);
    if (path === '/cut') response.write(PNG);
  }
}
