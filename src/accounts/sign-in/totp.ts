import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Millis } from '../../domain/day.ts';

/**
 * Time-based one-time passwords of RFC 6238, as every authenticator app makes them unless told
 * otherwise: SHA-1, six digits, a new one each 30 seconds.
 */

const STEP_MS = 30_000;
const DIGITS = 6;
/** How many steps the clock of a phone may be ahead or behind. */
const MAX_SKEW = 1;
/** As long as the digest, as RFC 4226 recommends. */
const SECRET_BYTES = 20;

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** A new random secret in Base32. */
export function createTotpSecret(): string {
  return encodeBase32(randomBytes(SECRET_BYTES));
}

/** The code of a secret, in Base32, at a moment. */
export function totpCode(secret: string, at: Millis): string {
  return codeOf(decodeBase32(secret), stepOf(at));
}

/**
 * The time step of which a text is the code, the newest if there are several; undefined when it is
 * of none that is near enough. It takes the same time for every text of six digits.
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

/** The URI that authenticator apps read from a QR code. */
export function totpUri(secret: string, email: string): string {
  const label = encodeURIComponent(`Cardprice:${email}`);
  return `otpauth://totp/${label}?secret=${secret}&issuer=Cardprice`;
}

function stepOf(at: Millis): number {
  return Math.floor(at / STEP_MS);
}

/** The code of RFC 4226 for a counter. */
function codeOf(key: Buffer, counter: number): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(counter));
  const digest = createHmac('sha1', key).update(message).digest();
  const offset = digest.readUInt8(digest.length - 1) & 0xf;
  const number = digest.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** Base32 of RFC 4648 without padding, which apps do not want. */
function encodeBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return bits.replace(/.{1,5}/g, (five) => BASE32.charAt(Number.parseInt(five.padEnd(5, '0'), 2)));
}

function decodeBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'));
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
