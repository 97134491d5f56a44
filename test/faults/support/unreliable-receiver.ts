import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../../support/edited-tree.ts';

/** What the receiver does with a message. */
type Behaviour = 'hang' | 'redirect' | 'limit' | 'break' | 'fail' | 'delay' | 'accept' | 'gone';

/** What it does if a random number is below the bound, and not below those before: 30 % fail. */
const CHANCES: readonly (readonly [bound: number, Behaviour])[] = [
  [0.001, 'hang'],
  [0.02, 'redirect'],
  [0.04, 'limit'],
  [0.05, 'break'],
  [0.3, 'fail'],
  [0.32, 'delay'],
];

/** How often one event is refused at most, so that all are accepted within three days. */
const MOST_REFUSALS = 4;

const DELAY_MS = 200;

/** What arrived of one event. */
interface Arrived {
  readonly body: string;
  messages: number;
  isAccepted: boolean;
}

/**
 * The servers of webhooks, one for each path. 30 % of their answers are failures: most are 503,
 * some are redirects, and some never come. Some of the others are slow.
 */
export class UnreliableReceiver {
  /** By their ids. */
  readonly events = new Map<string, Arrived>();
  /** The ids that came with two contents. */
  readonly changed: string[] = [];
  /** When the last message came to a path, by `performance.now()`. */
  readonly lastAt = new Map<string, number>();
  /** How often it did what. */
  readonly behaved = new Map<Behaviour, number>();
  /** The path that never answers, the one that answers 410, and the one that redirects lead to. */
  readonly dead = '/dead';
  readonly gone = '/gone';
  readonly elsewhere = '/elsewhere';
  messages = 0;
  /** Is called for every message. */
  onMessage = () => {};

  readonly #random = seededRandom(7);
  readonly #hanging = new Set<string>();
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open(): Promise<UnreliableReceiver> {
    const server = createServer((request, response) => receiver.#take(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const receiver = new UnreliableReceiver(server);
    return receiver;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url: path = '', headers } = request;
    const body = await request.toArray().then(
      (parts) => Buffer.concat(parts).toString(),
      () => undefined,
    );
    // A killed process sends half a message.
    if (body === undefined || !request.complete) return;
    const event = this.#note(path, String(headers['webhook-id']), body);
    const behaviour = this.#choose(path, event);
    this.behaved.set(behaviour, (this.behaved.get(behaviour) ?? 0) + 1);
    if (behaviour === 'hang') this.#hang(path, response);
    else await this.#answer(behaviour, event, response);
  }

  #note(path: string, id: string, body: string): Arrived {
    const event = this.events.get(id) ?? { body, messages: 0, isAccepted: false };
    this.events.set(id, event);
    event.messages += 1;
    if (event.body !== body) this.changed.push(id);
    this.messages += 1;
    this.lastAt.set(path, performance.now());
    this.onMessage();
    return event;
  }

  #choose(path: string, { messages }: Arrived): Behaviour {
    if (path === this.dead) return 'hang';
    if (path === this.gone) return 'gone';
    if (messages > MOST_REFUSALS) return 'accept';
    const random = this.#random();
    const behaviour = CHANCES.find(([bound]) => random < bound)?.[1] ?? 'accept';
    // Two processes send to a path; one of them hangs at a time.
    return behaviour === 'hang' && this.#hanging.has(path) ? 'fail' : behaviour;
  }

  /** Whether a message to a path gets no answer now. */
  isHanging(path: string): boolean {
    return this.#hanging.has(path);
  }

  #hang(path: string, response: ServerResponse): void {
    this.#hanging.add(path);
    response.once('close', () => this.#hanging.delete(path));
  }

  async #answer(
    behaviour: Exclude<Behaviour, 'hang'>,
    event: Arrived,
    response: ServerResponse,
  ): Promise<void> {
    if (behaviour === 'break') return void response.destroy();
    if (behaviour === 'gone') return void response.writeHead(410).end();
    if (behaviour === 'fail') return void response.writeHead(503).end('busy');
    if (behaviour === 'limit') return void response.writeHead(429, { 'retry-after': '1' }).end();
    if (behaviour === 'redirect') {
      return void response.writeHead(302, { location: this.origin + this.elsewhere }).end();
    }
    if (behaviour === 'delay') await sleep(DELAY_MS);
    event.isAccepted = true;
    response.writeHead(204).end();
  }
}
