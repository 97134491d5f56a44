import type { FastifyRequest } from 'fastify';
import type { Client } from '../accounts/sign-in/sessions.ts';

/** From which network address, and with what browser, a call was made. */
export function clientOf({ ip, headers }: FastifyRequest): Client {
  return { address: ip, userAgent: headers['user-agent'] ?? '' };
}
