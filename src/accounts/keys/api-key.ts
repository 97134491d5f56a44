import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * The form of API keys: `cp_live_`, 43 characters of secret (256 random bits) and 6 of checksum
 * (CRC-32), both in base64url. Scanners find leaked keys by the prefix. The checksum rejects
 * mistyped keys without a database lookup.
 */

/** The first characters of every API key. */
export const KEY_PREFIX = 'cp_live_';
const SECRET_BYTES = 32;
const CHECKSUM_LENGTH = 6;
const KEY_LENGTH = KEY_PREFIX.length + 43 + CHECKSUM_LENGTH;
const HINT_LENGTH = 4;

/** Returns a new random API key. */
export function createApiKey(): string {
  const unchecked = KEY_PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
  return unchecked + checksum(unchecked);
}

/** Returns whether a text is as long as an API key: the cheap part of {@link isApiKey}. */
export function hasApiKeyLength(text: string): boolean {
  return text.length === KEY_LENGTH;
}

/** Returns whether a text has the length, the prefix and the checksum of an API key. */
export function isApiKey(text: string): boolean {
  if (!hasApiKeyLength(text) || !text.startsWith(KEY_PREFIX)) return false;
  return text.endsWith(checksum(text.slice(0, -CHECKSUM_LENGTH)));
}

/** Returns the digest that the database stores: SHA-256 in hexadecimal. */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/** Returns the last characters, by which owners recognise a key in a list. */
export function apiKeyHint(key: string): string {
  return key.slice(-HINT_LENGTH);
}

function checksum(text: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return bytes.toString('base64url');
}
