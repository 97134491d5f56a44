import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher, request } from 'undici';
import { isPublicAddress, PrivateAddress } from './public-addresses.ts';

/**
 * Restricts connections to the public internet, for requests whose addresses others choose. A
 * redirect, a listing or a catalogue may name a machine in the operator's own network, or a host
 * name that resolves to one. The check looks at the addresses that the connection then uses, so a
 * host name cannot resolve to a different address after the check.
 */

interface PublicAgentOptions extends Omit<Agent.Options, 'connect'> {
  /** Whether an origin may be in a private network. */
  readonly isTrusted: (origin: string) => boolean;
}

type RequestOptions = Omit<Dispatcher.RequestOptions<null>, 'origin' | 'path' | 'method'>;

/**
 * Makes requests of HTTP, and follows no redirects. Import this file only when a request is made:
 * the client takes 5 MB.
 */
export class PublicAgent {
  readonly #agent: Agent;

  constructor({ isTrusted, ...options }: PublicAgentOptions) {
    this.#agent = new Agent({ ...options, connect: connectInPublic(isTrusted) });
  }

  /** Fails with {@link PrivateAddress} if neither the address is public nor the origin trusted. */
  request(url: URL, options: RequestOptions): Promise<Dispatcher.ResponseData> {
    return request(url, { ...options, dispatcher: this.#agent });
  }

  close(): Promise<void> {
    return this.#agent.close();
  }
}

/**
 * Makes the `connect` function of an undici agent. An origin for which `isTrusted` returns true may
 * be anywhere. Connections to others fail with {@link PrivateAddress} unless they are public.
 */
function connectInPublic(isTrusted: (origin: string) => boolean): buildConnector.connector {
  const anywhere = buildConnector({});
  const inPublic = buildConnector({ lookup: lookUpPublic });
  return (options, callback) => {
    const { protocol, host = '', hostname } = options;
    if (isTrusted(`${protocol}//${host}`)) return anywhere(options, callback);
    // An IP address needs no lookup.
    if (isIP(hostname) === 0 || isPublicAddress(hostname)) return inPublic(options, callback);
    callback(new PrivateAddress(hostname, hostname), null);
  };
}

/** Looks up a name. Fails with {@link PrivateAddress} if one of its addresses is private. */
const lookUpPublic: LookupFunction = (hostname, options, callback) => {
  const reply = (found: readonly LookupAddress[]) => {
    const refused = found.find(({ address }) => !isPublicAddress(address));
    const [first] = found;
    if (refused) callback(new PrivateAddress(hostname, refused.address), '');
    else if (options.all) callback(null, [...found]);
    else callback(null, first?.address ?? '', first?.family);
  };
  lookUpOnce(hostname, options).then(reply, (error) => callback(error, ''));
};

const underWay = new Map<string, Promise<readonly LookupAddress[]>>();

/**
 * Looks up a name. Concurrent calls for the same name share one lookup, because a lookup occupies
 * one of the few threads that files and passwords also need until the name server answers.
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
