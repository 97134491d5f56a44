import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Static } from 'typebox';
import type { ResolvedItem } from '../../src/http/resolve-schemas.ts';
import type { CardDetail, CardSummary } from '../../src/http/schemas.ts';
import { shareService } from '../support/app.ts';
import { forEachEngine } from '../support/engines.ts';
import { charizard, feedItem, importItems } from '../support/feed-items.ts';
import { bodyOf, problemOf } from './expect.ts';

type Answer = Static<typeof ResolvedItem>;

const CARD = '/v1/cards/pokemon-bs-charizard-004';

forEachEngine((label) => {
  const shared = shareService(label);
  before(async () => {
    const { store, catalog } = shared.service;
    await importItems(store, 'pricecharting', [
      feedItem(charizard({ externalId: '630' }), {
        market: 'pricecharting',
        prices: { market: 44_000 },
        graded: { psa_10: 2_900_000, psa_8: 131_250, bgs_9_5: 468_018, any_9: 252_280 },
      }),
    ]);
    await importItems(store, 'justtcg', [
      feedItem(charizard(), { market: 'justtcg', conditions: { lightly_played: 40_000 } }),
    ]);
    await catalog.refresh();
  });

  const resolve = async (...items: readonly unknown[]) => {
    const caller = await shared.service.caller('trader');
    const posted = await caller.post('/v1/resolve', { items });
    return bodyOf<{ data: Answer[] }>(posted).data;
  };
  const one = async (item: unknown) => (await resolve(item))[0] ?? assert.fail();

  describe('a card', () => {
    it('has every grade that a source prices, by company and grade', async () => {
      const caller = await shared.service.caller('free');
      const { data } = bodyOf<{ data: Static<typeof CardDetail> }>(await caller.get(CARD));
      const allGrades = {
        psa: { '8': 1312.5, '10': 29_000 },
        bgs: { '9.5': 4680.18 },
        any: { '9': 2522.8 },
      };
      assert.deepEqual(data.prices.allGrades, allGrades);
      assert.deepEqual(data.printings[0]?.prices.allGrades, allGrades);
      const graded = { psa_10: 29_000, psa_9: null, bgs_9_5: 4680.18, cgc_9_5: null };
      assert.deepEqual(data.prices.graded, graded);
    });

    it('has what a raw copy would gain by each grade, minus the fee', async () => {
      const caller = await shared.service.caller('free');
      const gainOf = async (query: string) => {
        const { data } = bodyOf<{ data: Static<typeof CardDetail> }>(
          await caller.get(`${CARD}${query}`),
        );
        return data.grading;
      };
      assert.deepEqual(await gainOf(''), {
        fee: 0,
        grades: [
          { grade: 'psa_10', price: 29_000, gain: 28_546.14 },
          { grade: 'psa_8', price: 1312.5, gain: 858.64 },
          { grade: 'bgs_9_5', price: 4680.18, gain: 4226.32 },
          { grade: 'any_9', price: 2522.8, gain: 2068.94 },
        ],
      });
      const { fee, grades = [] } = (await gainOf('?fee=1000.55')) ?? {};
      assert.deepEqual([fee, grades[1]?.gain], [1000.55, -141.91]);
      assert.match(problemOf(await caller.get(`${CARD}?fee=-1`), 'fee'), /from 0 to/);
    });

    it('without a graded price has no such member', async () => {
      const caller = await shared.service.caller('free');
      const url = '/v1/cards/pokemon-tr-abra-49';
      const { data } = bodyOf<{ data: Static<typeof CardDetail> }>(await caller.get(url));
      assert.deepEqual([data.prices.allGrades, data.grading], [undefined, undefined]);
    });
  });

  describe('an item that names a grade', () => {
    it('has the price of that grade', async () => {
      const card = { name: 'Charizard', set: 'Base Set', number: '4/102' };
      for (const [item, grade, price] of [
        ['Charizard 4/102 Base Set PSA 8', 'psa_8', 1312.5],
        ['Charizard 4/102 Base Set PSA NM-MT 8', 'psa_8', 1312.5],
        ['Charizard 4/102 Base Set BGS 9.5 Gem Mint', 'bgs_9_5', 4680.18],
        ['PSA 1999 Pokemon Base Set Charizard 4/102 GEM MT 10', 'psa_10', 29_000],
        [{ ...card, grade: 'psa10' }, 'psa_10', 29_000],
        [{ ...card, condition: 'PSA 8' }, 'psa_8', 1312.5],
      ] as const) {
        const { status, market, priceOf, noPrice } = await one(item);
        assert.deepEqual(
          { status, market, priceOf, noPrice },
          {
            status: 'matched',
            market: price,
            priceOf: { printing: 'Holofoil', condition: null, grade },
            noPrice: undefined,
          },
          JSON.stringify(item),
        );
      }
    });

    it('has no price if no source prices that grade, and says why', async () => {
      for (const [item, reason] of [
        ['Charizard 4/102 Base Set PSA 7', 'No source prices a PSA 7 of this printing.'],
        [
          'Charizard 4/102 Base Set PSA 9',
          'No source prices a PSA 9 of this printing. A 9 of any company is at $2522.80.',
        ],
        [
          'Charizard 4/102 Base Set BGS Black Label 10',
          'No source prices a BGS 10 Black Label of this printing.',
        ],
        [
          'Charizard 4/102 Base Set graded',
          '"graded" is not one grade of one company, so its price is not known.',
        ],
        [
          'Charizard 4/102 Base Set PSA 8 OC',
          '"psa 8 oc" is not one grade of one company, so its price is not known.',
        ],
        [
          'Charizard 4/102 Base Set PSA 8 BGS 9.5',
          '"psa 8 bgs 9 5" is not one grade of one company, so its price is not known.',
        ],
        [
          { name: 'Charizard', set: 'Base Set', number: '4', grade: '8' },
          '"8" is not one grade of one company, so its price is not known.',
        ],
      ] as const) {
        const { status, market, noPrice, priceConfidence } = await one(item);
        assert.deepEqual([status, market, noPrice], ['matched', null, reason]);
        assert.equal(priceConfidence, undefined, 'how sure the raw price is');
      }
    });

    it('has candidates with the price of that grade, and not the raw price', async () => {
      const { status, candidates = [] } = await one({ name: 'Forest', grade: 'PSA 8' });
      assert.equal(status, 'ambiguous');
      const reason = 'No source prices a PSA 8 of this printing.';
      assert.ok(candidates.some(({ prices }) => prices.market !== null));
      for (const { price, noPrice, prices } of candidates) {
        assert.equal(price, null);
        if (prices.market !== null) assert.equal(noPrice, reason);
      }
    });
  });

  describe('an item that names a condition', () => {
    it('has the price of that condition, or none', async () => {
      const [played, worn, near, unclear, raw] = await resolve(
        'Charizard 4/102 Base Set Lightly Played',
        { name: 'Charizard', set: 'Base Set', number: '4', condition: 'HP' },
        { name: 'Charizard', set: 'Base Set', number: '4', condition: 'NM' },
        'Charizard 4/102 Base Set NM/LP',
        { name: 'Charizard', set: 'Base Set', number: '4', grade: 'raw' },
      );
      assert.deepEqual([played?.market, played?.condition], [400, 'lightly_played']);
      assert.deepEqual([worn?.market, worn?.condition], [null, 'heavily_played']);
      assert.match(worn?.noPrice ?? '', /^No source prices a heavily played copy/);
      assert.deepEqual([near?.market, near?.condition], [null, 'near_mint']);
      assert.deepEqual([unclear?.market, unclear?.condition], [null, null]);
      assert.equal(raw?.market, 453.86);
    });
  });

  describe('a search that names a grade or a condition', () => {
    const search = async (q: string) => {
      const caller = await shared.service.caller('free');
      const url = `/v1/search?q=${encodeURIComponent(q)}`;
      return bodyOf<{ data: Static<typeof CardSummary>[] }>(await caller.get(url)).data[0];
    };

    it('shows the price of such a copy', async () => {
      const priceOf = { printing: 'Holofoil', condition: null, grade: 'psa_10' };
      for (const q of ['charizard base set psa 10', 'charizard base set psa gem mt 10']) {
        assert.deepEqual((await search(q))?.copy, { name: 'PSA 10', price: 29_000, priceOf }, q);
      }
      assert.equal((await search('charizard base set lightly played'))?.copy?.price, 400);
    });

    it('shows none of another copy', async () => {
      const found = await search('charizard base set psa 7');
      assert.equal(found?.prices.market, 453.86);
      assert.deepEqual(
        [found?.copy?.price, found?.copy?.noPrice],
        [null, 'No source prices a PSA 7 of this printing.'],
      );
      assert.equal((await search('charizard base set 1st edition psa 10'))?.copy?.price, null);
    });

    it('shows the price of the printing that it names, or none', async () => {
      assert.deepEqual((await search('umbreon ex 161 holofoil'))?.copy, {
        name: 'Holofoil',
        price: 1059.02,
        priceOf: { printing: 'Holofoil', condition: null, grade: null },
      });
      const first = await search('charizard base set 1st edition');
      assert.equal(first?.prices.market, 453.86);
      assert.deepEqual(first?.copy, {
        name: '1st edition',
        price: null,
        priceOf: { printing: null, condition: null, grade: null },
        noPrice: 'The card has no such printing.',
      });
    });

    it('shows no copy otherwise', async () => {
      assert.equal((await search('charizard base set'))?.copy, undefined);
      assert.equal((await search('charizard base set graded'))?.copy, undefined);
    });
  });
});
