import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A proxy to a server, such as a database, that tests can cut and restore. Cut it at the end. */
export class CuttableProxy {
  readonly #target: { readonly host: string; readonly port: number };
  readonly #sockets = new Set<Socket>();
  #server: Server;
  #port = 0;
  #isFrozen = false;
  /** A text at which to cut, and a callback to notify the caller. */
  #limit: { readonly text: string; readonly reached: () => void } | undefined;

  private constructor(target: URL) {
    this.#target = { host: target.hostname, port: Number(target.port) };
    this.#server = createServer((socket) => this.#forward(socket));
  }

  /** Opens a proxy to the server of a URL. Returns the proxy and a URL that goes through it. */
  static async to(url: string): Promise<{ readonly proxy: CuttableProxy; readonly url: string }> {
    const through = new URL(url);
    const proxy = new CuttableProxy(through);
    await proxy.restore();
    through.port = String(proxy.#port);
    return { proxy, url: through.href };
  }

  /** Closes all connections and refuses new ones, like a stopped server. */
  async cut(): Promise<void> {
    for (const socket of this.#sockets) reset(socket);
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** Cuts as soon as a client sends a text, which does not arrive. Resolves after the cut. */
  async cutAt(text: string): Promise<void> {
    await new Promise<void>((reached) => {
      this.#limit = { text, reached };
    });
    this.#limit = undefined;
    await this.cut();
  }

  /** Stops forwarding without closing anything, like a network that lost a machine. */
  freeze(): void {
    this.#isFrozen = true;
    for (const socket of this.#sockets) socket.unpipe().pause();
  }

  /** Accepts and forwards connections again. Frozen connections stay frozen. */
  async restore(): Promise<void> {
    this.#isFrozen = false;
    if (this.#server.listening) return;
    this.#server = createServer((socket) => this.#forward(socket));
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  #forward(near: Socket): void {
    this.#keep(near);
    if (this.#isFrozen) return;
    const far = connect(this.#target);
    this.#keep(far);
    near.on('data', (chunk: Buffer) => {
      if (this.#limit && chunk.includes(this.#limit.text)) {
        far.destroy();
        this.#limit.reached();
      }
    });
    near.pipe(far).pipe(near);
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => this.#sockets.delete(socket));
  }
}

/**
 * Closes a connection like a process that ends. Node cannot reset a connection that is ending: it
 * would keep the handle, and on exit the process would wait for it in a busy loop.
 */
function reset(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}
