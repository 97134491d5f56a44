import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { AnyRoute } from '../../src/dashboard/route.ts';
import { ROUTES } from '../../src/dashboard/routes.ts';
import { bodyOf, errorOf } from '../http/expect.ts';
import { shareService } from '../support/app.ts';
import type { Browser } from '../support/browser.ts';
import { forEachEngine } from '../support/engines.ts';

/** Bodies that are not what any call takes. */
const BODIES: readonly string[] = [
  '',
  '{',
  'null',
  '[]',
  '"x"',
  '7',
  '{}',
  '{"email":null,"password":null,"ids":null,"hint":null,"token":null}',
  '{"email":{},"password":[],"ids":{},"hint":7,"token":true,"current":{},"next":{}}',
  '{"email":"","password":"","ids":[],"hint":"","token":"","current":"","next":""}',
  JSON.stringify({ email: 'x'.repeat(30_000), password: 'x'.repeat(2000), hint: 'x'.repeat(20) }),
  '{"__proto__":{"email":"a@b","password":"x","ids":[1]},"constructor":{"prototype":{}}}',
  `{"email":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
];

/** Texts that some database, parser or page may stumble over. */
const TEXTS: readonly string[] = [
  '\u0000',
  '\ud800',
  '\udfff\ud800',
  '\u202e\u200f\ufeff',
  "' or 1=1 --",
  '<script>alert(1)</script>',
  '{{7*7}}',
  '%00',
  '🂡'.repeat(50),
  '__proto__',
  'constructor',
  'a@b'.repeat(80),
];

/** The members that a body must have. */
function requiredOf(body: unknown): readonly string[] {
  return (body as { readonly required?: readonly string[] } | undefined)?.required ?? [];
}

/** Sends a text as everything that a call may take. */
function send(browser: Browser, { method, path }: AnyRoute, text: string) {
  const query = encodeURIComponent(text.toWellFormed());
  const url = `/dashboard${path.replace(':id', query)}`;
  if (method === 'GET') {
    return browser.get(`${url}?q=${query}&game=${query}&source=${query}&reason=${query}`);
  }
  return browser.post(url, {
    email: text,
    password: text,
    token: text,
    invitation: text,
    hint: text,
    name: text,
    expires: text,
    plan: text,
    current: text,
    next: text,
  });
}

forEachEngine((label) => {
  const shared = shareService(label);

  it('A malformed body is refused with a message for people', async () => {
    const operator = await shared.service.operator();
    const posts = ROUTES.filter(({ method, schema }) => method === 'POST' && schema.body);
    // Where everything may be left out, the body may be empty.
    const strict = posts.filter(({ schema }) => requiredOf(schema.body).length > 0);
    assert.ok(strict.length > 20);
    for (const { path } of strict) {
      for (const body of BODIES) {
        const answer = await operator.post(`/dashboard${path.replace(':id', '1')}`, body);
        const { message } = errorOf(answer, 'INVALID_BODY');
        assert.ok(message.length < 300, message.slice(0, 300));
        assert.match(message, /^[A-Za-z].*\.$/s);
      }
    }
  });

  it('A number is no text', async () => {
    const browser = await shared.service.signedInBrowser();
    errorOf(await browser.post('/dashboard/keys', JSON.stringify({ name: 7 })), 'INVALID_BODY');
  });

  it('A body that is too large or not JSON is refused before its schema is checked', async () => {
    const operator = await shared.service.operator();
    for (const { path } of ROUTES.filter(({ method }) => method === 'POST')) {
      const url = `/dashboard${path.replace(':id', '1')}`;
      const large = 'x'.repeat(70_000);
      const headers = { 'content-type': 'application/xml' };
      if (path.startsWith('/sign-out')) continue;
      errorOf(await operator.post(url, large), 'PAYLOAD_TOO_LARGE');
      errorOf(await operator.send('POST', url, headers, '<a/>'), 'UNSUPPORTED_MEDIA_TYPE');
    }
  });

  it('No text causes an internal error, wherever it is sent', async () => {
    const browsers = {
      operator: await shared.service.operator(),
      account: await shared.service.signedInBrowser(),
      visitor: await shared.service.signedInBrowser(),
      anyone: await shared.service.signedInBrowser(),
    };
    for (const text of TEXTS) {
      for (const route of ROUTES.filter(({ path }) => !path.startsWith('/sign-out'))) {
        const answer = await send(browsers[route.access], route, text);
        assert.ok(answer.statusCode < 500, `${text} ${route.path} ${answer.body}`);
      }
    }
    bodyOf(await browsers.operator.get('/dashboard/keys'));
    assert.equal(Object.hasOwn(Object.prototype, 'email'), false);
  });

  it('A name comes back exactly as it was sent', async () => {
    const browser = await shared.service.signedInBrowser();
    const name = '<img src=x onerror=alert(1)> "quoted" \\ 名前';
    await browser.post('/dashboard/keys', { name });
    const answer = await browser.get('/dashboard/keys');
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
    assert.equal(answer.json().data[0].name, name);
  });
});
