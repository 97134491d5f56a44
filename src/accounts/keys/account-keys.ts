import { addDays, dayOf, endOfDay, type Millis, parseDay } from '../../domain/day.ts';
import { AccountError } from '../../domain/errors.ts';
import { isOperatorScope } from '../../domain/key-scopes.ts';
import type { AccountTransaction, Store } from '../../store/connect.ts';
import { lockAccount } from '../account-sql.ts';
import { type Account, Accounts } from '../accounts.ts';
import { apiKeyHint, createApiKey, hashApiKey } from './api-key.ts';
import {
  type KeyRestrictions,
  type RestrictionChange,
  readRestrictions,
  restrict,
  storedRestrictions,
  UNRESTRICTED,
} from './key-restrictions.ts';
import * as sql from './key-sql.ts';

/** An API key without its secret. */
export interface AccountKey extends KeyRestrictions {
  readonly id: number;
  readonly accountId: number;
  readonly name: string;
  /** The last characters of the secret. */
  readonly hint: string;
  readonly status: 'active' | 'expired' | 'revoked';
  readonly createdAt: Millis;
  /** The moment from which it no longer works; null for never. */
  readonly expiresAt: Millis | null;
  readonly revokedAt: Millis | null;
  /** When and from which network address it was last used; null for never. */
  readonly lastUse: { readonly at: Millis; readonly address: string } | null;
  /** Requests charged to it today (UTC); null for a key without a limit, which is not counted. */
  readonly usedToday: number | null;
}

/** A new API key with its secret, which cannot be read again. */
export interface NewKey extends AccountKey {
  readonly key: string;
}

/** The settings of an API key that its owner chooses. */
export interface KeyOptions extends RestrictionChange {
  /** Its name, as chosen by the owner; `default` unless given. */
  readonly name?: string | undefined;
  /**
   * The last day (UTC) on which it works, as `YYYY-MM-DD`, or `never`. By default, a new key works
   * for the number of days that the operator sets.
   */
  readonly expires?: string | undefined;
  /** A secret of `createApiKey` that nobody uses yet; a new one unless given. */
  readonly key?: string;
}

/** The operator's settings for new API keys. */
export interface KeyRules {
  /** The number of days for which they work by default; `off` for no limit. */
  readonly keyDays: number | 'off';
}

/** The caller who changes an API key. */
interface KeyOwner {
  /** Treats keys of other accounts as unknown. */
  readonly accountId?: number;
  /** Refuses keys that have an operator scope. */
  readonly isOrdinary?: boolean;
}

/** The most API keys of an account that work at the same time. */
export const MAX_ACTIVE_KEYS = 5;

/** The most expired and revoked API keys of an account; older ones are deleted. */
export const MAX_ENDED_KEYS = 50;

const NAME = /^[^\p{C}]{1,100}$/u;
/** Ids fit a 32-bit integer of the database. */
const ID = /^\d{1,9}$/;

/** The API keys of accounts, as owners and operators manage them. Refusals are AccountErrors. */
export class AccountKeys {
  readonly #store: Store;
  readonly #accounts: Accounts;
  readonly #clock: () => Millis;
  readonly #rules: KeyRules;

  constructor(store: Store, clock: () => Millis, rules: KeyRules = { keyDays: 'off' }) {
    this.#store = store;
    this.#accounts = new Accounts(store, clock);
    this.#clock = clock;
    this.#rules = rules;
  }

  /** The end of a key created now, unless its owner chooses another; null for none. */
  get defaultExpiry(): Millis | null {
    const { keyDays } = this.#rules;
    return keyDays === 'off' ? null : endOfDay(addDays(dayOf(this.#clock()), keyDays));
  }

  /** Creates an API key for an account that has fewer than {@link MAX_ACTIVE_KEYS} active ones. */
  async create(email: string, options: KeyOptions = {}): Promise<NewKey> {
    const now = this.#clock();
    const name = parseName(options.name ?? 'default');
    const { expires } = options;
    const expiresAt = expires === undefined ? this.defaultExpiry : parseExpiry(expires, now);
    const restrictions = restrict(UNRESTRICTED, options);
    const account = await this.#accounts.find(email);
    requireOperatorFor(restrictions, account);
    if (account.verifiedAt === null) throw unconfirmed(account.email);
    const { key = createApiKey() } = options;
    const record = {
      accountId: account.id,
      name,
      ...secretOf(key, now),
      expiresAt,
      restrictions: storedRestrictions(restrictions),
    };
    const added = await this.#store.accounts.db.transaction().execute(async (transaction) => {
      await makeRoom(transaction, account.id, now);
      return sql.insertApiKey(transaction, record);
    });
    return { ...describe(unused(added), now), key };
  }

  /** Returns all API keys of an account, oldest first, expired and revoked ones included. */
  async list(email: string): Promise<AccountKey[]> {
    const account = await this.#accounts.find(email);
    const now = this.#clock();
    const keys = await sql.listApiKeys(this.#store.accounts.db, account.id, dayOf(now));
    return keys.map((key) => describe(key, now));
  }

  /** Changes an active API key, from its next request. Omitted options keep their value. */
  async update(id: string, options: KeyOptions, of: KeyOwner = {}): Promise<AccountKey> {
    const now = this.#clock();
    const found = await this.#find(id, of);
    const restrictions = restrict(readRestrictions(found.restrictions), options);
    if (options.scopes) {
      requireOperatorFor(restrictions, await this.#accounts.get(found.accountId));
    }
    const change = {
      ...(options.name !== undefined && { name: parseName(options.name) }),
      ...(options.expires !== undefined && { expiresAt: parseExpiry(options.expires, now) }),
      restrictions: storedRestrictions(restrictions),
    };
    const updated = await sql.updateApiKey(this.#store.accounts.db, found.id, change, now);
    if (!updated) throw notWorking(id, statusOf(found, now) === 'revoked' ? 'revoked' : 'expired');
    return describe({ ...found, ...updated }, now);
  }

  /**
   * Replaces the secret of an active API key; the old one stops working at once. With `hint`, only
   * if the old secret still ends in it.
   *
   * @throws AccountError CONFLICT if the key was replaced in the meantime.
   */
  async regenerate(id: string, of: KeyOwner & { hint?: string } = {}): Promise<NewKey> {
    const now = this.#clock();
    const found = await this.#find(id, of);
    const status = statusOf(found, now);
    if (status !== 'active') throw notWorking(id, status);
    const key = createApiKey();
    const seen = { id: found.id, hint: of.hint ?? found.hint };
    const replaced = await sql.replaceApiKey(this.#store.accounts.db, seen, secretOf(key, now));
    if (replaced) return { ...describe(unused(replaced), now), key };
    throw new AccountError(
      'CONFLICT',
      'The key was changed in the meantime. Reload it before you continue.',
    );
  }

  /** Revokes an API key at once and for good. Repeating it changes nothing. */
  async revoke(id: string, of: KeyOwner = {}): Promise<AccountKey> {
    const now = this.#clock();
    const found = await this.#find(id, of);
    await sql.revokeApiKey(this.#store.accounts.db, found.id, now);
    return describe(await this.#find(id), now);
  }

  async #find(id: string, { accountId, isOrdinary = false }: KeyOwner = {}): Promise<sql.UsedKey> {
    const { db } = this.#store.accounts;
    const today = dayOf(this.#clock());
    const found = ID.test(id) ? await sql.findApiKey(db, Number(id), today) : undefined;
    if (!found || found.accountId !== (accountId ?? found.accountId)) throw unknownKey(id);
    if (isOrdinary) requireOrdinary(id, readRestrictions(found.restrictions));
    return found;
  }
}

/**
 * Locks an account before adding an API key, and deletes its oldest ended keys.
 * @throws AccountError if it has {@link MAX_ACTIVE_KEYS} active keys.
 */
async function makeRoom(
  transaction: AccountTransaction,
  accountId: number,
  now: Millis,
): Promise<void> {
  await lockAccount(transaction, accountId);
  const keys = await sql.listApiKeys(transaction, accountId, dayOf(now));
  const isActive = (key: sql.KeyRecord) => statusOf(key, now) === 'active';
  const active = keys.filter(isActive);
  if (active.length >= MAX_ACTIVE_KEYS) throw tooManyKeys(active);
  const ended = keys.filter((key) => !isActive(key));
  for (const { id } of ended.slice(0, -MAX_ENDED_KEYS)) await sql.deleteApiKey(transaction, id);
}

function secretOf(key: string, now: Millis): sql.KeySecret {
  return { hash: hashApiKey(key), hint: apiKeyHint(key), createdAt: now };
}

/** A key with a new secret, which nobody has used. */
function unused(key: sql.KeyRecord): sql.UsedKey {
  return { ...key, lastUse: null, used: null };
}

function describe({ restrictions: stored, used, ...key }: sql.UsedKey, now: Millis): AccountKey {
  const restrictions = readRestrictions(stored);
  return {
    ...restrictions,
    ...key,
    status: statusOf(key, now),
    // A use before the key was regenerated belongs to its predecessor.
    lastUse: key.lastUse && key.lastUse.at < key.createdAt ? null : key.lastUse,
    usedToday: restrictions.dailyRequests === null ? null : (used ?? 0),
  };
}

function statusOf(
  { revokedAt, expiresAt }: Pick<sql.KeyRecord, 'revokedAt' | 'expiresAt'>,
  now: Millis,
): AccountKey['status'] {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
}

/** Refuses a key with an operator scope to an account that is not an operator. */
function requireOperatorFor(
  { scopes }: KeyRestrictions,
  { email, isOperator }: Pick<Account, 'email' | 'isOperator'>,
): void {
  const scope = scopes?.find(isOperatorScope);
  if (scope === undefined || isOperator) return;
  throw new AccountError('REFUSED', `Only keys of operators may have the scope ${scope}.`, {
    advice: `\`cardprice account set-operator ${email} on\` makes an account an operator.`,
  });
}

/**
 * Refuses to change a key that has an operator scope. Only its owner may, or the command line:
 * otherwise such a key could lift its own limits, or outlive being revoked.
 */
function requireOrdinary(id: string, { scopes }: KeyRestrictions): void {
  if (!scopes?.some(isOperatorScope)) return;
  throw new AccountError(
    'REFUSED',
    `The key ${id} has an operator scope: its owner changes it on the page Keys.`,
    { advice: 'So does `cardprice key update`.' },
  );
}

function parseName(text: string): string {
  if (NAME.test(text)) return text;
  throw new AccountError(
    'REFUSED',
    'The name of a key is 1 to 100 characters, without control characters.',
  );
}

function parseExpiry(text: string, now: Millis): Millis | null {
  if (text === 'never') return null;
  const day = parseDay(text);
  if (day === undefined) {
    throw new AccountError(
      'REFUSED',
      `"${text}" is not a date. Write it as YYYY-MM-DD, such as 2030-12-31, or never.`,
    );
  }
  const expiresAt = endOfDay(day);
  if (expiresAt > now) return expiresAt;
  throw new AccountError('REFUSED', `The expiry date ${text} is in the past.`);
}

function unknownKey(id: string): AccountError {
  return new AccountError('REFUSED', `There is no key with the id "${id}".`, {
    advice: '`cardprice key list --account E` shows the ids.',
  });
}

function notWorking(id: string, status: 'expired' | 'revoked'): AccountError {
  const reason = status === 'revoked' ? 'was revoked' : 'has expired';
  return new AccountError('REFUSED', `The key ${id} ${reason}.`, {
    advice: 'Create a new one: `cardprice key create`.',
  });
}

function unconfirmed(email: string): AccountError {
  return new AccountError('REFUSED', `The account ${email} is not confirmed yet.`, {
    advice: `\`cardprice account confirm ${email}\` confirms it.`,
  });
}

function tooManyKeys(active: readonly sql.UsedKey[]): AccountError {
  const idle = active.find(({ lastUse }) => lastUse === null);
  const advice = idle ? `: "${idle.name}" (…${idle.hint}) was never used.` : '.';
  return new AccountError(
    'REFUSED',
    `The account has ${MAX_ACTIVE_KEYS} active keys, which is the most it may have. ` +
      `Revoke one first${advice}`,
    { advice: '`cardprice key revoke ID` revokes a key.' },
  );
}
