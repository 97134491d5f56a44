import { isUtf8 } from 'node:buffer';
import { BadRecord } from './bad-record.ts';

/** Decodes UTF-8 bytes from `start` up to `end`. Returns a BadRecord for bytes that are not UTF-8. */
export function decodeUtf8(bytes: Buffer, start: number, end: number): string | BadRecord {
  const text = bytes.toString('utf8', start, end);
  // Broken bytes are decoded as U+FFFD; only rare texts that have it need the exact check.
  const isText = !text.includes('\ufffd') || isUtf8(bytes.subarray(start, end));
  return isText ? text : new BadRecord('not UTF-8 text');
}

/** Parses JSON. Returns a BadRecord for invalid JSON, and a BadRecord that it is given. */
export function parseJson(text: string | BadRecord): unknown {
  if (text instanceof BadRecord) return text;
  try {
    return JSON.parse(text);
  } catch {
    return new BadRecord('not valid JSON');
  }
}
