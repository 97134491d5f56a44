import type { IncomingMessage } from 'node:http';
import { networkMatcher } from '../lib/networks.ts';

/** The reverse proxies of this service. Their headers are believed; those of callers are not. */
export class TrustedProxies {
  /** Whether the service has any. */
  readonly areAny: boolean;
  readonly #matches: (address: string) => boolean;

  /** @param networks Addresses, and networks in CIDR notation. */
  constructor(networks: readonly string[]) {
    this.areAny = networks.length > 0;
    this.#matches = networkMatcher(networks);
  }

  /** Whether an address is that of one of them. A closed connection has no address. */
  has(address: string | undefined): boolean {
    return this.areAny && address !== undefined && this.#matches(address);
  }

  /** Whether a request came directly from one of them. */
  sent({ socket }: Pick<IncomingMessage, 'socket'>): boolean {
    return this.has(socket.remoteAddress);
  }
}
