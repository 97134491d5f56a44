import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { ApiError } from '../domain/errors.ts';

/** Who may read the metrics. */
export interface MetricsAccess {
  /** Whether anybody may read them. */
  readonly isPublic: boolean;
  /** The bearer token that lets programs on other machines read them; `''` for none. */
  readonly token: string;
}

/** Headers that proxies add. A request with one of them comes from elsewhere. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/**
 * Lets programs on this machine and programs that send the token read the metrics, or anybody if
 * the operator has made them public.
 *
 * @throws ApiError FORBIDDEN otherwise.
 */
export function requireMetricsAccess(access: MetricsAccess, request: FastifyRequest): void {
  if (access.isPublic || isLocal(request) || hasToken(access, request)) return;
  throw new ApiError(
    'FORBIDDEN',
    'The metrics are for programs on the same machine. Others send the token that the operator ' +
      'has set: Authorization: Bearer TOKEN (CARDPRICE_METRICS_TOKEN).',
  );
}

/** Whether a request comes from this machine, and not through a proxy that adds its headers. */
function isLocal({ headers, socket }: FastifyRequest): boolean {
  if (FORWARDED.some((name) => headers[name] !== undefined)) return false;
  const { remoteAddress = '' } = socket;
  return ipaddr.isValid(remoteAddress) && ipaddr.process(remoteAddress).range() === 'loopback';
}

function hasToken({ token }: MetricsAccess, { headers }: FastifyRequest): boolean {
  const [, sent] = /^bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  return token !== '' && sent !== undefined && timingSafeEqual(digest(sent), digest(token));
}

/** Returns a digest, because the comparison needs values of equal length. */
function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
