import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { ApiError } from '../domain/errors.ts';

/** Who may read the metrics. */
export interface MetricsAccess {
  /** Whether everybody may. */
  readonly isPublic: boolean;
  /** The bearer token with which programs on other machines may; `''` for none. */
  readonly token: string;
}

/** Headers that proxies add. A request with one of them comes from elsewhere. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/**
 * Lets programs on this machine read the metrics, those that send the token, and everybody when
 * the operator has opened them.
 *
 * @throws ApiError FORBIDDEN for others.
 */
export function requireMetricsAccess(access: MetricsAccess, request: FastifyRequest): void {
  if (access.isPublic || isLocal(request) || hasToken(access, request)) return;
  throw new ApiError(
    'FORBIDDEN',
    'The metrics are for programs on the same machine. Others send the token that the operator ' +
      'has set: Authorization: Bearer TOKEN (CARDPRICE_METRICS_TOKEN).',
  );
}

/** Whether a request comes from this machine, and through no proxy that says so. */
function isLocal({ headers, socket }: FastifyRequest): boolean {
  if (FORWARDED.some((name) => headers[name] !== undefined)) return false;
  const { remoteAddress = '' } = socket;
  return ipaddr.isValid(remoteAddress) && ipaddr.process(remoteAddress).range() === 'loopback';
}

function hasToken({ token }: MetricsAccess, { headers }: FastifyRequest): boolean {
  const [, sent] = /^bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  return token !== '' && sent !== undefined && timingSafeEqual(digest(sent), digest(token));
}

/** Of equal length for all texts, as the comparison needs it. */
function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
