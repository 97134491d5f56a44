import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher, request } from 'undici';
import { isPublicAddress, PrivateAddress } from './public-addresses.ts';

/**
 * Restricts connections to the public internet, for requests to addresses that others choose. A
 * redirect, a listing or a catalogue may name a machine in the operator's own network, or a host
 * name that resolves to one. The check looks at the addresses that the connection then uses, so a
 * host name cannot resolve to a different address after the check.
 */

interface PublicAgentOptions extends Omit<Agent.Options, 'connect'> {
  /** Whether an origin may be in a private network. */
  readonly isTrusted: (origin: string) => boolean;
  /** Whether an address is allowed for others; by default, public internet addresses. */
  readonly isAllowed?: AddressRule;
}

type AddressRule = (address: string) => boolean;

type RequestOptions = Omit<Dispatcher.RequestOptions<null>, 'origin' | 'path' | 'method'> &
  Partial<Pick<Dispatcher.RequestOptions, 'method'>>;

/**
 * Sends HTTP requests, without following redirects. Import this file only when a request is made:
 * the client takes 5 MB.
 */
export class PublicAgent {
  readonly #agent: Agent;

  constructor({ isTrusted, isAllowed = isPublicAddress, ...options }: PublicAgentOptions) {
    this.#agent = new Agent({ ...options, connect: connectInPublic(isTrusted, isAllowed) });
  }

  /** Fails with {@link PrivateAddress} unless the address is public or the origin trusted. */
  request(url: URL, options: RequestOptions): Promise<Dispatcher.ResponseData> {
    return request(url, { ...options, dispatcher: this.#agent });
  }

  close(): Promise<void> {
    return this.#agent.close();
  }
}

/**
 * Creates the `connect` function of an undici agent. An origin for which `isTrusted` returns true
 * may have any address. Connections to others fail with {@link PrivateAddress} unless they are
 * allowed.
 */
function connectInPublic(
  isTrusted: (origin: string) => boolean,
  isAllowed: AddressRule,
): buildConnector.connector {
  const anywhere = buildConnector({});
  const inPublic = buildConnector({ lookup: lookUpAllowed(isAllowed) });
  return (options, callback) => {
    const { protocol, host = '', hostname } = options;
    if (isTrusted(`${protocol}//${host}`)) return anywhere(options, callback);
    // An IP address needs no lookup.
    if (isIP(hostname) === 0 || isAllowed(hostname)) return inPublic(options, callback);
    callback(new PrivateAddress(hostname, hostname), null);
  };
}

/** Looks up names. Fails with {@link PrivateAddress} if an address of a name is not allowed. */
function lookUpAllowed(isAllowed: AddressRule): LookupFunction {
  return (hostname, options, callback) => {
    const reply = (found: readonly LookupAddress[]) => {
      const refused = found.find(({ address }) => !isAllowed(address));
      const [first] = found;
      if (refused) callback(new PrivateAddress(hostname, refused.address), '');
      else if (options.all) callback(null, [...found]);
      else callback(null, first?.address ?? '', first?.family);
    };
    lookUpOnce(hostname, options).then(reply, (error) => callback(error, ''));
  };
}

const underWay = new Map<string, Promise<readonly LookupAddress[]>>();

/**
 * Looks up a name. Concurrent calls for the same name share one lookup, because until the name
 * server answers, a lookup occupies one of the few threads that files and passwords also need.
 */
function lookUpOnce(name: string, options: LookupOptions): Promise<readonly LookupAddress[]> {
  const key = `${name} ${options.family} ${options.hints}`;
  const looking = underWay.get(key) ?? lookUpAll(name, options);
  underWay.set(key, looking);
  return looking.finally(() => underWay.delete(key));
}

function lookUpAll(name: string, options: LookupOptions): Promise<readonly LookupAddress[]> {
  return new Promise((resolve, reject) => {
    lookup(name, { ...options, all: true }, (error, found) => {
      if (error) reject(error);
      else resolve(found);
    });
  });
}
