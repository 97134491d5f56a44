import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { now, type Recorder } from './recorder.ts';

/** Of every so many events, one is refused at first. */
const REFUSED = 3;

/** The receiver of a webhook, which has every message written down. */
export class Receiver {
  readonly #recorder: Recorder;
  readonly #server: Server;
  readonly #ids = new Set<string>();

  private constructor(recorder: Recorder) {
    this.#recorder = recorder;
    this.#server = createServer((request, response) => {
      // The node that sends may be killed.
      this.#take(request, response).catch(() => response.destroy());
    });
  }

  static async open(recorder: Recorder): Promise<Receiver> {
    const receiver = new Receiver(recorder);
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray()).toString();
    const { data } = JSON.parse(body) as { data: { publication: number } };
    const { messages } = this.#recorder;
    const id = String(request.headers['webhook-id']);
    const isAccepted = this.#ids.has(id) || this.#ids.size % REFUSED > 0;
    this.#ids.add(id);
    messages.push({ id, received: now(), revision: data.publication, body, isAccepted });
    response.writeHead(isAccepted ? 204 : 503).end();
  }
}
