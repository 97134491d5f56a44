import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Returns a network in canonical CIDR notation: without host bits, IPv6 shortened. A single address
 * becomes a /32 or a /128. Returns undefined for any other text.
 */
export function parseNetwork(text: string): string | undefined {
  const [address = '', prefix, ...rest] = text.split('/');
  // The library also accepts zones, and octal and shortened IPv4 addresses, which Node refuses.
  const family = address.includes('%') ? 0 : isIP(address);
  if (family === 0 || rest.length > 0) return undefined;
  const width = family === 4 ? 32 : 128;
  const bits = prefix === undefined ? width : readPrefix(prefix);
  if (bits === undefined || bits > width) return undefined;
  return canonical(address, bits);
}

function readPrefix(text: string): number | undefined {
  return /^\d{1,3}$/.test(text) ? Number(text) : undefined;
}

/** The length of the prefix of IPv6 addresses that represent IPv4 addresses. */
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

/**
 * Returns a function that says whether an address is in one of these networks; it returns false for
 * any other text.
 *
 * @throws Error for a text that is not a network.
 */
export function networkMatcher(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const canonical = parseNetwork(network);
    if (canonical === undefined) throw new Error(`not a network: ${network}`);
    const [address = '', bits = ''] = canonical.split('/');
    list.addSubnet(address, Number(bits), isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }
  return (address) => {
    const family = isIP(address);
    return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6');
  };
}

/** Whether a host, such as the host of a URL, is the name or address of this machine. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '');
  if (isIP(name) === 0) return name === 'localhost' || name.endsWith('.localhost');
  return ipaddr.process(name).range() === 'loopback';
}

/**
 * Returns the network that counts as one caller: an IPv4 address, or the /64 that a provider gives
 * to one customer. Returns `unknown` for any other text.
 */
export function networkOf(address: string): string {
  // The library also accepts octal and shortened IPv4 addresses, which Node refuses.
  if (isIP(address) === 0) return 'unknown';
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? prefixOf(parsed, 4) : parsed.toString();
}

/**
 * Returns the wide network of an address: the /24 of IPv4, or the /48 that a provider gives to a
 * company or a rented server. All of its addresses may belong to one caller or to many.
 */
export function wideNetworkOf(address: string): string {
  if (isIP(address) === 0) return 'all unknown';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv6) return prefixOf(parsed, 3);
  return `${parsed.toByteArray().slice(0, 3).join('.')}.0/24`;
}

/** Returns the network of the first `groups` of an address, 16 bits each. */
function prefixOf({ parts }: ipaddr.IPv6, groups: number): string {
  const first = parts.slice(0, groups).map((group) => group.toString(16));
  return `${first.join(':')}::/${groups * 16}`;
}
