import { type Day, parseDay } from '../domain/day.ts';
import { type BurstLimit, type BurstLimits, isPlanName } from '../domain/plans.ts';
import type { Rate, Rates } from '../domain/rates.ts';
import { countsAs, findSource } from '../domain/sources.ts';
import type { AgeLimits } from '../domain/staleness.ts';
import { parseDuration, parseTimeOfDay, type TimeOfDay } from '../domain/sync.ts';
import { splitList } from '../lib/csv.ts';
import { parseEmail } from '../lib/email.ts';
import { isLoopback, parseNetwork } from '../lib/networks.ts';
import { isDecodable } from '../lib/percent-encoding.ts';

/** Parsers for the values of settings. Each returns `undefined` for a text that is not allowed. */

export function wholeNumber(text: string, least: number, most: number): number | undefined {
  const value = Number(text);
  return /^\d{1,9}$/.test(text) && value >= least && value <= most ? value : undefined;
}

export function isBetween(text: string, least: number, most: number): boolean {
  return /^\d{1,4}(\.\d{1,3})?$/.test(text) && Number(text) >= least && Number(text) <= most;
}

export function parseSwitch(text: string): boolean | undefined {
  if (text === 'on') return true;
  return text === 'off' ? false : undefined;
}

export function parseOrigins(text: string): readonly string[] | undefined {
  const origins = splitList(text);
  return origins.every(isOrigin) ? Object.freeze(origins) : undefined;
}

export function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

/** Whether a text is a URL to which traces can be sent. Messages would show a user in the URL. */
export function isCollector(text: string): boolean {
  const url = URL.parse(text);
  return /^https?:\/\//.test(text) && url !== null && url.username + url.password === '';
}

export function isMailServer(text: string): boolean {
  const url = URL.parse(text);
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return false;
  return isDecodable(url.username + url.password);
}

/** Returns `mailto:` and `https:` URLs. A plain e-mail address becomes a `mailto:` URL. */
export function parseContacts(text: string): readonly string[] | undefined {
  const contacts = splitList(text).map(parseContact);
  const good = contacts.filter((contact) => contact !== undefined);
  return good.length === contacts.length ? Object.freeze(good) : undefined;
}

function parseContact(text: string): string | undefined {
  const email = parseEmail(text.replace(/^mailto:/, ''));
  if (email !== undefined) return URL.parse(`mailto:${email}`)?.href;
  return isSecureUrl(text) ? text : undefined;
}

/** Whether a text is an https:// URL in the form that a browser would write. */
export function isSecureUrl(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'https:' && (url.href === text || url.origin === text);
}

/** Returns host names in lower case, or `*` alone. */
export function parseHosts(text: string): readonly string[] | undefined {
  const names = splitList(text.toLowerCase());
  const isAllowed = names.every((name) => /^[a-z\d_]([\w.-]{0,251}[a-z\d_])?$/.test(name));
  return isAllowed || text.trim() === '*' ? Object.freeze(names) : undefined;
}

/**
 * Returns networks in canonical CIDR notation; none for `off`. A network of all addresses is not
 * allowed: callers could then choose their own, and webhooks could be anywhere.
 */
export function parseNetworks(text: string): readonly string[] | undefined {
  const networks = text === 'off' ? [] : splitList(text).map(parseNetwork);
  const good = networks.filter((network) => network !== undefined);
  const areAllowed =
    good.length === networks.length && !good.some((network) => /\/0$/.test(network));
  return areAllowed ? Object.freeze(good) : undefined;
}

export function parseBurst(text: string): BurstLimits | undefined {
  const limits = new Map<string, BurstLimit>();
  for (const part of splitList(text)) {
    const [, plan = '', written = ''] = /^([^=]+)=(.+)$/.exec(part) ?? [];
    const limit = parseBurstLimit(written);
    if (!isPlanName(plan) || limits.has(plan) || !limit) return undefined;
    limits.set(plan, limit);
  }
  return Object.freeze(Object.fromEntries(limits));
}

/** Reads a limit such as `3/1s`: three requests a second. */
export function parseBurstLimit(text: string): BurstLimit | undefined {
  const [, requests, seconds] = /^([1-9]\d{0,5})\/([1-9]\d{0,3})s$/.exec(text) ?? [];
  if (!requests) return undefined;
  return Object.freeze({ requests: Number(requests), seconds: Number(seconds) });
}

export function parseRates(text: string): Rates | undefined {
  const rates = new Map<Day, Rate>();
  for (const part of splitList(text)) {
    const [, date = '', amount] = /^(\d{4}-\d{2}-\d{2}):(\d{1,3}(?:\.\d{1,6})?)$/.exec(part) ?? [];
    const day = parseDay(date);
    const dollarsPerUnit = Number(amount);
    if (day === undefined || rates.has(day) || !(dollarsPerUnit > 0)) return undefined;
    rates.set(day, Object.freeze({ currency: 'EUR', day, dollarsPerUnit }));
  }
  return Object.freeze([...rates.values()].sort((a, b) => a.day - b.day));
}

export function parseSources(text: string): readonly string[] | undefined {
  const names = [...new Set(splitList(text))];
  return names.every((name) => findSource(name)) ? Object.freeze(names) : undefined;
}

/** Like {@link parseSources}, with the names of copies of a source, such as `starter`. */
export function parseBulkSources(text: string): readonly string[] | undefined {
  const names = [...new Set(splitList(text))];
  return names.every((name) => findSource(countsAs(name))) ? Object.freeze(names) : undefined;
}

/** The first bytes of every private Ed25519 key in DER (RFC 8410). */
const ED25519_HEAD = '302e020100300506032b657004220420';

export function isSigningKey(text: string): boolean {
  const bytes = Buffer.from(text, 'base64');
  const isBase64 = bytes.toString('base64') === text;
  return isBase64 && bytes.length === 48 && bytes.toString('hex').startsWith(ED25519_HEAD);
}

export function parseTimes(text: string): readonly TimeOfDay[] | undefined {
  const times = splitList(text).map(parseTimeOfDay);
  const good = times.filter((time) => time !== undefined);
  return good.length === times.length && good.length > 0 ? Object.freeze(good) : undefined;
}

/** Returns an address or a path for each source. */
export function parsePlaces(text: string): Readonly<Record<string, string>> | undefined {
  return parseBySource(text, (place) => {
    if (!place.includes('://')) return place;
    if (!/^https?:/.test(place) || !URL.canParse(place)) return undefined;
    const { username, password } = new URL(place);
    return username || password ? undefined : place;
  });
}

export function parseKeys(text: string): Readonly<Record<string, string>> | undefined {
  return parseBySource(text, (key) => (/^[\x21-\x7e]+$/.test(key) ? key : undefined));
}

export function parseAges(text: string): AgeLimits | undefined {
  const parts = splitList(text);
  const [all = '60h', ...more] = parts.filter((part) => !part.includes('='));
  const limit = parseDuration(all);
  const named = parts.filter((part) => part.includes('=')).join(',');
  const bySource = parseBySource(named, parseDuration);
  if (limit === undefined || !bySource || more.length > 0) return undefined;
  return Object.freeze({ all: limit, bySource });
}

/** Reads `source=value,source=value`. Each source may occur once, and all values must be valid. */
function parseBySource<Value>(
  text: string,
  parse: (value: string) => Value | undefined,
): Readonly<Record<string, Value>> | undefined {
  const values = new Map<string, Value>();
  for (const part of splitList(text)) {
    const [, source = '', written = ''] = /^([\w-]+)=(.+)$/.exec(part) ?? [];
    const value = parse(written);
    if (!findSource(source) || values.has(source) || value === undefined) return undefined;
    values.set(source, value);
  }
  return Object.freeze(Object.fromEntries(values));
}

/** Whether a text is the address of a webhook: https, or http to this machine. */
export function isWebhook(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username + url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}

/** Whether a text is a Standard Webhooks secret: `whsec_` and 24 to 64 bytes in base64. */
export function isWebhookSecret(text: string): boolean {
  const [, base64] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  if (base64 === undefined || base64.length % 4 !== 0) return false;
  const { length } = Buffer.from(base64, 'base64');
  return length >= 24 && length <= 64;
}

/** Returns percentages in ascending order. */
export function parsePercents(text: string): readonly number[] | undefined {
  const percents = splitList(text).map((part) => wholeNumber(part, 1, 100));
  const known = percents.filter((percent) => percent !== undefined);
  const isAllowed = known.length === percents.length && known.length > 0 && known.length <= 10;
  if (!isAllowed || new Set(known).size < known.length) return undefined;
  return Object.freeze(known.sort((a, b) => a - b));
}

/** Extends a parser to also accept `off`. */
export function orOff<Value>(
  parse: (text: string) => Value | undefined,
): (text: string) => Value | 'off' | undefined {
  return (text) => (text === 'off' ? text : parse(text));
}
