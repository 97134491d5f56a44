import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { ConnectionError } from 'fastify';
import { dayOf, type Millis } from '../domain/day.ts';
import { ApiError, type ApiErrorCode } from '../domain/errors.ts';
import { errorBody } from './errors.ts';
import { commonHeaders, DATA_HEADERS } from './headers.ts';

/** Not imported, because an `import` of this module also loads Node's WebSocket: 14 MB. */
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/**
 * The errors that end a connection, by Node's codes. Any other error means that the bytes are not
 * HTTP.
 */
const CONNECTION_ERRORS: Readonly<Record<string, ApiErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
};

/** Answers a connection whose bytes are not HTTP, or whose request is too long or too slow. */
export function refuseConnection(clock: () => Millis) {
  return (error: ConnectionError, socket: Socket): void => {
    // Each further piece of a refused connection raises another error.
    if (error.code === 'ECONNRESET' || socket.destroyed || socket.writableEnded) return;
    const failure = new ApiError(CONNECTION_ERRORS[error.code] ?? 'MALFORMED_REQUEST');
    const body = JSON.stringify(errorBody(failure, 'standard'));
    const now = clock();
    const headers = {
      ...DATA_HEADERS,
      ...commonHeaders(randomUUID(), 0, { remaining: 0, day: dayOf(now) }, now),
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    };
    const head = [
      `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ];
    endLingering(socket, `${head.join('\r\n')}\r\n\r\n${body}`);
  };
}

/** How long to read and discard the rest of a refused connection, in milliseconds. */
const LINGER_MS = 1000;

/**
 * Sends a last answer, and closes the connection once the client has, or soon after. If bytes of
 * the client were left unread, the kernel would reset the connection, and a client that is still
 * sending would lose the answer.
 */
function endLingering(socket: Socket, answer: string): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.end(answer);
}
