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

/** Replaces the billing system of an operator, or the webhook of an account. */
export class Webhook {
  readonly url: string;
  readonly received: Received[] = [];
  /** The bodies of the received messages. */
  readonly bodies: string[] = [];
  /** The secrets that sign messages, newest first. */
  secrets: readonly string[] = [SECRET];
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
    const signatures = this.secrets.map((secret) => {
      const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
      return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
    });
    assert.equal(headers['webhook-signature'], signatures.join(' '));
    this.bodies.push(body);
    const { type, data } = JSON.parse(body) as Omit<Received, 'id'>;
    this.received.push({ id, type, data });
  }
}
