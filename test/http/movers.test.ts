import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { shareService } from '../support/app.ts';
import { forEachEngine } from '../support/engines.ts';
import { Market } from '../support/market.ts';
import { bodyOf, errorOf } from './expect.ts';

interface MoverItem {
  readonly id: string;
  readonly printing: string;
  readonly from: number;
  readonly to: number;
  readonly amount: number;
  readonly percent: number;
  readonly prices: { readonly market: number; readonly changes: Record<string, unknown> };
}

interface Movers {
  readonly data: readonly MoverItem[];
  readonly leftOut: readonly (MoverItem & { readonly reason: string; readonly detail: string })[];
  readonly total: number;
  readonly window: string;
  readonly asOf: string | null;
}

const PATH = '/v1/movers';

/** The listings of a market price. */
const listed = (market: number) => ({
  market,
  low: market * 0.8,
  mid: market * 1.1,
  high: market * 3,
});

/** The prices of five cards `day` days after 20 January. */
function board(day: number) {
  return {
    '1 Normal': listed(10 * 1.06 ** day),
    '2 Normal': listed(day < 6 ? 40 : 30),
    '2 Foil': listed(90),
    '3 Normal': { ...listed(20), market: day < 5 ? 20 : 31 },
    '4 Normal': listed(day < 6 ? 0.1 : 0.17),
    '5 Normal': listed(60 + day / 10),
  };
}

forEachEngine((label) => {
  const shared = shareService(label);

  before(async () => {
    const market = new Market(shared.service.store, { limits: null });
    for (let day = 0; day <= 8; day += 1) await market.lists(`2026-01-${20 + day}`, board(day));
    await shared.service.catalog.refresh();
  });

  const get = async (query: string) => {
    const caller = await shared.service.caller('free');
    return bodyOf<Movers>(await caller.get(`${PATH}${query}`));
  };
  const named = ({ data }: Movers) => data.map(({ id, printing }) => `${id.at(-1)} ${printing}`);

  describe('GET /v1/movers', () => {
    it('lists the printings that moved most, with where they came from', async () => {
      const found = await get('?game=mtg');
      assert.deepEqual([found.total, found.window, found.asOf], [2, '7d', '2026-01-28']);
      assert.deepEqual(named(found), ['1 Normal', '2 Normal']);
      const [first] = found.data;
      const { from, to, amount, percent } = first ?? assert.fail('nothing moved');
      assert.deepEqual(
        { from, to, amount, percent },
        {
          from: 10.6,
          to: 15.94,
          amount: 5.34,
          percent: 50.4,
        },
      );
      assert.equal(first?.prices.market, to);
      assert.deepEqual(first?.prices.changes['7d'], { amount, percent });
    });

    it('lists the moves that it leaves out, with the reasons', async () => {
      const { leftOut } = await get('');
      const [only, ...others] = leftOut;
      assert.deepEqual(others, []);
      assert.equal(only?.id, 'mtg-lea-card-3-3');
      assert.equal(only?.reason, 'listings-stayed');
      assert.match(only?.detail ?? '', /^The market price jumped/);
      assert.deepEqual([only?.from, only?.to], [20, 31]);
      // The card says nothing of a change that the list does not trust.
      assert.equal(only?.prices.changes['7d'], null);
    });

    it('has windows, directions, an order, a least price, sets and pages', async () => {
      assert.deepEqual(named(await get('?direction=up')), ['1 Normal']);
      assert.deepEqual(named(await get('?direction=down')), ['2 Normal']);
      assert.deepEqual(named(await get('?sort=amount')), ['2 Normal', '1 Normal']);
      assert.deepEqual(named(await get('?sort=percent')), ['1 Normal', '2 Normal']);
      assert.deepEqual(named(await get('?window=1d')), ['1 Normal']);
      assert.deepEqual(named(await get('?window=30d')), []);
      assert.deepEqual(named(await get('?min=15.5')), ['2 Normal']);
      assert.deepEqual(named(await get('?min=0')), ['1 Normal', '2 Normal']);
      for (const set of ['mtg-alpha', 'lea', 'Alpha', 'MTG-Alpha']) {
        assert.equal((await get(`?set=${set}`)).total, 2, set);
      }
      assert.equal((await get('?set=beta')).total, 0);
      assert.equal((await get('?game=pokemon')).total, 0);
      const page = await get('?limit=1&offset=1');
      assert.deepEqual([named(page), page.total, page.leftOut], [['2 Normal'], 2, []]);
    });

    it('refuses other values, and names them', async () => {
      const caller = await shared.service.caller('free');
      for (const query of ['window=2d', 'direction=left', 'sort=name', 'min=-1', 'min=many']) {
        const error = errorOf(await caller.get(`${PATH}?${query}`), 'INVALID_PARAMETER');
        assert.equal(error.details?.[0]?.parameter, query.split('=')[0]);
      }
    });

    it('changes with the next publication', async () => {
      const market = new Market(shared.service.store, { limits: null });
      await market.lists('2026-01-29', { ...board(9), '5 Normal': listed(80) });
      assert.deepEqual(named(await get('?direction=up')), ['1 Normal']);
      await shared.service.catalog.refresh();
      assert.deepEqual(named(await get('?direction=up')), ['5 Normal', '1 Normal']);
    });
  });
});
