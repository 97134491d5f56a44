import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

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
