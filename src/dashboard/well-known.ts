import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Catalog } from '../catalog/catalog.ts';
import { addDays, dayOf, formatMoment, type Millis, startOfDay } from '../domain/day.ts';
import { ApiError } from '../domain/errors.ts';
import { type Html, html } from '../http/reference/html.ts';
import { StaticText } from '../http/response-cache.ts';
import { PAGES } from './pages.ts';

const HIDDEN = { schema: { hide: true } };

/** Cards in a sitemap: few enough to make and compress it within some milliseconds. */
const CARDS_OF_SITEMAP = 5000;

export interface RobotsOptions {
  readonly isPublic: boolean;
  /** The web origin of the service; `''` if it is unknown. */
  readonly publicUrl: string;
  readonly resources: { readonly catalog: Catalog };
}

/**
 * Serves `/robots.txt` and `/favicon.ico`. If the pages are public and their address is known, also
 * serves `/sitemap.xml`, which lists the sitemaps of the sets and of all cards.
 */
export function serveRobots(app: FastifyInstance, options: RobotsOptions): void {
  const { isPublic, publicUrl, resources } = options;
  const rules = isPublic ? openRules(publicUrl) : ['User-agent: *', 'Disallow: /'];
  const robots = new StaticText('text/plain; charset=utf-8', `${rules.join('\n')}\n`);
  app.get('/robots.txt', HIDDEN, (request, reply) => robots.send(request, reply));
  // For programs that request it without reading a page, such as feed readers.
  app.get('/favicon.ico', HIDDEN, (_request, reply) => reply.redirect('/icon.svg', 301));
  if (isPublic && publicUrl !== '') serveSitemaps(app, resources.catalog, publicUrl);
}

function serveSitemaps(app: FastifyInstance, catalog: Catalog, origin: string): void {
  const send = (reply: FastifyReply, request: FastifyRequest, text: Html) => {
    return new StaticText('application/xml', text.text).send(request, reply);
  };
  app.get('/sitemap.xml', HIDDEN, (request, reply) => {
    const count = Math.ceil(catalog.cardCount / CARDS_OF_SITEMAP);
    const cards = Array.from({ length: count }, (_, index) => `cards-${index + 1}`);
    return send(reply, request, sitemapIndex(['sets', ...cards], origin));
  });
  app.get('/sitemaps/sets.xml', HIDDEN, (request, reply) => {
    return send(reply, request, sitemapOf(pathsOfSets(catalog), origin));
  });
  app.get<{ Params: { number: string } }>(
    '/sitemaps/cards-:number(^[1-9]\\d{0,4}$).xml',
    HIDDEN,
    (request, reply) => {
      const paths = pathsOfCards(catalog, Number(request.params.number));
      if (paths.length === 0) throw new ApiError('NOT_FOUND', 'There is no such sitemap.');
      return send(reply, request, sitemapOf(paths, origin));
    },
  );
}

function openRules(publicUrl: string): string[] {
  return [
    'User-agent: *',
    'Disallow: /dashboard/',
    'Allow: /dashboard/pictures/',
    `Disallow: ${PAGES.search}`,
    'Disallow: /v1/',
    'Disallow: /compatible/',
    ...(publicUrl === '' ? [] : [`Sitemap: ${publicUrl}/sitemap.xml`]),
  ];
}

const SITEMAPS = 'http://www.sitemaps.org/schemas/sitemap/0.9';

function sitemapIndex(names: readonly string[], origin: string): Html {
  const maps = names.map((name) => {
    return html`<sitemap><loc>${origin}/sitemaps/${name}.xml</loc></sitemap>\n`;
  });
  return html`<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="${SITEMAPS}">
${maps}</sitemapindex>
`;
}

function sitemapOf(paths: readonly string[], origin: string): Html {
  const addresses = paths.map((path) => html`<url><loc>${origin}${encodeURI(path)}</loc></url>\n`);
  return html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="${SITEMAPS}">
${addresses}</urlset>
`;
}

function pathsOfSets(catalog: Catalog): string[] {
  const sets = catalog.sets().map(({ set: { game, id } }) => `${PAGES.sets}/${game}/${id}`);
  const games = catalog.games().map(({ game }) => `${PAGES.sets}/${game.slug}`);
  return [PAGES.home, PAGES.sets, PAGES.plans, ...games, ...sets];
}

/** Returns the paths of the cards in a sitemap. Sitemaps are numbered from 1. */
function pathsOfCards(catalog: Catalog, number: number): string[] {
  const from = (number - 1) * CARDS_OF_SITEMAP;
  const paths: string[] = [];
  let passed = 0;
  for (const { set, cardCount } of catalog.sets()) {
    if (paths.length >= CARDS_OF_SITEMAP) break;
    if (passed + cardCount > from) {
      const cards = catalog.cardsOf(set).slice(Math.max(0, from - passed));
      for (const { id } of cards) paths.push(PAGES.card.replace(':id', id));
    }
    passed += cardCount;
  }
  return paths.slice(0, CARDS_OF_SITEMAP);
}

/** The contact for reports of vulnerabilities of the service, and the policy for them. */
export interface SecurityContacts {
  /** URLs, the preferred one first. */
  readonly contacts: readonly string[];
  /** The URL of the policy; `''` for none. */
  readonly policy: string;
}

const SECURITY_TEXT = '/.well-known/security.txt';
/** The number of days from a request until the text expires. */
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
