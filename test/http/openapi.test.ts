import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { LightMyRequestResponse } from 'fastify';
import { Compile } from 'typebox/compile';
import { API_ERRORS } from '../../src/domain/errors.ts';
import { WEBHOOK_EVENT_TYPES } from '../../src/domain/webhooks.ts';
import { ENDPOINTS } from '../../src/http/v1/routes.ts';
import { type Caller, type Service, shareService } from '../support/app.ts';
import {
  type Document,
  JSON_TYPE,
  type Operation,
  operationsOf,
  parseDocument,
  type Response,
  resolve,
  type Schema,
} from './document.ts';

/** What no endpoint answers: there is none at such a path, or no request for it arrived. */
const WITHOUT_ENDPOINT = [
  'NOT_FOUND',
  'HEADERS_TOO_LARGE',
  'MALFORMED_REQUEST',
  'MISDIRECTED_REQUEST',
  'REQUEST_TIMEOUT',
];

/** Makes every answer carry the number of its publication. */
const ANY_PUBLICATION = { 'if-publication-at-least': '0' };

const CHARIZARD = '/v1/cards/pokemon-bs-charizard-004';
const UNPRICED = '/v1/cards/mtg-9ed-forest-347';
/** Of a game without any price. */
const UNPRICED_GAME = '/v1/cards/fab-mon-soul-food-yellow-mon064';

/** What is sent to the endpoints that have a body, whole and otherwise. */
const BODIES: Readonly<Record<string, readonly [good: object[], bad: unknown[]]>> = {
  '/v1/cards/batch': [
    [{ ids: ['pokemon-bs-charizard-004', 'mtg-9ed-forest-347'] }, { ids: [] }],
    ['{', { ids: [1] }, { ids: Array(21).fill('x') }, { ids: ['x'.repeat(70_000)] }],
  ],
  '/v1/alerts': [
    [{ kind: 'above', amount: 400, card: 'pokemon-bs-charizard-004' }],
    ['{', { kind: 'high', card: 'x' }, { kind: 'high', set: 'x' }, { name: 'x'.repeat(70_000) }],
  ],
  '/v1/alerts/preview': [
    [{ kind: 'rise', percent: 1, days: 7, set: 'pokemon-base-set' }],
    ['{', { kind: 'high', card: 'x' }, { name: 'x'.repeat(70_000) }],
  ],
  '/v1/alerts/:id/:change': [[{}], ['{', { name: 'x'.repeat(70_000) }]],
  '/v1/webhooks': [
    [{ url: 'https://shop.example/prices' }],
    ['{', { url: 'https://10.0.0.1/' }, { url: 'x'.repeat(70_000) }],
  ],
  '/v1/webhooks/:id/:change': [[{}], ['{', { url: 'x'.repeat(70_000) }]],
  '/v1/webhooks/:id/deliveries/:event/resend': [[{}], ['{', { url: 'x'.repeat(70_000) }]],
  '/v1/resolve': [
    [{ items: [{ name: 'Charizard', set: 'Base Set', number: '4' }, 'Forest', 'zzzzzzzz', ''] }],
    ['{', { items: [1] }, { items: Array(501).fill('x') }, { items: ['x'.repeat(600_000)] }],
  ],
};

/** By endpoint, paths that are answered well and paths that are not. */
const PACK = '/v1/products/pokemon-bs-base-set-booster-pack-revised-unlimited-edition';

const PATHS: Readonly<Record<string, readonly [good: string[], bad: string[]]>> = {
  '/v1/search': [
    [
      '/v1/search?q=forest&explain=match',
      '/v1/search?q=forest',
      '/v1/search?q=zzzzzzzz',
      '/v1/search?q=booster+pack',
      '/v1/search?q=booster+pack&kind=product',
    ],
    ['/v1/search'],
  ],
  '/v1/cards/search': [['/v1/cards/search?q=forest&min_price=0.5'], ['/v1/cards/search']],
  '/v1/cards': [
    ['/v1/cards?ids=pokemon-bs-charizard-004,x'],
    ['/v1/cards', `/v1/cards?ids=${'x,'.repeat(21)}`],
  ],
  '/v1/cards/by/:idSpace/:externalId': [
    ['/v1/cards/by/tcgplayer/42382'],
    ['/v1/cards/by/tcgplayer/x', '/v1/cards/by/x/42382'],
  ],
  '/v1/autocomplete': [['/v1/autocomplete?q=cha'], ['/v1/autocomplete']],
  '/v1/cards/:id': [[CHARIZARD, UNPRICED], ['/v1/cards/x']],
  '/v1/cards/:id/related': [
    [`${CHARIZARD}/related`, `${UNPRICED_GAME}/related`],
    ['/v1/cards/x/related'],
  ],
  '/v1/cards/:id/history': [
    [`${CHARIZARD}/history`, `${UNPRICED}/history`, `${UNPRICED_GAME}/history`],
    ['/v1/cards/x/history', `${CHARIZARD}/history?period=x`],
  ],
  '/v1/cards/:id/prices': [
    [`${CHARIZARD}/prices`, `${UNPRICED}/prices`, `${UNPRICED_GAME}/prices`],
    ['/v1/cards/x/prices', `${CHARIZARD}/prices?days=x`],
  ],
  '/v1/cards/:id/statistics': [
    [`${CHARIZARD}/statistics`, `${UNPRICED}/statistics`, `${UNPRICED_GAME}/statistics`],
    ['/v1/cards/x/statistics', `${CHARIZARD}/statistics?printing=x`],
  ],
  '/v1/cards/:id/explain': [
    [`${CHARIZARD}/explain`, `${UNPRICED}/explain`, `${UNPRICED_GAME}/explain`],
    ['/v1/cards/x/explain'],
  ],
  '/v1/products': [
    ['/v1/products', '/v1/products?q=booster&type=booster', '/v1/products?upc=1'],
    ['/v1/products?type=x', '/v1/products?limit=x'],
  ],
  '/v1/products/:id': [[PACK], ['/v1/products/x']],
  '/v1/products/:id/history': [
    [`${PACK}/history`],
    ['/v1/products/x/history', `${PACK}/history?period=x`],
  ],
  '/v1/sets': [
    ['/v1/sets', '/v1/sets?q=base&sort=value'],
    ['/v1/sets?limit=x', '/v1/sets?sort=size'],
  ],
  '/v1/sets/:setId': [['/v1/sets/pokemon-base-set', '/v1/sets/fab-monarch'], ['/v1/sets/x']],
  '/v1/sets/:setId/cards': [
    ['/v1/sets/pokemon-base-set/cards', '/v1/sets/fab-monarch/cards?max_price=1'],
    ['/v1/sets/x/cards', '/v1/sets/pokemon-base-set/cards?min_price=x'],
  ],
  '/v1/sets/:setId/index': [
    ['/v1/sets/pokemon-base-set/index', '/v1/sets/fab-monarch/index?period=all'],
    ['/v1/sets/x/index', '/v1/sets/pokemon-base-set/index?period=x'],
  ],
  '/v1/games': [['/v1/games'], []],
  '/v1/games/:game/sets': [['/v1/games/pokemon/sets'], ['/v1/games/x/sets']],
  '/v1/games/:game/index': [
    ['/v1/games/pokemon/index', '/v1/games/fab/index'],
    ['/v1/games/x/index', '/v1/games/pokemon/index?period=x'],
  ],
  '/v1/rarities': [['/v1/rarities', '/v1/rarities?game=mtg'], ['/v1/rarities?game=x']],
  '/v1/movers': [['/v1/movers', '/v1/movers?game=mtg&min=0.5'], ['/v1/movers?window=x']],
  '/v1/bulk': [['/v1/bulk'], []],
  '/v1/manifest': [['/v1/manifest', '/v1/manifest?limit=1'], ['/v1/manifest?after=x']],
  '/v1/changes': [['/v1/changes'], ['/v1/changes?since=x', '/v1/changes?since=1.00000000']],
  '/v1/coverage': [['/v1/coverage', '/v1/coverage?game=pokemon'], ['/v1/coverage?game=x']],
  '/v1/alerts': [['/v1/alerts'], ['/v1/alerts?limit=x']],
  '/v1/alerts/events': [['/v1/alerts/events'], ['/v1/alerts/events?alert=x']],
  '/v1/alerts/:id': [['/v1/alerts/ALERT'], ['/v1/alerts/x']],
  '/v1/webhooks': [['/v1/webhooks'], ['/v1/webhooks?limit=x']],
  '/v1/webhooks/:id/deliveries': [
    ['/v1/webhooks/WEBHOOK/deliveries'],
    ['/v1/webhooks/x/deliveries'],
  ],
  '/v1/usage': [['/v1/usage'], ['/v1/usage?strict=maybe']],
  '/v1/marketplace-changes': [
    ['/v1/marketplace-changes', '/v1/marketplace-changes?game=mtg&since=2026-01-28&limit=1'],
    ['/v1/marketplace-changes?since=yesterday', '/v1/marketplace-changes?limit=x'],
  ],
};

/** The schemas that the document names. */
const SCHEMAS: readonly string[] = [
  'Alert',
  'AlertEvent',
  'AlertPreview',
  'BatchCard',
  'CardDetail',
  'CardSet',
  'CardStatistics',
  'CardSummary',
  'CatalogueChange',
  'Coverage',
  'DaysHistory',
  'ErrorAnswer',
  'ExplainedCard',
  'Game',
  'MarketplaceChange',
  'Mover',
  'PeriodHistory',
  'PriceIndex',
  'Rarity',
  'Related',
  'ResolvedItem',
  'SetDetail',
  'Understood',
  'Usage',
];

/**
 * Parameters that are required: of every endpoint that has them, or of one (`GET /v1/sets name`).
 */
const REQUIRED: readonly string[] = [
  'change',
  'event',
  'GET /v1/autocomplete q',
  'GET /v1/cards/search q',
  'GET /v1/search q',
  'id',
  'ids',
  'setId',
  'idSpace',
  'externalId',
  'GET /v1/games/{game}/index game',
  'GET /v1/games/{game}/sets game',
];

interface Callers {
  readonly free: Caller;
  readonly trader: Caller;
  /** Without anything left of the quota. */
  readonly spent: Caller;
  /** With a key that may ask none of these endpoints. */
  readonly restricted: Caller;
}

describe('/openapi.json', () => {
  const shared = shareService('SQLite');
  let document: Document;
  before(async () => {
    document = parseDocument((await shared.service.get('/openapi.json')).body);
  });

  it('is OpenAPI 3.1 of this version', () => {
    assert.match(document.openapi, /^3\.1\./);
    assert.equal(document.info.version, '1.2.3');
  });

  it('has every endpoint, each with a unique operation id', () => {
    assert.deepEqual(
      operationsOf(document).map(({ name }) => name),
      ENDPOINTS.map(({ path, method }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`),
    );
    const ids = operationsOf(document).map(({ operation }) => operation.operationId);
    assert.equal(new Set(ids).size, ENDPOINTS.length);
    for (const { name, operation } of operationsOf(document)) {
      assert.ok(operation.summary && operation.description, name);
    }
  });

  it('names the schemas of the resources, and the large objects in them', () => {
    const names = Object.keys(document.components.schemas);
    assert.deepEqual(
      [...SCHEMAS, 'Prices', 'Printing', 'Conditions'].filter((name) => !names.includes(name)),
      [],
    );
  });

  it('is small, says where the service is, and has no key in a URL', async () => {
    const { body } = await shared.service.get('/openapi.json', { host: 'prices.lan:8080' });
    assert.ok(body.length < 150_000, `${body.length} bytes`);
    const { servers, info, components, tags } = JSON.parse(body);
    assert.equal(servers[0].url, 'http://prices.lan:8080');
    assert.equal(info.license.identifier, 'MIT');
    assert.deepEqual(Object.keys(components.securitySchemes), ['header']);
    const known = new Set(tags.map(({ name }: { name: string }) => name));
    for (const { name, operation } of operationsOf(document)) {
      assert.ok(known.has((operation as { tags?: string[] }).tags?.[0]), name);
    }
    assert.ok(!body.includes('/operator/v1'));
  });

  it('names the errors that all operations share once, as their default response', async () => {
    const { paths } = JSON.parse((await shared.service.get('/openapi.json')).body);
    for (const [path, methods] of Object.entries<Record<string, Operation>>(paths)) {
      for (const { responses } of Object.values(methods)) {
        assert.deepEqual(responses.default, { $ref: '#/components/responses/Error' }, path);
        assert.ok(!('401' in responses), path);
      }
    }
  });

  it('describes what webhooks receive', async () => {
    const { webhooks } = JSON.parse((await shared.service.get('/openapi.json')).body);
    assert.deepEqual(Object.keys(webhooks), WEBHOOK_EVENT_TYPES);
    const operators = JSON.parse((await shared.service.get('/operator/openapi.json')).body);
    assert.equal(operators.webhooks, undefined);
  });

  it('describes a field that is in several places only once', async () => {
    const { paths, components } = JSON.parse((await shared.service.get('/openapi.json')).body);
    const texts: string[] = [];
    JSON.stringify({ paths, components }, (key, value) => {
      if (key === 'properties')
        texts.push(...Object.values(value).map((one) => JSON.stringify(one)));
      return value;
    });
    const long = texts.filter((text) => text.length > 150 && !/"(?:enum|properties)"/.test(text));
    assert.ok(long.length > 20, `${long.length} fields`);
    assert.deepEqual(
      long.filter((text, index) => long.indexOf(text) !== index),
      [],
    );
  });

  it('leaves long examples of answers to the reference', () => {
    const { operation } =
      operationsOf(document).find(({ name }) => name === 'GET /v1/movers') ?? assert.fail();
    assert.equal(operation.responses['200']?.content?.[JSON_TYPE]?.example, undefined);
  });

  it('describes every field, and of every price the currency and what null means', () => {
    for (const [name, schema] of namedSchemas(document)) {
      if (schema.$ref) continue;
      const { description = '', type = [] } = schema;
      assert.notEqual(description, '', `${name} has no description`);
      if (String(type) === 'number,null') assert.match(description, /US dollars.*null/, name);
      if (type.includes('null')) assert.match(description, /null/i, name);
    }
  });

  it('describes every parameter, and requires only what has no default', () => {
    for (const { name: operationName, operation } of operationsOf(document)) {
      for (const { name, required = false, description } of operation.parameters ?? []) {
        assert.ok(description, `${operationName} ${name}`);
        const isRequired = [name, `${operationName} ${name}`].some((one) => REQUIRED.includes(one));
        assert.equal(required, isRequired, `${operationName} ${name}`);
      }
    }
  });

  it('says of parameters with several values how these are separated', () => {
    const lists = operationsOf(document).flatMap(({ operation }) =>
      (operation.parameters ?? []).filter(({ schema }) => schema.type === 'array'),
    );
    assert.ok(lists.length > 0);
    for (const { name, schema, ...rest } of lists) {
      const { style, explode } = rest as { style?: string; explode?: boolean };
      assert.deepEqual([style, explode, schema.style], ['form', false, undefined], name);
    }
  });

  it('has an example of every error, which fits the schema and the status', () => {
    const shown = new Set<string>();
    for (const { operation } of operationsOf(document)) {
      for (const [status, { content }] of Object.entries(operation.responses)) {
        if (status < '400') continue;
        const { schema, examples = {} } = content?.[JSON_TYPE] ?? assert.fail(status);
        const checker = Compile(resolve(document, schema));
        for (const [code, { value }] of Object.entries(examples)) {
          shown.add(code);
          assert.ok(checker.Check(value), code);
          assert.equal(value.error.code, code);
          assert.equal(String(value.error.status), status);
        }
      }
    }
    const expected = Object.keys(API_ERRORS).filter((code) => !WITHOUT_ENDPOINT.includes(code));
    assert.deepEqual([...shown].sort(), expected.sort());
  });

  it('has examples of answers that fit their schemas', () => {
    const shown = operationsOf(document).filter(({ name, operation }) => {
      const media = operation.responses['200']?.content?.[JSON_TYPE] ?? assert.fail(name);
      if (media.example === undefined) return false;
      const checker = Compile(resolve(document, media.schema));
      const [fault] = checker.Check(media.example) ? [] : checker.Errors(media.example);
      assert.equal(fault, undefined, `${name}: ${JSON.stringify(fault)}`);
      return true;
    });
    assert.ok(shown.length > 15);
  });

  it('describes every response', () => {
    for (const { name, operation } of operationsOf(document)) {
      for (const [status, { description }] of Object.entries(operation.responses)) {
        assert.ok(description && description !== 'Default Response', `${name} ${status}`);
      }
    }
  });
});

describe('The answers of', () => {
  const shared = shareService('SQLite');

  for (const { path, method, feature, parameterFeatures } of ENDPOINTS) {
    it(`${method} ${path} are those that /openapi.json documents`, async () => {
      const document = parseDocument((await shared.service.get('/openapi.json')).body);
      const name = `${method} ${path.replace(/:(\w+)/g, '{$1}')}`;
      const documented = operationsOf(document).find((operation) => operation.name === name);
      const { responses } = documented?.operation ?? assert.fail(name);
      const callers = await makeCallers(shared.service);
      const made = await makeThings(callers.trader);
      const answers =
        method === 'POST'
          ? await answersToPosts(path, made, callers)
          : await answersToGets(path, made, Boolean(feature ?? parameterFeatures), callers);
      const keyless = await shared.service.app.inject({ method, url: path });
      const statuses = new Set<string>();
      for (const answer of [...answers, keyless]) {
        const status = String(answer.statusCode);
        statuses.add(status);
        assertTrue(document, responses[status] ?? assert.fail(status), answer);
      }
      // Failures of ours look like all other errors; what provokes them is tested elsewhere.
      const expected = Object.keys(responses).filter((status) => status < '500');
      assert.deepEqual([...statuses].sort(), expected);
    });
  }
});

async function makeCallers(service: Service): Promise<Callers> {
  const spent = await service.caller('trader');
  await spent.spend(10_000);
  const restricted = await service.caller('trader');
  await service.keys.update(restricted.keyId, { addresses: ['192.0.2.1'] });
  const [free, trader] = [await service.caller('free'), await service.caller('trader')];
  return { free, trader, spent, restricted };
}

/** Ids of what a caller has, by the words that stand for them in paths. */
type Made = Readonly<Record<'ALERT' | 'WEBHOOK' | 'EVENT', string>>;

/** Makes an alert, and a webhook with an event. */
async function makeThings(caller: Caller): Promise<Made> {
  const make = async (path: string) => {
    const [body] = BODIES[path]?.[0] ?? assert.fail(path);
    return String((await caller.post(path, body)).json().data.id);
  };
  const [alert, webhook] = [await make('/v1/alerts'), await make('/v1/webhooks')];
  await caller.post(`/v1/webhooks/${webhook}/test`, {});
  const [event] = (await caller.get(`/v1/webhooks/${webhook}/deliveries`)).json().data;
  return { ALERT: alert, WEBHOOK: webhook, EVENT: event.id };
}

function filled(path: string, made: Made): string {
  return path.replace(/ALERT|WEBHOOK|EVENT/g, (word) => made[word as keyof Made]);
}

/** Paths of templates that have parameters. */
const POSTED: Readonly<Record<string, string>> = {
  '/v1/alerts/:id/:change': '/v1/alerts/ALERT/pause',
  '/v1/webhooks/:id/:change': '/v1/webhooks/WEBHOOK/enable',
  '/v1/webhooks/:id/deliveries/:event/resend': '/v1/webhooks/WEBHOOK/deliveries/EVENT/resend',
};

async function answersToGets(path: string, made: Made, restricted: boolean, callers: Callers) {
  const { free, trader, spent, restricted: keyed } = callers;
  const [good, bad] = (PATHS[path] ?? assert.fail(path)).map((urls) => {
    return urls.map((url) => filled(url, made));
  }) as [string[], string[]];
  const [first = ''] = good;
  const { etag } = (await trader.get(first)).headers;
  return Promise.all([
    ...[...good, ...bad].map((url) => trader.get(url, ANY_PUBLICATION)),
    trader.get(first, { ...ANY_PUBLICATION, 'if-none-match': String(etag) }),
    trader.get(first, { 'if-publication-at-least': 'x' }),
    trader.send('DELETE', first),
    spent.get(first),
    keyed.get(first),
    ...(restricted ? [free.get(first, ANY_PUBLICATION)] : []),
  ]);
}

async function answersToPosts(template: string, made: Made, callers: Callers) {
  const { free, trader, spent, restricted } = callers;
  const [good, bad] = BODIES[template] ?? assert.fail(template);
  const [first] = good;
  const path = filled(POSTED[template] ?? template, made);
  const { etag } = (await trader.post(path, first)).headers;
  return Promise.all([
    ...[...good, ...bad].map((body) => trader.post(path, body, ANY_PUBLICATION)),
    trader.post(path, first, { ...ANY_PUBLICATION, 'if-none-match': String(etag) }),
    trader.post(path, '', { 'content-type': 'text/csv' }),
    trader.send('DELETE', path),
    spent.post(path, first),
    free.post(path, first),
    restricted.post(path, first),
  ]);
}

/** Checks an answer against its documentation: headers, and a body of exactly these fields. */
function assertTrue(document: Document, documented: Response, answer: LightMyRequestResponse) {
  for (const header of Object.keys(documented.headers ?? {})) {
    assert.notEqual(answer.headers[header.toLowerCase()], undefined, header);
  }
  if (!documented.content) {
    assert.equal(answer.body, '');
    return;
  }
  const { schema } = documented.content[JSON_TYPE] ?? assert.fail(JSON_TYPE);
  const checker = Compile(resolve(document, schema));
  const body: unknown = answer.json();
  const [fault] = checker.Check(body) ? [] : checker.Errors(body);
  assert.equal(fault, undefined, `${JSON.stringify(fault)} in ${answer.body}`);
}

/** Every schema of a document that is a field, an item or a resource, with a name to tell it by. */
function* namedSchemas(document: Document): Generator<[name: string, schema: Schema]> {
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    yield [name, schema];
    yield* fieldsOf(name, schema);
  }
  for (const { name, operation } of operationsOf(document)) {
    const { requestBody, responses } = operation;
    for (const part of [...Object.values(responses), ...(requestBody ? [requestBody] : [])]) {
      for (const { schema } of Object.values(part.content ?? {})) yield* fieldsOf(name, schema);
    }
  }
}

function* fieldsOf(parent: string, schema: Schema): Generator<[name: string, schema: Schema]> {
  for (const [field, inner] of Object.entries(schema.properties ?? {})) {
    const name = `${parent}.${field}`;
    yield [name, inner];
    yield* fieldsOf(name, inner.items ?? inner);
  }
}
