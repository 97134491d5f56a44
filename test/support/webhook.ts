import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A secret in the format of Standard Webhooks. */
export const SECRET = `whsec_${Buffer.from('a secret of more than 24 bytes').toString('base64')}`;

export interface Received {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Stands for the billing system of an operator. */
export class Webhook {
  readonly url: string;
  readonly received: Received[] = [];
  /** Sends the response; 204 by default. */
  answer: (response: ServerResponse) => void = (response) => response.writeHead(204).end();

  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  static async open(): Promise<Webhook> {
    const server = createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      webhook.#take(request.headers, body);
      webhook.answer(response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const webhook = new Webhook(server);
    return webhook;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #take(headers: IncomingHttpHeaders, body: string): void {
    const id = String(headers['webhook-id']);
    const signed = `${id}.${headers['webhook-timestamp']}.${body}`;
    const key = Buffer.from('a secret of more than 24 bytes');
    const signature = createHmac('sha256', key).update(signed).digest('base64');
    assert.equal(headers['webhook-signature'], `v1,${signature}`);
    const { type, data } = JSON.parse(body) as Omit<Received, 'id'>;
    this.received.push({ id, type, data });
  }
}
