import type { FastifyInstance } from 'fastify';
import type { Catalog } from '../catalog/catalog.ts';
import { addDays, dayOf, formatMoment, type Millis, startOfDay } from '../domain/day.ts';
import { html } from '../http/reference/html.ts';
import { StaticText } from '../http/response-cache.ts';
import type { Publication } from '../store/catalogue/publications.ts';
import { PAGES } from './pages.ts';

const HIDDEN = { schema: { hide: true } };

/** The most addresses that a sitemap may have, by its protocol. */
const MAX_ADDRESSES = 50_000;

export interface RobotsOptions {
  readonly isPublic: boolean;
  /** The web origin of the service; `''` if it is unknown. */
  readonly publicUrl: string;
  readonly resources: { readonly catalog: Catalog };
}

/**
 * Serves `/robots.txt`. If the pages are public and their address is known, also serves
 * `/sitemap.xml` with the games and the sets, whose pages link to the cards.
 */
export function serveRobots(app: FastifyInstance, options: RobotsOptions): void {
  const { isPublic, publicUrl, resources } = options;
  const rules = isPublic ? openRules(publicUrl) : ['User-agent: *', 'Disallow: /'];
  const robots = new StaticText('text/plain; charset=utf-8', `${rules.join('\n')}\n`);
  app.get('/robots.txt', HIDDEN, (request, reply) => robots.send(request, reply));
  if (!isPublic || publicUrl === '') return;
  let made: { readonly of: Publication; readonly text: StaticText } | undefined;
  app.get('/sitemap.xml', HIDDEN, (request, reply) => {
    const { catalog } = resources;
    if (made?.of !== catalog.publication) {
      const text = new StaticText('application/xml', sitemapOf(catalog, publicUrl));
      made = { of: catalog.publication, text };
    }
    return made.text.send(request, reply);
  });
}

function openRules(publicUrl: string): string[] {
  return [
    'User-agent: *',
    'Disallow: /dashboard/',
    'Allow: /dashboard/pictures/',
    `Disallow: ${PAGES.search}`,
    'Disallow: /v1/',
    ...(publicUrl === '' ? [] : [`Sitemap: ${publicUrl}/sitemap.xml`]),
  ];
}

function sitemapOf(catalog: Catalog, origin: string): string {
  const sets = catalog.sets().map(({ set: { game, id } }) => `${PAGES.sets}/${game}/${id}`);
  const games = catalog.games().map(({ game }) => `${PAGES.sets}/${game.slug}`);
  const paths = [PAGES.home, PAGES.sets, PAGES.plans, ...games, ...sets].slice(0, MAX_ADDRESSES);
  const addresses = paths.map((path) => html`<url><loc>${origin}${encodeURI(path)}</loc></url>\n`);
  return html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${addresses}</urlset>
`.text;
}

/** Where to report vulnerabilities of the service, and under which policy. */
export interface SecurityContacts {
  /** URLs, the preferred one first. */
  readonly contacts: readonly string[];
  /** The URL of the policy; `''` for none. */
  readonly policy: string;
}

const SECURITY_TEXT = '/.well-known/security.txt';
/** How many days after a request the text expires. */
const SECURITY_TEXT_DAYS = 90;

/**
 * Serves `/.well-known/security.txt` (RFC 9116). Without a contact it stays a 404, because an
 * address that nobody reads is worse than none.
 */
export function serveSecurityText(
  app: FastifyInstance,
  security: SecurityContacts | undefined,
  { clock, publicUrl }: { readonly clock: () => Millis; readonly publicUrl: string },
): void {
  if (!security || security.contacts.length === 0) return;
  app.get(SECURITY_TEXT, HIDDEN, async (_request, reply) => {
    reply.type('text/plain; charset=utf-8').header('cache-control', 'public, max-age=86400');
    return securityText(security, publicUrl, clock());
  });
}

function securityText({ contacts, policy }: SecurityContacts, publicUrl: string, now: Millis) {
  const fields = [
    ...contacts.map((contact) => ['Contact', contact]),
    ['Expires', formatMoment(startOfDay(addDays(dayOf(now), SECURITY_TEXT_DAYS)))],
    ...(publicUrl === '' ? [] : [['Canonical', `${publicUrl}${SECURITY_TEXT}`]]),
    ...(policy === '' ? [] : [['Policy', policy]]),
    ['Preferred-Languages', 'en'],
  ];
  return fields.map(([name, value]) => `${name}: ${value}\n`).join('');
}
