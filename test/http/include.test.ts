import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Static } from 'typebox';
import type { BatchCard, CardDetail, CardSummary, PeriodHistory } from '../../src/http/schemas.ts';
import type { Related } from '../../src/http/set-schemas.ts';
import { type HistoryDay, shareService } from '../support/app.ts';
import { forEachEngine } from '../support/engines.ts';
import { bodyOf, errorOf, problemOf, remainingOf } from './expect.ts';

type Listed = Static<typeof CardSummary> | Static<typeof BatchCard>;
type Cards = { readonly data: readonly Listed[]; readonly missing?: readonly string[] };
type Detail = { readonly data: Static<typeof CardDetail> };
type History = { readonly data: Static<typeof PeriodHistory> };

const CHARIZARD = 'pokemon-bs-charizard-004';
const ALAKAZAM = 'pokemon-bs-alakazam-001';
const NEWEST = '2026-01-28';

const PAST: readonly HistoryDay[] = [
  ['2025-01-28', 1_00],
  ['2025-01-29', 2_00],
  ['2025-12-29', 4_00],
  ['2025-12-30', 5_00],
  ['2026-01-22', 6_00, 5_00, 7_00],
];

/** The lists of cards that take `include`. Each has Charizard of the Base Set. */
const LISTS = [
  '/v1/search?q=charizard&set=BS',
  '/v1/cards/search?q=charizard&set=BS',
  '/v1/sets/pokemon-base-set/cards?limit=20',
  `/v1/cards?ids=${ALAKAZAM},${CHARIZARD}`,
];

forEachEngine((label) => {
  const shared = shareService(label);
  before(() => shared.service.remember(CHARIZARD, 'Holofoil', PAST));

  const get = async <Body>(url: string) => {
    const caller = await shared.service.caller('trader');
    return bodyOf<Body>(await caller.get(url));
  };
  const charizardIn = async (url: string) => {
    const { data } = await get<Cards>(url);
    const found = data.find(({ id }) => id === CHARIZARD);
    assert.ok(found, url);
    return found;
  };

  describe('include', () => {
    it('adds every printing, as the details of the card have it', async () => {
      const { data } = await get<Detail>(`/v1/cards/${CHARIZARD}`);
      for (const list of LISTS) {
        const { printings } = await charizardIn(`${list}&include=printings`);
        assert.deepEqual(printings, data.printings, list);
      }
    });

    it('adds the history of 30 days, as the history of the card has it', async () => {
      const { data } = await get<History>(`/v1/cards/${CHARIZARD}/history`);
      assert.deepEqual(
        data.history.map(({ date }) => date),
        ['2025-12-30', '2026-01-22', NEWEST],
      );
      for (const list of LISTS) {
        const { history } = await charizardIn(`${list}&include=history`);
        assert.deepEqual(history, data.history, list);
      }
    });

    it('adds the statistics of periods', async () => {
      for (const list of LISTS) {
        const { statistics, history } = await charizardIn(`${list}&include=statistics`);
        assert.equal(history, undefined);
        assert.deepEqual(statistics?.['7d'], {
          lowest: { date: '2026-01-22', market: 6 },
          highest: { date: NEWEST, market: 453.86 },
          mean: 229.93,
          standardDeviation: 223.93,
          slope: 74.6433,
          days: 2,
        });
        assert.deepEqual(statistics?.['1y']?.lowest, { date: '2025-01-29', market: 2 });
        assert.equal(statistics?.['1y']?.days, 5);
      }
    });

    it('adds several parts at once, and leaves the rest as it is', async () => {
      for (const list of LISTS) {
        const plain = await charizardIn(list);
        const full = await charizardIn(`${list}&include=statistics,%20printings,history`);
        const { printings, history, statistics, ...rest } = full;
        assert.deepEqual(rest, plain);
        assert.ok(printings && history && statistics);
      }
    });

    it('converts what it adds, each day by its rate', async () => {
      const query = 'currency=native';
      const { data } = await get<History>(`/v1/cards/${CHARIZARD}/history?${query}`);
      const { history } = await charizardIn(`${LISTS[0]}&include=history&${query}`);
      assert.deepEqual(history, data.history);
    });

    it('works for related cards and their neighbours', async () => {
      const { data } = await get<{ data: Static<typeof Related> }>(
        '/v1/cards/pokemon-bs-blastoise-002/related?include=printings,history',
      );
      assert.equal(data.next?.id, CHARIZARD);
      assert.equal(data.next?.history?.length, 3);
      for (const other of data.others) assert.ok(other.printings, other.id);
    });

    it('works for a posted batch, which names the missing ids as before', async () => {
      const caller = await shared.service.caller('trader');
      const ids = ['nothing', CHARIZARD, CHARIZARD];
      const answer = await caller.post('/v1/cards/batch?include=history', { ids });
      const { data, missing } = bodyOf<Cards>(answer);
      assert.deepEqual(missing, ['nothing']);
      assert.deepEqual(
        data.map(({ history }) => history?.length),
        [3, 3],
      );
    });

    it('gives an empty history and no statistics to a card without prices', async () => {
      const { data } = await get<Cards>(
        '/v1/search?q=monster+reborn&limit=1&include=history,statistics',
      );
      assert.deepEqual(data[0]?.history, []);
      assert.equal(data[0]?.statistics?.['1y'], null);
    });

    it('has its own ETag, costs one request and is answered again without one', async () => {
      const caller = await shared.service.caller('trader');
      const url = `${LISTS[0]}&include=history`;
      const [plain, first] = [await caller.get(String(LISTS[0])), await caller.get(url)];
      assert.notEqual(first.headers.etag, plain.headers.etag);
      assert.equal(remainingOf(plain) - remainingOf(first), 1);
      const again = await caller.get(url, { 'if-none-match': String(first.headers.etag) });
      assert.equal(again.statusCode, 304);
      assert.equal((await caller.get(url)).body, first.body);
    });

    it('refuses an unknown part, and names the known ones', async () => {
      const caller = await shared.service.caller('trader');
      for (const include of ['prices', 'printings,prices', 'history,', '', 'History']) {
        const answer = await caller.get(`${LISTS[0]}&include=${include}`);
        assert.match(problemOf(answer, 'include'), /some of printings, history, statistics/);
      }
      const twice = await caller.get(`${LISTS[0]}&include=history&include=printings`);
      assert.match(problemOf(twice, 'include'), /sent more than once/);
    });

    it('refuses pages of more than 100 cards', async () => {
      const caller = await shared.service.caller('trader');
      const url = '/v1/sets/pokemon-base-set/cards?include=printings&limit=';
      assert.match(problemOf(await caller.get(`${url}101`), 'limit'), /at most 100/);
      bodyOf(await caller.get(`${url}100`));
    });
  });

  describe('include on the free plan', () => {
    it('refuses history and statistics, also of an answer that is cached, and charges nothing', async () => {
      const caller = await shared.service.caller('free');
      for (const part of ['history', 'statistics']) {
        const url = `${LISTS[0]}&include=${part}`;
        bodyOf(await (await shared.service.caller('trader')).get(url));
        const answer = await caller.get(url);
        const { message } = errorOf(answer, 'PLAN_RESTRICTION');
        assert.equal(message, 'Price history requires the Trader plan or above.');
        assert.equal(remainingOf(answer), 200);
      }
    });

    it('allows printings', async () => {
      const caller = await shared.service.caller('free');
      const { data } = bodyOf<Cards>(await caller.get(`${LISTS[0]}&include=printings`));
      assert.ok(data[0]?.printings);
    });
  });

  describe('include on a plan with few days of history', () => {
    it('refuses parts that need more days', async () => {
      const caller = await shared.service.caller('trader');
      await shared.service.accounts.setLimits(caller.email, { historyDays: 90 });
      bodyOf(await caller.get(`${LISTS[0]}&include=history`));
      const refused = await caller.get(`${LISTS[0]}&include=statistics`);
      assert.match(errorOf(refused, 'PLAN_RESTRICTION').message, /last 90 days/);
    });
  });
});
