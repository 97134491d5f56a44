import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { PAGES } from '../../src/dashboard/pages.ts';
import { ROUTES } from '../../src/dashboard/routes.ts';
import { ENDPOINTS } from '../../src/http/v1/routes.ts';
import { shareService } from '../support/app.ts';
import { RawSocket } from '../support/raw-socket.ts';

type Sent = Readonly<Record<string, unknown>>;

/** What every answer has, of whatever status. */
function assertSafe(headers: Sent, what: string): void {
  const policy = String(headers['content-security-policy']).split(';');
  assert.ok(policy.includes("default-src 'none'"), what);
  assert.ok(policy.includes("base-uri 'none'"), what);
  assert.ok(policy.includes("frame-ancestors 'none'"), what);
  assert.doesNotMatch(String(policy), /unsafe|https?:|\*/, what);
  assert.equal(headers['x-content-type-options'], 'nosniff', what);
  assert.equal(headers['referrer-policy'], 'no-referrer', what);
  assert.equal(headers['cross-origin-resource-policy'], 'same-origin', what);
  assert.notEqual(headers['cache-control'], undefined, what);
}

/** Requests that never reach a route, and the status of their answers. */
const RAW: readonly (readonly [status: number, text: string])[] = [
  [400, 'hello\r\n\r\n'],
  [400, 'GET / HTTP/1.1\r\n\r\n'],
  [400, 'GET / HTTP/1.1\r\nhost:\r\n\r\n'],
  [400, 'GET / HTTP/1.1\r\nhost: x\r\ncontent-length: x\r\n\r\n'],
  [404, 'GET /nothing HTTP/1.0\r\n\r\n'],
  [431, `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`],
  [404, 'TRACE /nothing HTTP/1.1\r\nhost: x\r\n\r\n'],
  [404, 'PROPFIND / HTTP/1.1\r\nhost: x\r\n\r\n'],
  [404, 'GET http://evil.example/x HTTP/1.1\r\nhost: x\r\n\r\n'],
  [404, 'OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n'],
  [404, 'GET /%zz HTTP/1.1\r\nhost: x\r\n\r\n'],
  [200, 'GET /healthz HTTP/1.1\r\nhost: x\r\nexpect: tea\r\n\r\n'],
  [200, 'GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'],
];

describe('The security headers', () => {
  const shared = shareService('SQLite');
  let port = 0;
  before(async () => {
    const url = await shared.service.app.listen({ host: '127.0.0.1', port: 0 });
    port = Number(new URL(url).port);
  });

  it('are on every answer of every route, by every method', async () => {
    const { app } = shared.service;
    const paths = [
      ...Object.values(PAGES),
      ...['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs', '/docs/', '/docs/style.css'],
      ...['/icon.svg', '/assets/app-4f2a.js', '/assets/nothing.js', '/assets/', '/nothing', '/%zz'],
      ...ROUTES.map(({ path }) => `/dashboard${path}`),
      ...ENDPOINTS.flatMap(({ path }) => [path, `/dashboard${path}`]),
      ...['/v1', '/v1/nothing', '/dashboard', '/dashboard/nothing'],
    ];
    for (const path of paths) {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'] as const) {
        const answer = await app.inject({ method, url: path.replace(/:\w+/, 'x') });
        assertSafe(answer.headers, `${method} ${path}: ${answer.statusCode}`);
      }
    }
  });

  it('are on answers to callers and to people who are signed in', async () => {
    const caller = await shared.service.caller();
    const browser = await shared.service.signedInBrowser('trader');
    const etag = await shared.service.etagOf('/v1/games');
    for (const answer of [
      await caller.get('/v1/games'),
      await caller.get('/v1/games', { 'if-none-match': etag }),
      await caller.get('/v1/search'),
      await caller.post('/v1/cards/batch', '{'),
      await browser.get('/dashboard/keys'),
      await browser.get('/dashboard/v1/games'),
      await browser.get('/dashboard/operator/accounts'),
    ]) {
      assertSafe(answer.headers, String(answer.statusCode));
      assert.match(String(answer.headers['cache-control']), /^(private, no-cache|no-store)$/);
    }
  });

  it('are sent even if the bytes are not a request', async () => {
    for (const [status, text] of RAW) {
      const closing = text.replace(/\r\n\r\n$/, '\r\nconnection: close\r\n\r\n');
      const socket = (await RawSocket.open(port)).send(text.includes('upgrade') ? text : closing);
      if (text.includes('upgrade')) setTimeout(() => socket.close(), 300);
      const [head = ''] = (await socket.answer()).split('\r\n\r\n');
      const [line = '', ...fields] = head.split('\r\n');
      assert.equal(Number(line.split(' ')[1]), status, text.slice(0, 60));
      const headers = fields.map((field) => {
        const [name = '', value] = field.split(': ');
        return [name.toLowerCase(), value] as const;
      });
      assertSafe(Object.fromEntries(headers), text.slice(0, 60));
    }
  });

  it('isolate pages from what opened them, and let no search engine frame them', async () => {
    for (const url of ['/', '/docs']) {
      const { headers } = await shared.service.get(url);
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
      assert.equal(headers['x-frame-options'], 'DENY');
    }
  });
});
