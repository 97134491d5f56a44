import type { ServerResponse } from 'node:http';
import type { Remaining } from '../accounts/quota/quota-charger.ts';
import { endOfDay, type Millis } from '../domain/day.ts';
import { quotaLeft, quotaPolicy } from './headers.ts';

/**
 * Heads of answers as text. `writeHead` checks and formats each header of every answer, which takes
 * 7 % of the time of a cached card (docs/adr/0008). Most of a head is known before the request.
 */

/** Not imported, because an `import` of this module also loads Node's WebSocket: 14 MB. */
const http = process.getBuiltinModule('node:http');

/** The place where Node keeps the text of a head from `writeHead` until it sends the body. */
type WithHead = ServerResponse & { _header: string };

/** Whether this version of Node sends a prepared head: the field is undocumented. */
export function canSendPrepared(): boolean {
  const { ServerResponse, IncomingMessage } = http;
  const { Socket } = process.getBuiltinModule('node:net');
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  (response as WithHead)._header = headOf({});
  return response.headersSent;
}

/**
 * Sends a prepared head and a body. The connection must stay open, and the head must contain the
 * headers that Node would add: the date, the length and the connection's headers.
 */
export function sendPrepared(
  response: ServerResponse,
  head: string,
  { payload, encoding }: { readonly payload: string; readonly encoding: 'latin1' | 'utf8' },
): void {
  (response as WithHead)._header = `${head}\r\n`;
  response.end(payload, encoding);
}

/** Returns the start of the head of a 200. */
export function headOf(headers: Readonly<Record<string, string>>): string {
  return `HTTP/1.1 200 OK\r\n${headerLines(headers)}`;
}

/** Formats headers for a head. @throws TypeError if one of them is invalid. */
export function headerLines(headers: Readonly<Record<string, string>>): string {
  for (const [name, value] of Object.entries(headers)) http.validateHeaderValue(name, value);
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}

/** The headers with which Node keeps a connection open, for at most `timeoutMs`. */
export function keepAliveHeaders(timeoutMs: number): Record<string, string> {
  const connection = { connection: 'keep-alive' };
  if (timeoutMs === 0) return connection;
  return { ...connection, 'keep-alive': `timeout=${Math.floor(timeoutMs / 1000)}` };
}

/** The headers of an answer of `/v1` that differ between requests: quota, id and date. */
export function requestLines(id: string, limit: number, left: Remaining, now: Millis): string {
  return (
    `x-ratelimit-limit: ${limit}\r\nx-ratelimit-remaining: ${left.remaining}\r\n` +
    `x-ratelimit-reset: ${endOfDay(left.day) / 1000}\r\n` +
    `ratelimit-policy: ${quotaPolicy(limit)}\r\nratelimit: ${quotaLeft(left, now)}\r\nx-request-id: ${id}\r\n${dateLine()}`
  );
}

/** The date header for the second of the last answer. */
const date = { second: 0, line: '' };

function dateLine(): string {
  const now = Date.now();
  const second = now - (now % 1000);
  if (second !== date.second) {
    date.second = second;
    date.line = `date: ${new Date(second).toUTCString()}\r\n`;
  }
  return date.line;
}
