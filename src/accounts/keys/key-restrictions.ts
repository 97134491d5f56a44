import { AccountError } from '../../domain/errors.ts';
import {
  ALL_SCOPE_NAMES,
  findKeyScope,
  KEY_SCOPE_NAMES,
  type KeyScope,
} from '../../domain/key-scopes.ts';
import { networkMatcher, parseNetwork } from './key-addresses.ts';

/** What an API key may do less than its account. */
export interface KeyRestrictions {
  /** What it may be used for; null for everything, also for what comes later. */
  readonly scopes: readonly KeyScope[] | null;
  /** Requests a day (UTC) that it may use of the quota of its account; null for all of them. */
  readonly dailyRequests: number | null;
  /** The networks from which it may be used, in canonical CIDR notation; null for all. */
  readonly addresses: readonly string[] | null;
  /** Whether it works as `?api_key=`, too. */
  readonly inQuery: boolean;
}

/** Restrictions as somebody wrote them; what is left out stays as it is. */
export interface RestrictionChange {
  /** Names of scopes; all of them for no restriction. */
  readonly scopes?: readonly string[] | undefined;
  /** Null for no limit of the key's own. */
  readonly dailyRequests?: number | null | undefined;
  /** Addresses and networks; none for no restriction. */
  readonly addresses?: readonly string[] | undefined;
  readonly inQuery?: boolean | undefined;
}

/** The restrictions of a key in use. */
export interface KeyAccess extends KeyRestrictions {
  /** Whether the key may be used from a network address. */
  allows(address: string): boolean;
}

/** A key that may do all that its account may. */
export const UNRESTRICTED: KeyRestrictions = {
  scopes: null,
  dailyRequests: null,
  addresses: null,
  inQuery: true,
};

/** The most networks of a key. */
export const MAX_KEY_ADDRESSES = 20;
/** The highest limit of a key: the counts of the database are 32-bit integers. */
export const MAX_KEY_REQUESTS = 999_999_999;

/**
 * Restrictions with a change.
 *
 * @throws AccountError when a scope, a network or the limit is not allowed.
 */
export function restrict(before: KeyRestrictions, change: RestrictionChange): KeyRestrictions {
  const { scopes, dailyRequests, addresses, inQuery } = change;
  return {
    scopes: scopes === undefined ? before.scopes : readScopes(scopes),
    dailyRequests: dailyRequests === undefined ? before.dailyRequests : readLimit(dailyRequests),
    addresses: addresses === undefined ? before.addresses : readAddresses(addresses),
    inQuery: inQuery ?? before.inQuery,
  };
}

/** Restrictions as the database stores them: JSON, null for none. */
export function storedRestrictions(restrictions: KeyRestrictions): string | null {
  const { scopes, dailyRequests, addresses, inQuery } = restrictions;
  if (scopes === null && dailyRequests === null && addresses === null && inQuery) return null;
  return JSON.stringify({ scopes, dailyRequests, addresses, inQuery });
}

/** Restrictions of their stored form. */
export function readRestrictions(stored: string | null): KeyRestrictions {
  return stored === null ? UNRESTRICTED : (JSON.parse(stored) as KeyRestrictions);
}

/** Restrictions of their stored form, ready to be checked. */
export function keyAccess(stored: string): KeyAccess {
  const restrictions = readRestrictions(stored);
  const { addresses } = restrictions;
  return { ...restrictions, allows: addresses === null ? () => true : networkMatcher(addresses) };
}

function readScopes(names: readonly string[]): KeyScope[] | null {
  const scopes = new Set(names.map(requireScope));
  if (scopes.size === 0) throw refusal('A key needs at least one scope.');
  const chosen = ALL_SCOPE_NAMES.filter((scope) => scopes.has(scope));
  const isUnrestricted = chosen.join() === KEY_SCOPE_NAMES.join();
  return isUnrestricted ? null : chosen;
}

function requireScope(name: string): KeyScope {
  const scope = findKeyScope(name);
  if (scope) return scope;
  throw refusal(`There is no scope "${name}". The scopes are ${ALL_SCOPE_NAMES.join(', ')}.`);
}

function readLimit(limit: number | null): number | null {
  if (limit === null) return null;
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_KEY_REQUESTS) return limit;
  throw refusal('The limit of a key is a whole number of requests a day, at least 1.');
}

function readAddresses(texts: readonly string[]): string[] | null {
  const networks = [...new Set(texts.map(requireNetwork))];
  if (networks.length > MAX_KEY_ADDRESSES) {
    throw refusal(`A key has at most ${MAX_KEY_ADDRESSES} addresses and networks.`);
  }
  return networks.length === 0 ? null : networks;
}

function requireNetwork(text: string): string {
  const network = parseNetwork(text);
  if (network !== undefined) return network;
  throw refusal(
    `"${text}" is neither an address nor a network, such as 203.0.113.7, 203.0.113.0/24 or ` +
      '2001:db8::/48.',
  );
}

function refusal(reason: string): AccountError {
  return new AccountError('REFUSED', reason);
}
