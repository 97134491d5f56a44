import { hash, randomInt } from 'node:crypto';

/**
 * Codes that stand in for a lost second factor, each once. They have 140 random bits, so that a
 * digest without salt gives nothing away, and need no slow hash.
 */
const COUNT = 10;
const GROUPS = 7;
const GROUP_LENGTH = 4;
/** 32 of them, without those that look alike. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

/** New codes, such as `k3vd-9hpq-wx2c-7mnb-ty4s-zf8j-r5ga`. */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, createCode);
}

function createCode(): string {
  const letter = () => LETTERS.charAt(randomInt(LETTERS.length));
  const group = () => Array.from({ length: GROUP_LENGTH }, letter).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}

/** The digest of a code that the database stores: SHA-256 of its letters, hexadecimal. */
export function hashRecoveryCode(code: string): string {
  return hash('sha256', code.toLowerCase().replace(/[\s-]/g, ''), 'hex');
}

/** Whether a text has as many letters as a code, however they are grouped. */
export function isRecoveryCode(text: string): boolean {
  return text.replace(/[\s-]/g, '').length === GROUPS * GROUP_LENGTH;
}
