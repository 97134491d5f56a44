import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Millis } from '../../domain/day.ts';
import { AccountError } from '../../domain/errors.ts';
import type { Store } from '../../store/connect.ts';
import { AttemptLimiter } from './attempt-limiter.ts';
import { Devices } from './devices.ts';
import * as sql from './factor-sql.ts';
import { createReadable, READABLE_LENGTH } from './tokens.ts';

/** The kind of a right code. */
export type CodeKind = 'totp' | 'recovery-code';

/** A code, with the token by which the account knows the browser; `''` for an unknown browser. */
export interface SentCode {
  readonly code: string;
  readonly device: string;
}

/** The holder of the code. */
interface CodeHolder {
  readonly id: number;
  readonly email: string;
}

/** Verifies codes of authenticator apps and recovery codes. Each works once. */
export class Codes {
  readonly #store: Store;
  readonly #clock: () => Millis;
  readonly #attempts: AttemptLimiter;
  readonly #devices: Devices;

  constructor(store: Store, clock: () => Millis) {
    this.#store = store;
    this.#clock = clock;
    this.#attempts = new AttemptLimiter(store, clock);
    this.#devices = new Devices(store, clock);
  }

  /**
   * Uses up a code of an account and returns its kind. Wrong codes of an app slow down the account,
   * or the browser if the account knows it. So knowing the password is not enough to guess six
   * digits, and guesses never lock the owner out. Recovery codes cannot be guessed.
   *
   * @throws AccountError REFUSED if the code is wrong or was used before.
   */
  async use({ id, email }: CodeHolder, { code, device }: SentCode): Promise<CodeKind> {
    if (isRecoveryCode(code)) {
      if (await this.#useRecoveryCode(id, code)) return 'recovery-code';
      throw new AccountError('REFUSED', WRONG_CODE);
    }
    const known = await this.#devices.find(id, device);
    const attempt = known === undefined ? 'codeAccount' : 'codeDevice';
    await this.#attempts.count(attempt, known ?? email);
    if (!(await this.#useTotp(id, code))) throw new AccountError('REFUSED', WRONG_CODE);
    await this.#attempts.forget(attempt, known ?? email);
    return 'totp';
  }

  async #useTotp(accountId: number, text: string): Promise<boolean> {
    const { db } = this.#store.accounts;
    const totp = await sql.findTotp(db, accountId);
    if (!totp || totp.confirmedAt === null) return false;
    const step = matchTotpStep(totp.secret, text, this.#clock());
    return step !== undefined && (await sql.useTotpStep(db, totp, step));
  }

  #useRecoveryCode(accountId: number, text: string): Promise<boolean> {
    const { db } = this.#store.accounts;
    return sql.useRecoveryCode(db, accountId, hashRecoveryCode(text), this.#clock());
  }
}

export const WRONG_CODE =
  'This code is wrong or was already used. Wait for the next code of your app, and check that the ' +
  'clock of your device is right.';

/** Recovery codes per account. */
const RECOVERY_CODES = 10;

/** Returns new recovery codes. Each replaces a lost second factor once. */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, createReadable);
}

/**
 * Returns the digest that the database stores: SHA-256 of the letters, in hexadecimal. A code has
 * 140 random bits, so a digest without salt gives nothing away, and needs no slow hash.
 */
export function hashRecoveryCode(code: string): string {
  return hash('sha256', code.toLowerCase().replace(/[\s-]/g, ''), 'hex');
}

/** Returns whether a text has as many letters as a recovery code, in any groups. */
function isRecoveryCode(text: string): boolean {
  return text.replace(/[\s-]/g, '').length === READABLE_LENGTH;
}

/**
 * Time-based one-time passwords of RFC 6238, in the form that every authenticator app supports:
 * SHA-1, six digits, a new one every 30 seconds.
 */
const STEP_MS = 30_000;
const DIGITS = 6;
/** Steps by which the clock of a phone may be ahead or behind. */
const MAX_SKEW = 1;
/** As long as the digest, as RFC 4226 recommends. */
const SECRET_BYTES = 20;

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Returns a new random secret in Base32. */
export function createTotpSecret(): string {
  return encodeBase32(randomBytes(SECRET_BYTES));
}

/** Returns the code of a secret, in Base32, at a moment. */
export function totpCode(secret: string, at: Millis): string {
  return codeOf(decodeBase32(secret), stepOf(at));
}

/**
 * Returns the time step whose code a text is, the newest if there are several. Returns undefined if
 * no step near enough has this code. It takes the same time for every text of six digits.
 */
export function matchTotpStep(secret: string, text: string, now: Millis): number | undefined {
  const digits = text.replace(/\s/g, '');
  if (!/^\d{6}$/.test(digits)) return undefined;
  const key = decodeBase32(secret);
  const sent = Buffer.from(digits);
  let matched: number | undefined;
  for (let skew = -MAX_SKEW; skew <= MAX_SKEW; skew += 1) {
    const step = stepOf(now) + skew;
    if (timingSafeEqual(sent, Buffer.from(codeOf(key, step)))) matched = step;
  }
  return matched;
}

/** Returns the URI that authenticator apps read from a QR code. */
export function totpUri(secret: string, email: string): string {
  const label = encodeURIComponent(`Cardprice:${email}`);
  return `otpauth://totp/${label}?secret=${secret}&issuer=Cardprice`;
}

function stepOf(at: Millis): number {
  return Math.floor(at / STEP_MS);
}

/** Returns the code of RFC 4226 for a counter. */
function codeOf(key: Buffer, counter: number): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(counter));
  const digest = createHmac('sha1', key).update(message).digest();
  const offset = digest.readUInt8(digest.length - 1) & 0xf;
  const number = digest.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** Encodes Base32 of RFC 4648, without the padding, which apps do not want. */
function encodeBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return bits.replace(/.{1,5}/g, (five) => BASE32.charAt(Number.parseInt(five.padEnd(5, '0'), 2)));
}

function decodeBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'));
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
