import { hash, randomBytes, randomInt } from 'node:crypto';

/**
 * Tokens of sessions, links, browsers and challenges: 256 random bits in base64url. Anyone who has
 * a token can use it, so the database stores only its digest.
 */
const BYTES = 32;
const TOKEN = /^[\w-]{43}$/;
const DIGEST = /^[\da-f]{64}$/;

/** Returns a new random token. */
export function createToken(): string {
  return randomBytes(BYTES).toString('base64url');
}

/** Returns whether a text has the form of a token. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Returns the digest that the database stores: SHA-256 in hexadecimal. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}

/** Returns whether a text has the form of a digest. */
export function isDigest(text: string): boolean {
  return DIGEST.test(text);
}

const GROUPS = 7;
const GROUP_LENGTH = 4;
/** The number of letters in {@link createReadable}, without the dashes. */
export const READABLE_LENGTH = GROUPS * GROUP_LENGTH;
/** 32 letters, without similar-looking ones. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

/**
 * Returns 140 random bits that are easy to read aloud and to type, such as
 * `k3vd-9hpq-wx2c-7mnb-ty4s-zf8j-r5ga`.
 */
export function createReadable(): string {
  const letter = () => LETTERS.charAt(randomInt(LETTERS.length));
  const group = () => Array.from({ length: GROUP_LENGTH }, letter).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}
