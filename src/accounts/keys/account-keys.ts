import { addDays, dayOf, endOfDay, type Millis, parseDay } from '../../domain/day.ts';
import { AccountError } from '../../domain/errors.ts';
import type { ApiKeyRow } from '../../store/accounts/schema.ts';
import type { Store } from '../../store/connect.ts';
import * as sql from '../account-sql.ts';
import { Accounts } from '../accounts.ts';
import { apiKeyHint, createApiKey, hashApiKey } from './api-key.ts';
import {
  type KeyRestrictions,
  type RestrictionChange,
  readRestrictions,
  restrict,
  storedRestrictions,
  UNRESTRICTED,
} from './key-restrictions.ts';
import { requireOperatorFor, requireOrdinary } from './operator-scopes.ts';

/** An API key without its secret. */
export interface AccountKey extends KeyRestrictions {
  readonly id: number;
  readonly accountId: number;
  readonly name: string;
  /** The last characters of the key. */
  readonly hint: string;
  readonly status: 'active' | 'expired' | 'revoked';
  readonly createdAt: Millis;
  /** The moment from which it does not work any more; null for never. */
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

/** What the owner of an API key decides about it. */
export interface KeyOptions extends RestrictionChange {
  /** What the owner calls it; `default` unless given. */
  readonly name?: string | undefined;
  /**
   * `YYYY-MM-DD` (UTC), the last day on which it works, or `never`. A new key lasts as long as the
   * service says unless this is given.
   */
  readonly expires?: string | undefined;
  /** A secret of `createApiKey` that nobody uses yet; a new one unless given. */
  readonly key?: string;
}

/** What the operator decides about new API keys. */
export interface KeyRules {
  /** For how many days they work unless their owner says otherwise; `off` for until revoked. */
  readonly keyDays: number | 'off';
}

/** Which API key is meant. */
interface KeyOwner {
  /** A key of another account is unknown. */
  readonly accountId?: number;
  /** Whether a key that has a scope of operators is refused. */
  readonly isOrdinary?: boolean;
}

/** The most API keys of an account that work at the same time. */
export const MAX_ACTIVE_KEYS = 5;

const CHANGED = 'The key was changed in the meantime. Look at it again before you go on.';

/** The most expired and revoked API keys of an account; older ones are deleted. */
const MAX_ENDED_KEYS = 50;

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

  /** The last day (UTC) of a key that is made now, as the service suggests; null for no end. */
  get defaultExpiry(): Millis | null {
    const { keyDays } = this.#rules;
    return keyDays === 'off' ? null : endOfDay(addDays(dayOf(this.#clock()), keyDays));
  }

  /** Makes an API key for an account that has fewer than {@link MAX_ACTIVE_KEYS} active ones. */
  async create(email: string, options: KeyOptions = {}): Promise<NewKey> {
    const now = this.#clock();
    const name = parseName(options.name ?? 'default');
    const { expires } = options;
    const expiresAt = expires === undefined ? this.defaultExpiry : parseExpiry(expires, now);
    const restricted = restrict(UNRESTRICTED, options);
    const restrictions = storedRestrictions(restricted);
    const account = await this.#accounts.find(email);
    requireOperatorFor(restricted, account);
    if (account.verifiedAt === null) throw unconfirmed(account.email);
    const { key = createApiKey() } = options;
    const row = await sql.insertApiKey(this.#store.accounts.db, {
      account_id: account.id,
      name,
      ...stored(key, now),
      expires_at: expiresAt,
      restrictions,
    });
    await this.#requireRoom(row);
    return { ...describe(row, now), key };
  }

  /** Every API key of an account, oldest first, including expired and revoked ones. */
  async list(email: string): Promise<AccountKey[]> {
    const account = await this.#accounts.find(email);
    const now = this.#clock();
    const rows = await sql.listApiKeys(this.#store.accounts.db, account.id, dayOf(now));
    return rows.map((row) => describe(row, now));
  }

  /** Changes an active API key from its next request on; what `options` leave out stays. */
  async update(id: string, options: KeyOptions, of: KeyOwner = {}): Promise<AccountKey> {
    const now = this.#clock();
    const found = await this.#find(id, of);
    const restrictions = restrict(readRestrictions(found.restrictions), options);
    if (options.scopes)
      requireOperatorFor(restrictions, await this.#accounts.get(found.account_id));
    const change = {
      ...(options.name !== undefined && { name: parseName(options.name) }),
      ...(options.expires !== undefined && { expires_at: parseExpiry(options.expires, now) }),
      restrictions: storedRestrictions(restrictions),
    };
    const row = await sql.updateApiKey(this.#store.accounts.db, found.id, change, now);
    if (!row) throw notWorking(id, statusOf(found, now) === 'revoked' ? 'revoked' : 'expired');
    return describe({ ...found, ...row }, now);
  }

  /**
   * Replaces an active API key; the old one stops working at once. A key of another account than
   * `of` is unknown. A key that does not end in `hint` has been replaced meanwhile and stays.
   *
   * @throws AccountError CONFLICT in that case.
   */
  async regenerate(id: string, of: KeyOwner & { hint?: string } = {}): Promise<NewKey> {
    const now = this.#clock();
    const found = await this.#find(id, of);
    const status = statusOf(found, now);
    if (status !== 'active') throw notWorking(id, status);
    const key = createApiKey();
    const as = { id: found.id, hint: of.hint ?? found.hint };
    const row = await sql.replaceApiKey(this.#store.accounts.db, as, stored(key, now));
    if (!row) throw new AccountError('CONFLICT', CHANGED);
    return { ...describe(row, now), key };
  }

  /**
   * Makes an API key stop working at once and for good. Revoking it again changes nothing. A key of
   * another account than `of` is unknown.
   */
  async revoke(id: string, of: KeyOwner = {}): Promise<AccountKey> {
    const now = this.#clock();
    const found = await this.#find(id, of);
    await sql.revokeApiKey(this.#store.accounts.db, found.id, now);
    return describe(await this.#find(id), now);
  }

  async #find(
    id: string,
    { accountId, isOrdinary = false }: KeyOwner = {},
  ): Promise<sql.ApiKeyWithUse> {
    const { db } = this.#store.accounts;
    const today = dayOf(this.#clock());
    const row = ID.test(id) ? await sql.findApiKey(db, Number(id), today) : undefined;
    if (!row || row.account_id !== (accountId ?? row.account_id)) throw unknownKey(id);
    if (isOrdinary) requireOrdinary(id, readRestrictions(row.restrictions));
    return row;
  }

  /**
   * Deletes a new API key that is one too many. Keys are counted after the insertion, so that two
   * processes that insert at the same moment both see both keys.
   */
  async #requireRoom(added: ApiKeyRow): Promise<void> {
    const today = dayOf(added.created_at);
    const rows = await sql.listApiKeys(this.#store.accounts.db, added.account_id, today);
    const isActive = (row: ApiKeyRow) => statusOf(row, added.created_at) === 'active';
    if (rows.filter(isActive).length > MAX_ACTIVE_KEYS) {
      await sql.deleteApiKey(this.#store.accounts.db, added.id);
      throw tooManyKeys();
    }
    const ended = rows.filter((row) => !isActive(row));
    for (const row of ended.slice(0, -MAX_ENDED_KEYS)) {
      await sql.deleteApiKey(this.#store.accounts.db, row.id);
    }
  }
}

function stored(key: string, now: Millis): Pick<ApiKeyRow, 'hash' | 'hint' | 'created_at'> {
  return { hash: hashApiKey(key), hint: apiKeyHint(key), created_at: now };
}

function describe(row: ApiKeyRow | sql.ApiKeyWithUse, now: Millis): AccountKey {
  const restrictions = readRestrictions(row.restrictions);
  const used = 'used' in row ? row.used : null;
  return {
    ...restrictions,
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    hint: row.hint,
    status: statusOf(row, now),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUse: 'used_at' in row ? lastUseOf(row) : null,
    usedToday: restrictions.dailyRequests === null ? null : (used ?? 0),
  };
}

/** The last use; one from before the key was regenerated is of its predecessor and not shown. */
function lastUseOf({ used_at, used_from, created_at }: sql.ApiKeyWithUse): AccountKey['lastUse'] {
  if (used_at === null || used_from === null || used_at < created_at) return null;
  return { at: used_at, address: used_from };
}

function statusOf(row: ApiKeyRow, now: Millis): AccountKey['status'] {
  if (row.revoked_at !== null) return 'revoked';
  return row.expires_at !== null && row.expires_at <= now ? 'expired' : 'active';
}

function parseName(text: string): string {
  if (!NAME.test(text)) {
    throw new AccountError(
      'REFUSED',
      'The name of a key is 1 to 100 characters, without control characters.',
    );
  }
  return text;
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
  if (expiresAt <= now) {
    throw new AccountError('REFUSED', `The expiry date ${text} is in the past.`);
  }
  return expiresAt;
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
    advice: `\`cardprice account confirm ${email}\` does.`,
  });
}

function tooManyKeys(): AccountError {
  return new AccountError(
    'REFUSED',
    `The account has ${MAX_ACTIVE_KEYS} active keys, which is the most it may have. ` +
      'Revoke one first.',
    { advice: '`cardprice key revoke ID` does.' },
  );
}
