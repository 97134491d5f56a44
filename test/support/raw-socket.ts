import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection that sends bytes as they are, at any pace, and keeps what it is answered. */
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
    // A server that refuses need not read to the end.
    socket.on('error', () => {});
  }

  static async open(port: number): Promise<RawSocket> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new RawSocket(socket);
  }

  /** Sends bytes, if the server still listens. */
  send(text: string): this {
    if (this.#socket.writable) this.#socket.write(text);
    return this;
  }

  /** Sends a text byte by byte, with a pause before each, until all is sent or the server hangs up. */
  async trickle(text: string, pauseMs: number): Promise<void> {
    for (const character of text) {
      if (!this.#socket.writable) return;
      this.send(character);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  /** Stops reading what is answered. */
  pause(): this {
    this.#socket.pause();
    return this;
  }

  /** Everything that was answered, once the server has hung up. */
  async answer(): Promise<string> {
    await this.#closed;
    return this.#received;
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  close(): void {
    this.#socket.destroy();
  }
}
