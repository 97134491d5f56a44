import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import { networkMatcher } from '../lib/networks.ts';

/** The header in which proxies list the addresses that a request came through. */
export const FORWARDED_FOR = 'x-forwarded-for';

/** The reverse proxies of this service. Only headers from them are trusted. */
export class TrustedProxies {
  /** Whether the service has any. */
  readonly areAny: boolean;
  readonly #matches: (address: string) => boolean;

  /** @param networks Addresses, and networks in CIDR notation. */
  constructor(networks: readonly string[]) {
    this.areAny = networks.length > 0;
    this.#matches = networkMatcher(networks);
  }

  /** Whether an address belongs to one of them. A closed connection has no address. */
  has(address: string | undefined): boolean {
    return this.areAny && address !== undefined && this.#matches(address);
  }

  /**
   * Returns the network address of a request's caller, as Fastify's `request.ip` does: the last one
   * that is not a proxy's. Undefined if the connection is closed, if that part of the header is not
   * an address, or if the header does not come from a proxy.
   */
  callerOf(request: IncomingMessage): string | undefined {
    const { remoteAddress } = request.socket;
    if (request.headers[FORWARDED_FOR] === undefined) return remoteAddress;
    if (!this.has(remoteAddress)) return undefined;
    const address = proxyAddr(request, (candidate) => this.has(candidate));
    return isIP(address) === 0 ? undefined : address;
  }

  /** Whether a request came directly from one of them. */
  sent({ socket }: Pick<IncomingMessage, 'socket'>): boolean {
    return this.has(socket.remoteAddress);
  }
}
