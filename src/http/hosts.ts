import { isIP } from 'node:net';
import { hostname } from 'node:os';

/** Allows every name; for a proxy in front that checks names itself. */
export const ANY_HOST = '*';

/** Header values that are remembered as known; more than a service has names and ports. */
const MAX_REMEMBERED = 100;

export interface HostOptions {
  /** The address at which people open the service; `''` when it is not known. */
  readonly publicUrl: string;
  /** The names of the setting CARDPRICE_HOSTS, in lower case. */
  readonly hosts: readonly string[];
  /** The address or name that the service listens on. */
  readonly listenHost: string;
}

/**
 * Tells by the Host header whether a request is meant for this service. A page of another site that
 * makes its own name point to this machine (DNS rebinding) sends that name, and is refused. An
 * address is always known, because no other site has a page there.
 */
export class Hosts {
  readonly #names: ReadonlySet<string>;
  /** Header values that were found to be known. */
  readonly #known = new Set<string>();

  constructor({ publicUrl, hosts, listenHost }: HostOptions) {
    const machine = hostname().toLowerCase();
    const own = ['localhost', machine, `${machine}.local`, listenHost.toLowerCase()];
    const open = publicUrl === '' ? [] : [nameOf(new URL(publicUrl).host)];
    this.#names = new Set([...own, ...open, ...hosts]);
  }

  /** Whether a Host header names this service. */
  isKnown(header: string): boolean {
    if (this.#known.has(header)) return true;
    if (!this.#isOwn(nameOf(header))) return false;
    if (this.#known.size < MAX_REMEMBERED) this.#known.add(header);
    return true;
  }

  #isOwn(name: string): boolean {
    if (this.#names.has(ANY_HOST)) return true;
    return isIP(name) !== 0 || name.endsWith('.localhost') || this.#names.has(name);
  }
}

/** The name or address of a Host header, without the port, in lower case; `''` for none. */
export function nameOf(header: string): string {
  const [, address, name = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(header) ?? [];
  return (address ?? name).toLowerCase().replace(/\.$/, '');
}
