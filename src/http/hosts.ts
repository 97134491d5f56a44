import { isIP } from 'node:net';
import { hostname } from 'node:os';

/** Allows every name; for a proxy in front that checks names itself. */
export const ANY_HOST = '*';

/** How many known header values are cached; more than a service has names and ports. */
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
 * Decides by the Host header whether a request is meant for this service. A page of another site
 * that points its own name at this machine (DNS rebinding) sends that name and is refused. IP
 * addresses are always known, because no other site can have a page there.
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

/** Returns the name or address of a Host header in lower case, without the port; `''` for none. */
export function nameOf(header: string): string {
  const [, address, name = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(header) ?? [];
  return (address ?? name).toLowerCase().replace(/\.$/, '');
}
