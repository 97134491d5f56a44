import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { buildConnector } from 'undici';

/**
 * Restricts connections to the public internet, for requests whose addresses others choose. A
 * redirect, a listing or a catalogue may name a machine in the operator's own network, or a host
 * name that resolves to one. The check looks at the addresses that the connection then uses, so a
 * host name cannot resolve to a different address after the check.
 */

/** A connection was refused because its address is not on the public internet. */
export class PrivateAddress extends Error {
  constructor(hostname: string, address: string) {
    const where = hostname === address ? address : `${hostname} (${address})`;
    super(`${where} is not a public internet address`);
    this.name = 'PrivateAddress';
  }
}

/** The last four bytes of these are the IPv4 address behind a gateway (RFC 6052). */
const TRANSLATED = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** All IPv6 addresses that are assigned for the internet. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether a text is an IP address of the public internet. Addresses of this machine and of private
 * networks are not, and neither are link-local ones, where clouds serve their metadata.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv6 && parsed.match(TRANSLATED)) {
    return isPublicAddress(parsed.toByteArray().slice(-4).join('.'));
  }
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(GLOBAL_IPV6)) return false;
  return parsed.range() === 'unicast';
}

/**
 * Makes the `connect` function of an undici agent. An origin for which `isTrusted` returns true may
 * be anywhere. Connections to others fail with {@link PrivateAddress} unless they are public.
 */
export function connectInPublic(isTrusted: (origin: string) => boolean): buildConnector.connector {
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
