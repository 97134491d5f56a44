import { hash, randomBytes } from 'node:crypto';

/**
 * Tokens of sessions and of password reset links: 256 random bits in base64url. Whoever has one
 * needs nothing else, so the database stores only its digest.
 */
const BYTES = 32;
const TOKEN = /^[\w-]{43}$/;
const DIGEST = /^[\da-f]{64}$/;

/** A new random token. */
export function createToken(): string {
  return randomBytes(BYTES).toString('base64url');
}

/** Whether a text has the form of a token. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** The digest of a token that the database stores: SHA-256 in hexadecimal. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}

/** Whether a text has the form of a digest. */
export function isDigest(text: string): boolean {
  return DIGEST.test(text);
}
