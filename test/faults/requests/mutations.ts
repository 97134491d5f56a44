import type { Material } from './material.ts';
import type { Random } from './random.ts';
import type { KnownRoute } from './routes.ts';
import { knownBody, randomText, randomValue } from './values.ts';

/** Requests that are HTTP, and wrong in every other way. */

/** What all mutated requests are made from. */
export interface Sources {
  readonly random: Random;
  readonly routes: readonly KnownRoute[];
  readonly material: Material;
}

/** A request before it is written. */
export interface Draft {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

export const METHODS = [
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'],
  ...['PROPFIND', 'QUERY', 'SEARCH', 'LINK', 'M-SEARCH', 'LOCK', 'MKCOL', 'PURGE'],
];

/** Any request except one with a wrong length. */
export function mutatedRequest(sources: Sources): Draft {
  const { random, routes } = sources;
  const route = random.pick(routes);
  const method = random.chance(0.75) ? random.pick(route.methods) : random.pick(METHODS);
  const body = hasBody(random, method) ? mutatedBody(sources, route) : Buffer.alloc(0);
  return {
    method,
    target: mutatedTarget(sources, route),
    headers: mutatedHeaders(sources, body.length > 0),
    body,
  };
}

function hasBody(random: Random, method: string): boolean {
  return random.chance(['POST', 'PUT', 'PATCH'].includes(method) ? 0.95 : 0.15);
}

/** The bytes of a request. */
export function written({ method, target, headers, body }: Draft, isLast: boolean): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  const length = body.length > 0 ? `content-length: ${body.length}\r\n` : '';
  const end = isLast ? 'connection: close\r\n' : '';
  const head = `${method} ${target} HTTP/1.1\r\n${lines.join('')}${length}${end}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), body]);
}

function mutatedTarget(sources: Sources, route: KnownRoute): string {
  const { random, material } = sources;
  const filled = route.path.replace(/:\w+|\*/g, () => escapedText(sources));
  const path = random.chance(0.2) ? mutatedPath(random, filled) : filled;
  const query = Object.entries(route.query).flatMap(([name, schema]) => {
    if (!random.chance(0.7)) return [];
    return [`${name}=${escaped(random, textOf(randomValue(random, material, schema)))}`];
  });
  if (random.chance(0.15)) query.push(oddParameter(sources));
  if (random.chance(0.05)) query.push(...query);
  return query.length > 0 ? `${path}?${query.join('&')}` : path;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function escapedText({ random, material }: Sources): string {
  const text = random.chance(0.7) ? random.pick(material.ids) : randomText(random, material);
  return random.chance(0.02) ? 'x'.repeat(random.below(15_000)) : escaped(random, text);
}

/** A text for a URL: rightly escaped, doubly, not at all where HTTP allows it, or brokenly. */
function escaped(random: Random, text: string): string {
  const good = encodeURIComponent(text.toWellFormed());
  if (random.chance(0.85)) return good;
  return random.pick([
    good.replaceAll('%', '%25'),
    text.replace(/[^\x21-\x7e\x80-\xff]/g, '+'),
    `${good}%`,
    `${good}%f`,
    `%ff%fe${good}`,
    `${good}%00`,
    good.toLowerCase(),
  ]);
}

const PATH_CHANGES: readonly ((path: string) => string)[] = [
  (path) => `/${path}`,
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => path.toUpperCase(),
  (path) => path.replaceAll('/', '//'),
  (path) => path.replaceAll('/', '%2f'),
  (path) => path.replaceAll('/', '\\'),
  (path) => path.replace('/', '/./'),
  (path) => path.replace('/', '/%2e%2e/'),
  (path) => path.replace('/', '/../'),
  (path) => `${path}/..;/x`,
  (path) => `${path};a=b`,
  (path) => `${path}%00`,
  (path) => `${path}#x`,
  (path) => `${path}?`,
  (path) => `${path}??&&==`,
  (path) => path.slice(0, -1) || '/',
  (path) => `http://other.example${path}`,
  (path) => `${path}/${'x/'.repeat(300)}`,
  (path) => `${path}${'%41'.repeat(500)}`,
  () => '*',
  () => '/',
];

function mutatedPath(random: Random, path: string): string {
  return random.pick(PATH_CHANGES)(path);
}

function oddParameter(sources: Sources): string {
  const { random, material } = sources;
  const text = escaped(random, randomText(random, material));
  return random.pick([
    `api_key=${random.pick(material.keys)}`,
    `api_key=${random.pick(material.deadKeys)}`,
    `api_key=${text}&api_key=${text}`,
    `api_key[]=${text}`,
    `${text}=${text}`,
    `q=${text}&q=${text}`,
    `limit=${text}`,
    `__proto__[x]=1`,
    '&'.repeat(200),
    'a=1&'.repeat(300),
  ]);
}

function mutatedHeaders(sources: Sources, hasBody: boolean): [string, string][] {
  const { random, material } = sources;
  const headers: [string, string][] = [
    ['host', random.chance(0.95) ? '127.0.0.1' : 'evil.example'],
  ];
  if (random.chance(0.75)) headers.push(['x-api-key', keyOf(sources)]);
  if (random.chance(0.85)) headers.push(['cookie', cookieOf(sources)]);
  if (hasBody && random.chance(0.95)) {
    headers.push(['content-type', random.chance(0.9) ? 'application/json' : mediaType(random)]);
  }
  for (let count = random.below(4); count > 0; count -= 1) headers.push(oddHeader(sources));
  if (random.chance(0.02)) headers.push(['x-long', random.pick(material.ids).repeat(300)]);
  return headers;
}

function keyOf({ random, material }: Sources): string {
  if (random.chance(0.85)) return random.pick(material.keys);
  return random.pick([...material.deadKeys, '', 'x', 'cp_live_', `${random.pick(material.keys)}x`]);
}

function cookieOf({ random, material }: Sources): string {
  const cookie = random.pick(material.cookies);
  if (random.chance(0.85)) return cookie;
  return random.pick([
    `${cookie}x`,
    `${cookie}; ${cookie}`,
    `${cookie.split('=')[0]}=%ff%00`,
    `${cookie.split('=')[0]}="`,
    '=;;=,',
    'a=b; '.repeat(200),
  ]);
}

function mediaType(random: Random): string {
  return random.pick([
    ...['text/plain', 'text/html', 'application/x-www-form-urlencoded', 'application/json; x=1'],
    ...['multipart/form-data; boundary=x', 'application/JSON;charset=utf-16', 'json', ';', '*/*'],
    ...['application/json, text/plain', 'application/octet-stream', 'application/ld+json', ' '],
  ]);
}

function oddHeader(sources: Sources): [string, string] {
  const { random, material } = sources;
  return random.pick<[string, string]>([
    ['if-none-match', material.etags.join(', ')],
    ['if-none-match', random.pick(['*', '"x"', 'W/"x", *', '"', ',,,', 'x'.repeat(500)])],
    ['if-modified-since', random.pick(['Thu, 01 Jan 2099 00:00:00 GMT', 'x'])],
    ['if-match', '"x"'],
    ['if-publication-at-least', random.pick(['0', '1', '-1', 'x', '1, 1', '9'.repeat(20)])],
    ['range', random.pick(['bytes=0-0', 'bytes=5-1', 'bytes=-', 'x', 'bytes=0-1,2-3,5-9'])],
    ['if-range', 'x'],
    ['accept', random.pick(['text/html', 'application/json', '*/*;q=0', 'x'])],
    ['accept-encoding', random.pick(['gzip', 'br', 'gzip;q=x', 'identity;q=0, *;q=0', 'deflate'])],
    ['origin', random.pick(['null', 'http://evil.example', 'http://127.0.0.1', 'x'])],
    ['sec-fetch-site', random.pick(['cross-site', 'same-origin', 'none', 'x'])],
    ['access-control-request-method', 'GET'],
    ['x-forwarded-for', random.pick(['1.2.3.4', '::1', 'x', ','.repeat(50)])],
    ['x-forwarded-host', 'evil.example'],
    ['x-forwarded-proto', random.pick(['https', 'x'])],
    ['x-http-method-override', 'DELETE'],
    ['content-encoding', random.pick(['gzip', 'br', 'x'])],
    ['te', 'trailers'],
    ['upgrade', random.pick(['websocket', 'h2c'])],
    ['connection', random.pick(['keep-alive', 'x-api-key', 'te'])],
    ['authorization', 'Bearer x'],
    ['x-request-id', 'x'.repeat(200)],
    ['x-api-key', 'x'],
    [`x-${random.below(1000)}`, 'é'.repeat(20)],
  ]);
}

function mutatedBody(sources: Sources, { body }: KnownRoute): Buffer {
  const { random, material } = sources;
  const value =
    body && random.chance(0.7) ? randomValue(random, material, body) : knownBody(random, material);
  const good = Buffer.from(JSON.stringify(value) ?? '');
  return random.chance(0.7) ? good : brokenBody(random, good);
}

/** A body that is cut, nested, huge, not JSON or not UTF-8. */
function brokenBody(random: Random, good: Buffer): Buffer {
  const depth = random.pick([10, 1000, 30_000]);
  return random.pick<() => Buffer>([
    () => good.subarray(0, random.below(good.length)),
    () => Buffer.concat([good, good]),
    () => Buffer.from(good.toString(), 'utf16le'),
    () => Buffer.concat([Buffer.from('\ufeff'), good]),
    () => Buffer.concat([Buffer.from([0xff, 0xfe, 0xc0]), good]),
    () => random.bytes(random.below(300)),
    () => Buffer.from('['.repeat(depth) + ']'.repeat(random.pick([0, depth]))),
    () => Buffer.from(`{"ids":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`),
    () => Buffer.from('{"__proto__":{"ids":[]},"constructor":{"prototype":{}}}'),
    () => Buffer.from(`{"ids":[${'"a",'.repeat(random.pick([100, 20_000]))}"a"]}`),
    () => Buffer.from(`{"items":[${'"charizard 4/102",'.repeat(499)}"x"]}`),
    () => Buffer.alloc(random.pick([65_535, 65_536, 65_537, 600_000]), ' '),
    () => Buffer.from('ids=a&ids=b'),
    () => Buffer.from('null'),
    () => Buffer.alloc(0),
  ])();
}
