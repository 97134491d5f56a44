import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { LightMyRequestResponse } from 'fastify';
import Papa from 'papaparse';
import { ENDPOINTS } from '../../src/http/v1/routes.ts';
import { type HistoryDay, shareService } from '../support/app.ts';
import { forEachEngine } from '../support/engines.ts';
import { bodyOf, errorOf, remainingOf } from './expect.ts';

const CHARIZARD = 'pokemon-bs-charizard-004';
const PAST: readonly HistoryDay[] = [['2026-01-22', 50_100, 49_000]];
const ACCEPT = { accept: 'text/csv' };

/** Returns the rows of a table, read by a library that shares no code with the writer. */
function tableOf(answer: LightMyRequestResponse): Record<string, unknown>[] {
  assert.equal(answer.statusCode, 200, answer.body);
  assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8');
  assert.match(answer.body, /\r\n$/);
  const { data, errors } = Papa.parse<Record<string, unknown>>(answer.body, {
    header: true,
    newline: '\r\n',
    skipEmptyLines: true,
    dynamicTyping: true,
  });
  assert.deepEqual(errors, []);
  return data;
}

const CARD_COLUMNS =
  'id,name,game,set,setId,setCode,number,rarity,printing,market,near_mint,lightly_played,' +
  'currency,confidence,stale,change1d,change7d,change30d';

forEachEngine((label) => {
  const shared = shareService(label);
  before(() => shared.service.remember(CHARIZARD, 'Holofoil', PAST));

  describe('Tables', () => {
    it('have a header, the rows of the JSON and numbers that stay numbers', async () => {
      const caller = await shared.service.caller('trader');
      const url = '/v1/search?q=charizard+4/102';
      const { data } = bodyOf<{ data: { id: string; prices: { market: number } }[] }>(
        await caller.get(url),
      );
      const answer = await caller.get(`${url}&format=csv`);
      assert.equal(answer.body.split('\r\n')[0], CARD_COLUMNS);
      const rows = tableOf(answer);
      assert.deepEqual(
        rows.map(({ id, market }) => [id, market]),
        data.map(({ id, prices }) => [id, prices.market]),
      );
      assert.deepEqual(rows[0], {
        id: CHARIZARD,
        name: 'Charizard',
        game: 'pokemon',
        set: 'Base Set',
        setId: 'pokemon-base-set',
        setCode: 'BS',
        number: '004/102',
        rarity: 'Holo Rare',
        printing: 'Holofoil',
        market: 453.86,
        near_mint: null,
        lightly_played: null,
        currency: 'USD',
        confidence: 'confirmed',
        stale: false,
        change1d: null,
        change7d: null,
        change30d: null,
      });
    });

    it('answer every list, movers, history and batches, by parameter and by header', async () => {
      const caller = await shared.service.caller('trader');
      const firsts = {
        '/v1/cards/search?q=charizard': CARD_COLUMNS,
        '/v1/sets/pokemon-base-set/cards': CARD_COLUMNS,
        '/v1/products': CARD_COLUMNS,
        '/v1/sets': 'setId,code,name,game,cardCount,productCount,pricedCount,value,releaseDate',
        '/v1/movers':
          'id,name,game,set,setId,setCode,number,rarity,printing,from,to,amount,percent,currency,' +
          'confidence,stale',
        [`/v1/cards?ids=${CHARIZARD}`]:
          'id,name,game,setId,setCode,number,printing,market,currency,confidence,stale,requested',
        [`/v1/cards/${CHARIZARD}/history`]: HISTORY,
        [`/v1/cards/${CHARIZARD}/prices`]: HISTORY,
      };
      for (const [url, columns] of Object.entries(firsts)) {
        const byHeader = await caller.get(url, ACCEPT);
        const byParameter = await caller.get(`${url}${url.includes('?') ? '&' : '?'}format=csv`);
        tableOf(byHeader);
        assert.equal(byHeader.body, byParameter.body);
        assert.equal(byHeader.body.split('\r\n')[0], columns);
      }
      const batch = await caller.post('/v1/cards/batch', { ids: [CHARIZARD] }, ACCEPT);
      assert.deepEqual(
        tableOf(batch).map(({ id, market }) => [id, market]),
        [[CHARIZARD, 453.86]],
      );
    });

    it('have a row for each day of a history', async () => {
      const caller = await shared.service.caller('trader');
      const rows = tableOf(await caller.get(`/v1/cards/${CHARIZARD}/history?format=csv`));
      const row = { currency: 'USD', printing: 'Holofoil', copy: null, source: 'tcgcsv' };
      const both = { ...row, marketplace: 'tcgplayer', repeated: false };
      assert.deepEqual(
        rows.map((one) => ({ ...one, date: String(one.date).slice(0, 10) })),
        [
          { date: '2026-01-22', market: 501, low: 490, high: null, ...both },
          { date: '2026-01-28', market: 453.86, low: 330.04, high: 1249.99, ...both },
        ],
      );
    });

    it('come only to callers that like them more than JSON, from a cache as well', async () => {
      const caller = await shared.service.caller();
      const url = '/v1/sets?game=lorcana';
      const json = (await caller.get(url)).body;
      for (const accept of [
        '*/*',
        'application/json',
        'application/json, text/csv',
        'text/csv;q=0.5, application/json',
        'text/csv; q=0',
        'text/html,application/xhtml+xml,*/*;q=0.8',
        'text/csv;q=many',
      ]) {
        assert.equal((await caller.get(url, { accept })).body, json, accept);
      }
      for (const accept of [
        'text/csv',
        'TEXT/CSV; charset=utf-8',
        'text/csv, */*',
        'application/json;q=0.9, text/csv',
      ]) {
        tableOf(await caller.get(url, { accept }));
      }
      assert.equal((await caller.get(`${url}&format=json`, ACCEPT)).body.startsWith('{'), true);
      assert.equal((await caller.get(url)).body, json);
    });

    it('have errors in JSON, cost one request, and nothing while they stay the same', async () => {
      const caller = await shared.service.caller('free');
      errorOf(await caller.get('/v1/search?q=x&format=xlsx'), 'INVALID_PARAMETER');
      errorOf(await caller.get(`/v1/cards/${CHARIZARD}/history?format=csv`), 'PLAN_RESTRICTION');
      const first = await caller.get('/v1/sets?format=csv');
      assert.equal(remainingOf(first), 198);
      assert.match(String(first.headers.vary), /^Accept, X-API-Key/);
      const known = { 'if-none-match': String(first.headers.etag) };
      const again = await caller.get('/v1/sets?format=csv', known);
      assert.deepEqual([again.statusCode, remainingOf(again)], [304, 198]);
      assert.match(String(first.headers.link), /format=csv/);
    });

    it('are no parameter of endpoints without rows', async () => {
      const caller = await shared.service.caller();
      const { warnings } = bodyOf<{ warnings: unknown[] }>(
        await caller.get(`/v1/cards/${CHARIZARD}?format=csv`),
      );
      assert.equal(warnings.length, 1);
    });
  });

  describe('GET /v1/sheet.csv', () => {
    async function sheetToken(plan = 'trader') {
      const caller = await shared.service.caller(plan);
      const { key } = await shared.service.keys.create(caller.email, { scopes: ['sheet'] });
      return { key, caller };
    }
    const get = (query: string) => shared.service.get(`/v1/sheet.csv?${query}`);

    it('answers a search, a set or ids by an address without a header', async () => {
      const { key, caller } = await sheetToken();
      const found = tableOf(await get(`token=${key}&q=charizard+4/102&limit=1`));
      assert.deepEqual(
        found.map(({ id }) => id),
        [CHARIZARD],
      );
      const ofSet = tableOf(await get(`token=${key}&set=pokemon-base-set`));
      assert.deepEqual(
        ofSet.map(({ setId }) => setId),
        Array(4).fill('pokemon-base-set'),
      );
      const byId = tableOf(await get(`token=${key}&ids=unknown-1,${CHARIZARD}&currency=native`));
      assert.deepEqual(
        byId.map(({ id, market }) => [id, market]),
        [
          ['unknown-1', null],
          [CHARIZARD, 453.86],
        ],
      );
      assert.equal(remainingOf(await caller.get('/v1/games')), 10_000 - 4);
    });

    it('gives an address nothing else, and a full key no address', async () => {
      const { key, caller } = await sheetToken();
      for (const { method, path } of ENDPOINTS) {
        const url = path.replaceAll(/:\w+/g, 'x');
        const send = (url: string, headers = {}) => {
          return shared.service.app.inject({ method, url, headers });
        };
        errorOf(await send(`${url}?token=${key}`), 'MISSING_API_KEY');
        errorOf(await send(url, { 'x-api-key': key }), 'KEY_RESTRICTION');
      }
      const { message } = errorOf(await get(`token=${caller.key}&q=x`), 'KEY_RESTRICTION');
      assert.match(message, /only scope is "sheet"/);
      tableOf(await caller.get('/v1/sheet.csv?q=charizard'));
    });

    it('works where keys in the query are off, until the key is revoked, and is not logged', async () => {
      const { key, caller } = await sheetToken();
      const strict = await shared.service.another(shared.location, { queryKeys: false });
      tableOf(await strict.get(`/v1/sheet.csv?token=${key}&q=charizard`));
      assert.ok(strict.log.some((line) => line.includes('/v1/sheet.csv')));
      const created = await shared.service.keys.list(caller.email);
      await shared.service.keys.revoke(String(created.at(-1)?.id));
      errorOf(await strict.get(`/v1/sheet.csv?token=${key}&q=charizard`), 'INVALID_API_KEY');
      assert.ok(!strict.log.join('').includes(key));
      await strict.close();
    });

    it('answers 405 to what LibreOffice asks before it loads a table', async () => {
      const { key } = await sheetToken();
      const url = `/v1/sheet.csv?token=${key}&q=charizard`;
      errorOf(await shared.service.app.inject({ method: 'OPTIONS', url }), 'METHOD_NOT_ALLOWED');
    });

    it('counts ids as a batch does, and needs its plan for them', async () => {
      const { key, caller } = await sheetToken();
      const ids = Array.from({ length: 41 }, (_, index) => `card-${index}`).join();
      assert.equal(tableOf(await get(`token=${key}&ids=${ids}`)).length, 41);
      assert.equal(remainingOf(await caller.get('/v1/games')), 10_000 - 4);
      const free = await sheetToken('free');
      errorOf(await get(`token=${free.key}&ids=${CHARIZARD}`), 'PLAN_RESTRICTION');
      tableOf(await get(`token=${free.key}&q=charizard`));
    });

    it('says what is missing or too much', async () => {
      const { key } = await sheetToken();
      errorOf(await get('q=charizard'), 'MISSING_API_KEY');
      errorOf(await get('token=&q=charizard'), 'MISSING_API_KEY');
      errorOf(await get('token=cp_live_x&q=charizard'), 'INVALID_API_KEY');
      errorOf(await get(`token=${key}`), 'INVALID_PARAMETER');
      errorOf(await get(`token=${key}&ids=${Array(101).fill('x').join()}`), 'INVALID_PARAMETER');
      errorOf(await get(`token=${key}&set=nowhere`), 'SET_NOT_FOUND');
      errorOf(await get(`token=${key}&q=x&limit=201`), 'INVALID_PARAMETER');
    });
  });
});

const HISTORY = 'date,market,low,high,currency,printing,copy,source,marketplace,repeated';
