import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { type PictureReader, Pictures } from '../../../src/dashboard/pictures.ts';
import { cleanUp } from '../../support/cleanup.ts';

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const TYPE = { 'content-type': 'image/png' };

/**
 * How the server of a source may answer: as it should, late, in part, with something else, never.
 */
const ANSWERS: readonly ((response: ServerResponse) => unknown)[] = [
  (response) => response.writeHead(200, TYPE).end(PNG),
  (response) => setTimeout(() => response.writeHead(200, TYPE).end(PNG), 1500),
  (response) => response.writeHead(200, TYPE).write(PNG),
  (response) => response.writeHead(200, { ...TYPE, 'content-length': 1000 }).end(PNG),
  (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
  (response) => response.writeHead(500).end('<html>'),
  (response) => response.writeHead(200, TYPE).end(Buffer.alloc(3 * 1024 * 1024)),
  (response) => response.destroy(),
  () => {},
];

/** A server of pictures on this machine that answers in every way but a good one, mostly. */
export class SlowPictures {
  /** How many pictures it was asked for. */
  asked = 0;
  readonly #server = createServer((_request, response) => {
    ANSWERS[this.asked % ANSWERS.length]?.(response);
    this.asked += 1;
  });

  static async start(): Promise<SlowPictures> {
    const pictures = new SlowPictures();
    const server = pictures.#server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanUp(() => {
      server.closeAllConnections();
      server.close();
    });
    return pictures;
  }

  /** Redirects fetches to this server, each time to another picture. */
  reader(): PictureReader {
    const url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    const reader = new Pictures({
      userAgent: 'cardprice/1.2.3',
      logger: pino({ level: 'silent' }),
      hosts: [{ prefix: `${url}/` }],
      trustedOrigins: [url],
    });
    let read = 0;
    return {
      read(address, size) {
        read += 1;
        return reader.read(`${url}${new URL(address).pathname}?${read}`, size);
      },
    };
  }
}
