import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The ids that are safe to take over: they cannot break a line, a header or a query. */
const SAFE_ID = /^[\w.-]{8,64}$/;

/**
 * Returns a function that gives each request its id, for the log, the answer and the audit log. It
 * takes the id of a trusted proxy (`X-Request-Id`) if its form is safe. Callers cannot choose one.
 */
export function requestIds(trustProxy: boolean): (request: IncomingMessage) => string {
  if (!trustProxy) return () => randomUUID();
  return ({ headers }) => {
    const sent = headers['x-request-id'];
    return typeof sent === 'string' && SAFE_ID.test(sent) ? sent : randomUUID();
  };
}
