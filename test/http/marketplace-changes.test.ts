import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Static } from 'typebox';
import type { MarketplaceChangeItem } from '../../src/http/v1/marketplace-changes.ts';
import { shareService } from '../support/app.ts';
import { forEachEngine } from '../support/engines.ts';
import { charizard, feedItem, importItems, OBSERVED } from '../support/feed-items.ts';
import { bodyOf, errorOf } from './expect.ts';

interface Changes {
  readonly data: readonly Static<typeof MarketplaceChangeItem>[];
  readonly total: number;
}

const DAY = 86_400_000;
const PATH = '/v1/marketplace-changes';

forEachEngine((label) => {
  const shared = shareService(label);
  before(async () => {
    await importItems(shared.service.store, 'pricecharting', [
      feedItem(charizard(), {
        market: 'pricecharting',
        observedAt: OBSERVED + 31 * DAY,
        prices: { market: 46_000 },
      }),
    ]);
  });
  const get = async (query: string) => {
    const caller = await shared.service.caller('trader');
    return bodyOf<Changes>(await caller.get(`${PATH}${query}`));
  };

  describe('GET /v1/marketplace-changes', () => {
    it('lists the printings whose prices are of another marketplace', async () => {
      assert.deepEqual(await get(''), {
        data: [
          {
            id: 'pokemon-bs-charizard-004',
            name: 'Charizard',
            game: 'pokemon',
            set: 'Base Set',
            printing: 'Holofoil',
            from: 'tcgplayer',
            to: 'pricecharting',
            day: '2026-02-28',
            changedAt: '2027-01-28T12:00:00Z',
          },
        ],
        total: 1,
        limit: 50,
        offset: 0,
      });
    });

    it('takes a game, a first day and pages', async () => {
      for (const query of ['?game=pokemon', '?since=2027-01-28', '?limit=1', '?offset=0']) {
        assert.equal((await get(query)).data.length, 1, query);
      }
      for (const query of ['?game=mtg', '?since=2027-01-29']) {
        assert.deepEqual([(await get(query)).data, (await get(query)).total], [[], 0], query);
      }
      const { data, total } = await get('?offset=1');
      assert.deepEqual([data, total], [[], 1]);
    });

    it('refuses a text that is not a day, and names it', async () => {
      const caller = await shared.service.caller('trader');
      for (const since of ['yesterday', '2026-02-30', '20260128']) {
        const error = errorOf(await caller.get(`${PATH}?since=${since}`), 'INVALID_PARAMETER');
        assert.equal(error.message, `since: "${since}" is not a day such as 2026-01-28.`);
        assert.equal(error.details?.[0]?.parameter, 'since');
      }
      errorOf(await caller.get(`${PATH}?limit=201`), 'INVALID_PARAMETER');
    });

    it('requires the Trader plan', async () => {
      const caller = await shared.service.caller('free');
      const error = errorOf(await caller.get(PATH), 'PLAN_RESTRICTION');
      assert.match(error.message, /Trader/);
    });
  });
});
