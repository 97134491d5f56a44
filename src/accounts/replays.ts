import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto';
import { type Millis, MS_PER_DAY } from '../domain/day.ts';
import { AccountError } from '../domain/errors.ts';
import type { Store } from '../store/connect.ts';
import { isLockTimeout } from '../store/engine/unavailable.ts';
import { inTransaction } from '../store/transaction.ts';
import * as sql from './replay-sql.ts';

/** How long answers are kept, in milliseconds. */
export const REPLAY_MS: Millis = MS_PER_DAY;

/** A request that its sender may repeat. */
export interface RepeatableRequest {
  /** The sender: an account with a session, or an API key. Each has its own keys. */
  readonly sender: string;
  /** The account of the sender. The answer is deleted together with it. */
  readonly accountId: number;
  /** The `Idempotency-Key` of the request. */
  readonly key: string;
  /** The route and the body, in any form. */
  readonly content: string;
}

/** The work of a request. */
interface Work<Prepared> {
  /** Waits for all work outside the database of accounts. */
  prepare(): Promise<Prepared> | Prepared;
  /** Creates something with a store that is in a transaction, and returns the answer as JSON. */
  create(store: Store, prepared: Prepared): Promise<unknown> | unknown;
}

/** The answer to a request, and whether an earlier request created it. */
export interface Outcome {
  readonly answer: unknown;
  readonly isReplay: boolean;
}

/**
 * Keeps answers for {@link REPLAY_MS}, so a client that lost the answer can repeat a request that
 * creates something. An answer is stored in the same transaction as its creation, so the database
 * has both or neither. Answers contain secrets, so each is encrypted with a key that only the
 * sender can derive again (docs/adr/0040).
 */
export class Replays {
  readonly #store: Store;
  readonly #clock: () => Millis;

  constructor(store: Store, clock: () => Millis) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Creates something in one transaction and keeps the answer, or returns the earlier answer to the
   * same request. Without a request, keeps nothing. A failure is not kept, because it created
   * nothing.
   *
   * @throws AccountError if the key was sent with other content, or if the request still runs.
   */
  async run<Prepared>(
    request: RepeatableRequest | undefined,
    { prepare, create }: Work<Prepared>,
  ): Promise<Outcome> {
    const sealed = request && new SealedAnswer(request);
    const earlier = sealed && (await this.#find(this.#store, sealed));
    if (earlier) return earlier;
    const prepared = await prepare();
    return inTransaction(this.#store, async (store) => {
      const faster = sealed && (await this.#claim(store, sealed));
      if (faster) return faster;
      const answer = await create(store, prepared);
      if (sealed) await sql.keepAnswer(store.accounts.db, sealed.id, sealed.seal(answer));
      return { answer, isReplay: false };
    });
  }

  /** Deletes the answers that have expired. */
  removeExpired(): Promise<void> {
    return sql.deleteExpiredReplays(this.#store.accounts.db, this.#clock());
  }

  async #find({ accounts: { db } }: Store, sealed: SealedAnswer): Promise<Outcome | undefined> {
    const text = await sql.findAnswer(db, sealed.id, this.#clock());
    return text === undefined ? undefined : { answer: sealed.open(text), isReplay: true };
  }

  /** Reserves the row for an answer, or returns the answer of a faster request. */
  async #claim(store: Store, sealed: SealedAnswer): Promise<Outcome | undefined> {
    const { db, engine } = store.accounts;
    const now = this.#clock();
    const record = { id: sealed.id, accountId: sealed.accountId, expiresAt: now + REPLAY_MS };
    await engine.limitLockWait(db);
    const isClaimed = await sql.claimReplay(db, record, now).catch((error) => {
      throw isLockTimeout(error) ? stillRunning() : error;
    });
    return isClaimed ? undefined : this.#find(store, sealed);
  }
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts and decrypts the answer of one request. */
class SealedAnswer {
  /** The id under which the answer is stored. It reveals neither the request nor its key. */
  readonly id: string;
  readonly accountId: number;
  readonly #key: Buffer;
  readonly #content: string;

  constructor({ sender, accountId, key, content }: RepeatableRequest) {
    const bytes = Buffer.from(hkdfSync('sha256', key, sender, 'cardprice replay', 64));
    this.id = bytes.toString('hex', 0, 32);
    this.accountId = accountId;
    this.#key = bytes.subarray(32);
    this.#content = hash('sha256', content);
  }

  seal(answer: unknown): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce);
    const text = JSON.stringify({ content: this.#content, answer });
    const bytes = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), bytes]).toString('base64');
  }

  /** @throws AccountError if the answer belongs to a request with other content. */
  open(sealed: string): unknown {
    const bytes = Buffer.from(sealed, 'base64');
    const [nonce, rest] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES)];
    const decipher = createDecipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(rest.subarray(0, TAG_BYTES));
    const text = [decipher.update(rest.subarray(TAG_BYTES)), decipher.final()];
    const { content, answer } = JSON.parse(Buffer.concat(text).toString()) as {
      readonly content: string;
      readonly answer: unknown;
    };
    if (content !== this.#content) throw new AccountError('IDEMPOTENCY_KEY_REUSED', REUSED);
    return answer;
  }
}

const REUSED =
  'This Idempotency-Key was sent with another request. Send a new one with each new request, and ' +
  'the same one only to repeat a request that got no answer.';

function stillRunning(): AccountError {
  return new AccountError(
    'REQUEST_RUNNING',
    'A request with this Idempotency-Key is still running. Repeat it in 1 s to get its answer.',
    { retryAfter: 1 },
  );
}
