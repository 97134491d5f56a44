import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { buildConnector } from 'undici';

/**
 * Connections to nothing but the public internet, for requests whose addresses others choose: a
 * redirect, a listing or a catalogue may name a machine of the operator's own network, or a name
 * that leads there. The check is of the very addresses that are connected to, so that a name cannot
 * lead somewhere else after it.
 */

/** A connection that was refused because it would have left the public internet. */
export class PrivateAddress extends Error {
  constructor(hostname: string, address: string) {
    const where = hostname === address ? address : `${hostname} (${address})`;
    super(`${where} is no address of the public internet`);
    this.name = 'PrivateAddress';
  }
}

/** The last four bytes of these are the IPv4 address to which a gateway leads (RFC 6052). */
const TRANSLATED = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** All that was ever given out of IPv6 for the internet. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an IP address is one of the public internet: neither of this machine nor of a private
 * network, and not link-local, where clouds answer with their metadata. False for other texts.
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

/** Whether a host, such as that of a URL, is this machine by its name or address. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '');
  if (isIP(name) === 0) return name === 'localhost' || name.endsWith('.localhost');
  return ipaddr.process(name).range() === 'loopback';
}

/**
 * Makes the `connect` of an undici agent. An origin that `isTrusted` may be anywhere, and others
 * have to be public: a connection to anything else fails with {@link PrivateAddress}.
 */
export function connectInPublic(isTrusted: (origin: string) => boolean): buildConnector.connector {
  const anywhere = buildConnector({});
  const inPublic = buildConnector({ lookup: lookUpPublic });
  return (options, callback) => {
    const { protocol, host = '', hostname } = options;
    if (isTrusted(`${protocol}//${host}`)) return anywhere(options, callback);
    // An address needs no look-up.
    if (isIP(hostname) === 0 || isPublicAddress(hostname)) return inPublic(options, callback);
    callback(new PrivateAddress(hostname, hostname), null);
  };
}

/** Looks a name up, and fails with {@link PrivateAddress} when one of its addresses is private. */
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
 * Looks a name up; who asks for the same one meanwhile gets the same answer. Each look-up takes one
 * of the few threads that files and passwords need as well, for as long as a name server is silent.
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
