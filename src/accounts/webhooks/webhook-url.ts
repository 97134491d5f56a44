import { isIP } from 'node:net';
import { networkMatcher } from '../../lib/networks.ts';
import { isPublicAddress } from '../../lib/public-addresses.ts';

/** The networks that webhooks of accounts may be in. */
export interface WebhookPlaces {
  /**
   * Whether a URL is allowed only in the operator's networks: plain http, or a port other than 443.
   */
  isOnlyLocal(url: URL): boolean;
  /** Whether a connection to an address is allowed. */
  allows(address: string, isOnlyLocal: boolean): boolean;
  /** Whether the operator allows any network. */
  readonly hasNetworks: boolean;
}

/**
 * Returns where webhooks may be if the operator allows these networks in addition to the internet.
 */
export function webhookPlaces(networks: readonly string[]): WebhookPlaces {
  const isInNetwork = networkMatcher(networks);
  return {
    isOnlyLocal: ({ protocol, port }) => protocol !== 'https:' || port !== '',
    allows: (address, isOnlyLocal) => {
      return isInNetwork(address) || (!isOnlyLocal && isPublicAddress(address));
    },
    hasNetworks: networks.length > 0,
  };
}

/** The most characters of a URL. */
export const MAX_WEBHOOK_URL = 500;

/**
 * Returns the URL of a webhook as stored, or why it is refused. Whether a host name leads to an
 * allowed address can change, so every send checks it.
 */
export function readWebhookUrl(
  text: string,
  places: WebhookPlaces,
): { readonly url: string } | { readonly problem: string } {
  const url = URL.parse(text);
  if (!url || text.length > MAX_WEBHOOK_URL) {
    return { problem: `A webhook needs an https:// URL of up to ${MAX_WEBHOOK_URL} characters.` };
  }
  const problem = problemOf(url, places);
  if (problem !== undefined) return { problem };
  url.hash = '';
  return { url: url.href };
}

function problemOf(url: URL, places: WebhookPlaces): string | undefined {
  const { protocol, username, password } = url;
  const isLocal = places.isOnlyLocal(url);
  if (protocol !== 'https:' && !(protocol === 'http:' && places.hasNetworks)) {
    return 'A webhook needs an https:// URL.';
  }
  if (username !== '' || password !== '') return 'The URL may not contain a user or a password.';
  if (isLocal && !places.hasNetworks) return 'The URL may not contain a port.';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isAllowed =
    isIP(host) === 0 ? places.hasNetworks || isInternetName(host) : places.allows(host, isLocal);
  return isAllowed ? undefined : 'The URL must be an address of the public internet.';
}

/** Whether a host name can be on the internet: it has a dot, and no reserved ending. */
function isInternetName(host: string): boolean {
  return /[^.]\.[^.]+$/.test(host) && !RESERVED_ENDING.test(host);
}

/** The names that RFC 2606, 6761, 6762, 7686, 8375 and ICANN reserve. */
const RESERVED_ENDING = /(^|\.)(localhost|local|internal|home\.arpa|lan|test|invalid|onion)$/;
