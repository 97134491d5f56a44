import type { FastifyInstance } from 'fastify';
import { addDays, dayOf, formatMoment, type Millis, startOfDay } from '../domain/day.ts';

/** Whom weaknesses of the service are reported to, and by which rules. */
export interface SecurityContacts {
  /** URLs, the most wanted way first. */
  readonly contacts: readonly string[];
  /** The URL of the rules; `''` for none. */
  readonly policy: string;
}

const PATH = '/.well-known/security.txt';
/** How long the text is good, from the day on which it is asked for. */
const DAYS = 90;

/**
 * Serves `/.well-known/security.txt` (RFC 9116). Without a contact it is a 404 like any other,
 * because an address that nobody reads is worse than none.
 */
export function serveSecurityText(
  app: FastifyInstance,
  security: SecurityContacts | undefined,
  { clock, publicUrl }: { readonly clock: () => Millis; readonly publicUrl: string },
): void {
  if (!security || security.contacts.length === 0) return;
  app.get(PATH, { schema: { hide: true } }, async (_request, reply) => {
    reply.type('text/plain; charset=utf-8').header('cache-control', 'public, max-age=86400');
    return securityText(security, publicUrl, clock());
  });
}

function securityText({ contacts, policy }: SecurityContacts, publicUrl: string, now: Millis) {
  const fields = [
    ...contacts.map((contact) => ['Contact', contact]),
    ['Expires', formatMoment(startOfDay(addDays(dayOf(now), DAYS)))],
    ...(publicUrl === '' ? [] : [['Canonical', `${publicUrl}${PATH}`]]),
    ...(policy === '' ? [] : [['Policy', policy]]),
    ['Preferred-Languages', 'en'],
  ];
  return fields.map(([name, value]) => `${name}: ${value}\n`).join('');
}
