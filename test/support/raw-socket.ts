import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** How long a server may take to hang up. A test with a longer wait would end only by its limit. */
const PATIENCE_MS = 20_000;

/** A connection that sends raw bytes at any pace, and keeps the response. */
export class RawSocket {
  readonly #socket: Socket;
  readonly #closed: Promise<unknown>;
  #received = '';

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('data', (chunk: Buffer) => {
      this.#received += chunk.toString('latin1');
    });
    // A server that refuses a request may close the connection before reading everything.
    socket.on('error', () => {});
  }

  static async open(port: number): Promise<RawSocket> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new RawSocket(socket);
  }

  /** Sends bytes if the connection is still open. */
  send(text: string): this {
    if (this.#socket.writable) this.#socket.write(text);
    return this;
  }

  /** Sends a text byte by byte with pauses, until all is sent or the server hangs up. */
  async trickle(text: string, pauseMs: number): Promise<void> {
    for (const character of text) {
      if (!this.#socket.writable) return;
      this.send(character);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  /** Stops reading the response. */
  pause(): this {
    this.#socket.pause();
    return this;
  }

  /** Continues reading. */
  resume(): this {
    this.#socket.resume();
    return this;
  }

  /** Waits until the server hangs up, and returns the whole response. */
  async answer(): Promise<string> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.close();
    }, PATIENCE_MS);
    await this.#closed;
    clearTimeout(timer);
    if (isLate) throw new Error('The server does not hang up.');
    return this.#received;
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  close(): void {
    this.#socket.destroy();
  }
}
