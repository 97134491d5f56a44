import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * An API key reads `cp_live_`, 43 characters of secret (256 random bits), 6 of checksum, the last
 * two in base64url. The prefix lets scanners find leaked keys; the checksum tells a mistyped key
 * from a real one without asking the store.
 */
/** By which a key is recognised, by people and by what keeps keys out of logs. */
export const KEY_PREFIX = 'cp_live_';
const SECRET_BYTES = 32;
const CHECKSUM_LENGTH = 6;
const KEY_LENGTH = KEY_PREFIX.length + 43 + CHECKSUM_LENGTH;
const HINT_LENGTH = 4;

/** A new key, as its owner gets to see it once. */
export function createApiKey(): string {
  const unchecked = KEY_PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
  return unchecked + checksum(unchecked);
}

/** Whether `text` may be a key: the cheap part of {@link isApiKey}. */
export function hasApiKeyLength(text: string): boolean {
  return text.length === KEY_LENGTH;
}

/** Whether `text` is a key, as far as can be told without the store. */
export function isApiKey(text: string): boolean {
  if (!hasApiKeyLength(text) || !text.startsWith(KEY_PREFIX)) return false;
  return text.endsWith(checksum(text.slice(0, -CHECKSUM_LENGTH)));
}

/** What the store keeps of a key: its SHA-256, hexadecimal. */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/** The characters by which the owner of a key recognises it in a list. */
export function apiKeyHint(key: string): string {
  return key.slice(-HINT_LENGTH);
}

function checksum(text: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return bytes.toString('base64url');
}
