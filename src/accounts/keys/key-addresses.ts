import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The networks from which an API key may be used, in CIDR notation: `203.0.113.0/24`. */

/**
 * A network in its canonical form: without host bits, IPv6 shortened. A single address becomes a /32
 * or a /128; undefined when the text is no network.
 */
export function parseNetwork(text: string): string | undefined {
  const [address = '', prefix, ...rest] = text.split('/');
  // The library also takes octal and shortened IPv4 addresses, which Node refuses, and zones.
  const family = address.includes('%') ? 0 : isIP(address);
  if (family === 0 || rest.length > 0) return undefined;
  const bits = prefix === undefined ? widthOf(family) : readPrefix(prefix);
  if (bits === undefined || bits > widthOf(family)) return undefined;
  return canonical(address, bits);
}

function widthOf(family: number): number {
  return family === 4 ? 32 : 128;
}

function readPrefix(text: string): number | undefined {
  return /^\d{1,3}$/.test(text) ? Number(text) : undefined;
}

/** The length of the prefix of the IPv6 addresses that stand for IPv4 addresses. */
const MAPPED_BITS = 96;

function canonical(address: string, bits: number): string {
  const parsed = ipaddr.parse(address);
  if (!(parsed instanceof ipaddr.IPv6)) {
    return `${ipaddr.IPv4.networkAddressFromCIDR(`${address}/${bits}`)}/${bits}`;
  }
  if (parsed.isIPv4MappedAddress() && bits >= MAPPED_BITS) {
    return canonical(parsed.toIPv4Address().toString(), bits - MAPPED_BITS);
  }
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`)}/${bits}`;
}

/** Returns whether an address is in one of these canonical networks; what is none never is. */
export function networkMatcher(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits = ''] = network.split('/');
    list.addSubnet(address, Number(bits), isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }
  return (address) => {
    const family = isIP(address);
    return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6');
  };
}
