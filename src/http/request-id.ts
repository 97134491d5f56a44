import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** What may be taken over: nothing that could break a line, a header or a query. */
const SAFE_ID = /^[\w.-]{8,64}$/;

/**
 * What gives each request its id, which the log, the answer and the audit log have. That of a
 * trusted proxy (`X-Request-Id`) is taken over when it is of a safe form; callers cannot choose one.
 */
export function requestIds(trustProxy: boolean): (request: IncomingMessage) => string {
  if (!trustProxy) return () => randomUUID();
  return ({ headers }) => {
    const sent = headers['x-request-id'];
    return typeof sent === 'string' && SAFE_ID.test(sent) ? sent : randomUUID();
  };
}
