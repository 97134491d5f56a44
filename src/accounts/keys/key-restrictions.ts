import { Type } from 'typebox';
import { AccountError } from '../../domain/errors.ts';
import {
  ALL_SCOPE_NAMES,
  findKeyScope,
  KEY_SCOPE_NAMES,
  type KeyScope,
} from '../../domain/key-scopes.ts';
import { jsonColumn } from '../../lib/json-column.ts';
import { networkMatcher, parseNetwork } from '../../lib/networks.ts';

/** The restrictions of an API key, compared with its account. */
export interface KeyRestrictions {
  /** Its scopes; null for all of the API, including later ones. An empty list allows nothing. */
  readonly scopes: readonly KeyScope[] | null;
  /** Requests per day (UTC) that it may use from its account's quota; null for all of them. */
  readonly dailyRequests: number | null;
  /** The networks from which it may be used, in canonical CIDR notation; null for all. */
  readonly addresses: readonly string[] | null;
  /** Whether the key is also accepted as `?api_key=`. */
  readonly inQuery: boolean;
}

/** A change of restrictions. Omitted parts keep their value. */
export interface RestrictionChange {
  /** Names of scopes. Listing all scopes of the API removes the restriction. */
  readonly scopes?: readonly string[] | undefined;
  /** Null removes the limit. */
  readonly dailyRequests?: number | null | undefined;
  /** Addresses and networks. An empty list removes the restriction. */
  readonly addresses?: readonly string[] | undefined;
  readonly inQuery?: boolean | undefined;
}

/** The restrictions of a key in use. */
export interface KeyAccess extends KeyRestrictions {
  /** Returns whether the key may be used from a network address. */
  allows(address: string): boolean;
}

/** A key that may do everything its account may. */
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
 * Returns restrictions with a change applied.
 *
 * @throws AccountError if a scope, a network or the limit is not allowed.
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

/** Restrictions as they are stored. The scopes may include ones that no longer exist. */
interface StoredRestrictions extends Omit<KeyRestrictions, 'scopes'> {
  readonly scopes: readonly string[] | null;
}

const COLUMN = jsonColumn<StoredRestrictions>(
  'api_keys.restrictions',
  Type.Object({
    scopes: Type.Union([Type.Null(), Type.Array(Type.String())]),
    dailyRequests: Type.Union([Type.Null(), Type.Integer()]),
    addresses: Type.Union([Type.Null(), Type.Array(Type.String())]),
    inQuery: Type.Boolean(),
  }),
);

/** Returns restrictions in their stored form: JSON, or null for none. */
export function storedRestrictions(restrictions: KeyRestrictions): string | null {
  const { scopes, dailyRequests, addresses, inQuery } = restrictions;
  if (scopes === null && dailyRequests === null && addresses === null && inQuery) return null;
  return COLUMN.write({ scopes, dailyRequests, addresses, inQuery });
}

/**
 * Returns the restrictions of their stored form. Omits scopes that no longer exist. A key with no
 * remaining scopes keeps an empty list, which allows nothing.
 */
export function readRestrictions(stored: string | null): KeyRestrictions {
  const restrictions = COLUMN.read(stored);
  if (restrictions === null) return UNRESTRICTED;
  const scopes = restrictions.scopes?.map(findKeyScope).filter((scope) => scope !== undefined);
  return { ...restrictions, scopes: scopes ?? null };
}

/** Returns the restrictions of their stored form, ready to be checked. */
export function keyAccess(stored: string): KeyAccess {
  const restrictions = readRestrictions(stored);
  const { addresses } = restrictions;
  return { ...restrictions, allows: addresses === null ? () => true : networkMatcher(addresses) };
}

function readScopes(names: readonly string[]): KeyScope[] | null {
  const scopes = new Set(names.map(requireScope));
  if (scopes.size === 0) {
    throw refusal('A key needs at least one scope. Name one, or all of them for no restriction.');
  }
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
    `"${text}" is neither an address nor a network. Write it like 203.0.113.7, 203.0.113.0/24 or ` +
      '2001:db8::/48.',
  );
}

function refusal(reason: string): AccountError {
  return new AccountError('REFUSED', reason);
}
