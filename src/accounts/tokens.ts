import { hash, randomBytes } from 'node:crypto';

/**
 * What proves a session or a link to its server: 256 random bits in base64url. Whoever has one
 * needs nothing else, so the store keeps its digest only.
 */
const BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

export function createToken(): string {
  return randomBytes(BYTES).toString('base64url');
}

/** Whether `text` may be a token, as far as can be told without the store. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** What the store keeps of a token: its SHA-256, hexadecimal. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}
