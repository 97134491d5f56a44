import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { API_ERRORS, type ApiErrorCode } from '../../src/domain/errors.ts';
import { type Schema, typeText } from '../../src/http/reference/document.ts';
import { html } from '../../src/http/reference/html.ts';
import { ENDPOINTS } from '../../src/http/v1/routes.ts';
import { shareService } from '../support/app.ts';
import { type Operation, operationsOf, parseDocument } from './document.ts';
import { errorOf } from './expect.ts';

/** What a page loads or leads to: styles, scripts, images, frames, links. */
const LINKS = /\s(?:src|href|action)="([^"]*)"/g;

/** What callers accept, and how they unpack the answer. */
const ENCODINGS = [
  ['gzip, deflate, br', 'br', brotliDecompressSync],
  ['br;q=0, gzip', 'gzip', gunzipSync],
  ['gzip', 'gzip', gunzipSync],
] as const;

/** The most bytes of a compressed page, which leaves 5 kB for its style, script and icon. */
const MOST_BYTES = 55_000;

/** The parameters and the error codes of an operation. */
function namesIn({ parameters = [], responses, operationId }: Operation): readonly string[] {
  const endpoint = ENDPOINTS.find(({ schema }) => schema.operationId === operationId);
  const { errors } = endpoint ?? assert.fail(operationId);
  const codes = Object.values(responses).flatMap(({ content }) => {
    return Object.keys(content?.['application/json']?.examples ?? {}) as ApiErrorCode[];
  });
  // `/openapi.json` has one response for the errors of all operations at a status.
  const own = codes.filter((code) => errors.includes(code) || !OWN_ERRORS.has(code));
  assert.ok(errors.every((code) => own.includes(code)));
  return [...parameters.map(({ name }) => name), ...own];
}

/** The errors that some endpoints have and others do not. */
const OWN_ERRORS = new Set(ENDPOINTS.flatMap(({ errors }) => errors));

describe('/docs', () => {
  const shared = shareService('SQLite');
  const get = (url: string, headers = {}) => shared.service.get(url, headers);

  it('is a page in English that loads its style and its script, and no other', async () => {
    for (const url of ['/docs', '/docs/']) {
      const page = await get(url);
      assert.equal(page.statusCode, 200);
      assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
      assert.match(page.body, /^<!doctype html>\n<html lang="en">/);
      assert.match(page.body, /<title>Cardprice API<\/title>/);
      assert.doesNotMatch(page.body, /\sstyle=|\son\w+=|<style/);
      const scripts = page.body.match(/<script.*?<\/script>/gs);
      const script = '<script type="module" blocking="render" src="/docs/reference.js"></script>';
      assert.deepEqual(scripts, [script]);
      const links = [...page.body.matchAll(LINKS)].map(([, link = '']) => link);
      const others = new Set(links.filter((link) => !link.startsWith('#')));
      const loaded = ['/docs/style.css', '/icon.svg', '/docs/reference.js'];
      const pages = ['/', '/docs/guide', '/docs', '/docs/operator', '/openapi.json', '/keys'];
      assert.deepEqual([...others], [...loaded, ...pages]);
    }
    const script = await get('/docs/reference.js');
    assert.match(String(script.headers['content-type']), /\/javascript/);
    const again = await get('/docs/reference.js', { 'if-none-match': String(script.headers.etag) });
    assert.equal(again.statusCode, 304);
    const style = await get('/docs/style.css');
    assert.equal(style.headers['content-type'], 'text/css; charset=utf-8');
    assert.match(style.body, /color-scheme: light dark/);
  });

  it('loads only from its service, calls no other, and no other site can frame it', async () => {
    const { headers } = await get('/docs');
    const policy = String(headers['content-security-policy']).split(';');
    assert.ok(policy.includes("default-src 'none'"));
    assert.ok(policy.includes("frame-ancestors 'none'"));
    for (const kind of ['script', 'style', 'connect']) {
      assert.ok(policy.includes(`${kind}-src 'self'`), kind);
    }
    assert.ok(policy.includes("form-action 'none'"));
    assert.doesNotMatch(String(policy), /unsafe|https?:|\*/);
    assert.equal(headers['x-content-type-options'], 'nosniff');
  });

  it('has every endpoint with its parameters, fields, errors and a request', async () => {
    const { body } = await get('/docs');
    const document = parseDocument((await get('/openapi.json')).body);
    const sections = new Map(
      body
        .split('<details class="operation">')
        .slice(1)
        .map((section) => [/<section id="([\w-]+)"/.exec(section)?.[1], section]),
    );
    const forAll = sections.get('all-calls') ?? assert.fail('all-calls');
    for (const { name, operation } of operationsOf(document)) {
      const [method = '', path = ''] = name.split(' ');
      const section = sections.get(operation.operationId) ?? assert.fail(name);
      assert.ok(section.includes(`<b>${method}</b> <code>${path}</code>`), name);
      assert.ok(body.includes(`<a href="#${operation.operationId}">`), name);
      assert.ok(section.includes('curl -H &quot;X-API-Key: $PRICES_KEY&quot;'), name);
      assert.ok(section.includes('headers: { &#39;X-API-Key&#39;: process.env.PRICES_KEY'), name);
      assert.ok(section.includes('os.environ[&quot;PRICES_KEY&quot;]'), name);
      assert.ok(section.includes(`<form data-method="${method}" data-path="${path}">`), name);
      // Each is either in the section of the call or in that of all calls.
      for (const listed of namesIn(operation)) {
        const row = `<dt><code>${listed}</code>`;
        assert.ok(section.includes(row) !== forAll.includes(row), `${name} ${listed}`);
      }
      assert.match(section, /<dt><code>data/);
    }
    assert.ok(sections.get('getCard')?.includes('<code>data.prices.conditions.near_mint</code>'));
    assert.ok(sections.get('searchCards')?.includes('<code>data[].prices.market</code>'));
    const related = sections.get('getRelatedCards') ?? assert.fail('getRelatedCards');
    const listed = '<a href="#searchCards">data[] of GET /v1/search</a>';
    assert.ok(related.includes(`<code>data.others</code> <span>array, like ${listed}</span>`));
    assert.ok(!related.includes('data.others[].prices'), 'large objects are listed once');
    const explained = sections.get('explainCard') ?? assert.fail('explainCard');
    assert.match(explained, /missing\[\].leftOut<\/code> <span>array, like data\.printings/);
    assert.ok(body.includes(API_ERRORS.MISSING_API_KEY.example));
  });

  it('has operators’ calls apart, without forms that send them', async () => {
    const { body } = await get('/docs/operator');
    assert.ok(body.includes('<code>/operator/v1/accounts</code>'));
    assert.ok(!body.includes('<form') && !body.includes('/v1/search'));
    assert.ok(!(await get('/docs')).body.includes('/operator/v1/'));
  });

  it('has the colors of the pages', async () => {
    const colorsOf = (style: string) => {
      return [...style.matchAll(/(--[\w-]+: light-dark\(.*\));/g)].map(([, color = '']) => color);
    };
    const pages = new Set(colorsOf(readFileSync('web/src/ui/style.css', 'utf8')));
    const colors = colorsOf((await get('/docs/style.css')).body);
    assert.ok(colors.length > 5);
    assert.deepEqual(
      colors.filter((color) => !pages.has(color)),
      [],
    );
  });

  it('presents the service as its operator does', async () => {
    const presentation = { name: 'Castle Cards', hasColor: true, hasLogo: true };
    const service = await shared.service.another(shared.location, { presentation });
    for (const url of ['/docs', '/docs/operator', '/docs/guide']) {
      const { body } = await service.get(url);
      assert.match(body, /<a class="brand" href="\/"><img src="\/logo"[^>]*>Castle Cards<\/a>/);
      assert.ok(body.includes('<link rel="stylesheet" href="/brand.css">'));
    }
    await service.close();
  });

  it('has requests to the host of the page, or to CARDPRICE_URL', async () => {
    const local = await get('/docs', { host: 'prices.lan:8080' });
    assert.ok(local.body.includes('http://prices.lan:8080/v1/games'));
    const other = await get('/docs', { host: 'cards.lan' });
    assert.ok(other.body.includes('http://cards.lan/v1/games'));
    assert.ok(!/prices\.lan|origin\.invalid/.test(other.body));
    const service = await shared.service.another(shared.location, {
      publicUrl: 'https://cards.example',
    });
    const page = await service.get('/docs', { host: 'prices.lan:8080' });
    assert.ok(page.body.includes('https://cards.example/v1/search?q=charizard'));
    assert.ok(!page.body.includes('prices.lan'));
    await service.close();
  });

  it('is never what a caller wrote into a header', async () => {
    const service = await shared.service.another(shared.location, { trustProxy: ['127.0.0.1'] });
    const page = await service.get('/docs', { 'x-forwarded-host': 'evil.example' });
    assert.ok(!page.body.includes('evil.example'));
    const hostile = await service.get('/docs', { host: '"><img src=x>' });
    errorOf(hostile, 'MISDIRECTED_REQUEST');
    await service.close();
  });

  it('has guides whose links lead to guides, sections and the web', async () => {
    const guides = new Map<string, string>();
    for (const [, name = ''] of (await get('/llms.txt')).body.matchAll(/\/docs\/(\w+)\.md/g)) {
      const page = await get(`/docs/${name}`);
      assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
      assert.doesNotMatch(page.body, /<script|\son\w+=|<style|undefined/);
      guides.set(`/docs/${name}`, page.body);
      const text = await get(`/docs/${name}.md`);
      assert.equal(text.headers['content-type'], 'text/markdown; charset=utf-8');
      assert.match(text.body, /^# /);
    }
    assert.ok(guides.size > 5);
    for (const [path, body] of guides) {
      for (const [, link = ''] of body.matchAll(/\shref="([^"]*)"/g)) {
        const [target = '', anchor] = link.split('#');
        if (anchor === undefined) continue;
        const page = guides.get(target || path);
        assert.ok(page?.includes(` id="${anchor}"`), `${path} links to ${link}`);
      }
    }
  });

  it('has guides whose examples call the host of the page', async () => {
    const { body } = await get('/docs/guide', { host: 'prices.lan:8080' });
    assert.ok(body.includes('export PRICES_URL=http://prices.lan:8080\n'));
    assert.match(body, /<a href="#several-nodes">Several nodes<\/a>/);
  });

  it('comes compressed where that is accepted, and not again where it is known', async () => {
    for (const url of ['/docs', '/docs/style.css', '/openapi.json']) {
      const plain = await get(url);
      for (const [accepted, encoding, unpack] of ENCODINGS) {
        const packed = await get(url, { 'accept-encoding': accepted });
        assert.equal(packed.headers['content-encoding'], encoding, accepted);
        assert.equal(String(unpack(packed.rawPayload)), plain.body);
        assert.ok(packed.rawPayload.length < MOST_BYTES, `${url}: ${packed.rawPayload.length}`);
      }
      assert.equal(plain.headers.vary, 'accept-encoding');
      const refused = await get(url, { 'accept-encoding': 'gzip;q=0, br;q=0' });
      assert.equal(refused.headers['content-encoding'], undefined);
      const again = await get(url, { 'if-none-match': String(plain.headers.etag) });
      assert.equal(again.statusCode, 304);
      assert.equal(again.body, '');
    }
  });
});

it('escapes texts in HTML, and keeps HTML as it is', () => {
  const made = html`<p title="${'"a"'}">${"<b> & 'c'"}${html`<i>${1}</i>`}</p>`;
  assert.equal(made.text, '<p title="&quot;a&quot;">&lt;b&gt; &amp; &#39;c&#39;<i>1</i></p>');
});

describe('The type of a value', () => {
  const cases: readonly (readonly [schema: Schema, text: string])[] = [
    [{ type: 'number' }, 'number'],
    [{ type: ['number', 'null'] }, 'number or null'],
    [{ enum: ['up', 'down'], default: 'up' }, 'one of up, down, by default up'],
    [{ type: 'integer', minimum: 1, maximum: 100 }, 'integer, 1 to 100'],
    [{ type: 'integer', minimum: 0 }, 'integer, at least 0'],
    [{ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }, 'integer, at least 0'],
    [{ type: 'string', maxLength: 254 }, 'string, at most 254 characters'],
    [{ type: 'array', minItems: 1, maxItems: 20 }, 'array, 1 to 20 items'],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, 'some of a, b, separated by commas'],
    [{}, 'object'],
  ];
  for (const [schema, text] of cases) {
    it(`is shown as "${text}" for ${JSON.stringify(schema)}`, () => {
      assert.equal(typeText(schema), text);
    });
  }
});
