import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Static } from 'typebox';
import { type Day, dayOf } from '../../src/domain/day.ts';
import type { Cents } from '../../src/domain/money.ts';
import { NO_PRICES } from '../../src/domain/price.ts';
import type { DaysHistory, PeriodHistory } from '../../src/http/schemas.ts';
import { approveQuarantined } from '../../src/ingest/decisions/approve.ts';
import { rollBackDays } from '../../src/ingest/decisions/rollback.ts';
import { undoDecision } from '../../src/ingest/decisions/undo.ts';
import { importBackfill } from '../../src/ingest/drivers/backfill.ts';
import type { Backfill, BackfillListing } from '../../src/sources/contract/backfill.ts';
import { compactHistory } from '../../src/store/history/index.ts';
import { listQuarantined } from '../../src/store/quarantine/quarantine.ts';
import { shareService } from '../support/app.ts';
import { forEachEngine } from '../support/engines.ts';
import { OBSERVED } from '../support/feed-items.ts';
import { importPriceGuide } from '../support/price-guide.ts';
import { NOW } from '../support/tcgcsv.ts';
import { bodyOf, problemOf } from './expect.ts';

type History = { data: Static<typeof PeriodHistory> };

const CARD = '/v1/cards/pokemon-bs-charizard-004';
const DAY = 86_400_000;
const clock = () => NOW;

forEachEngine((label) => {
  const shared = shareService(label);
  const get = async <Body>(url: string) => {
    const caller = await shared.service.caller('trader');
    return bodyOf<Body>(await caller.get(url));
  };
  const historyOf = async (query: string) => {
    const { data } = await get<History>(`${CARD}/history?period=all&${query}`);
    return data.history.map(({ date, market }) => [date, market]);
  };

  const guide = (days: number, graded: Record<string, number>) => {
    return importPriceGuide(shared.service, { days, graded });
  };

  describe('The history of a grade', () => {
    it('has the served price of each day, in both forms', async () => {
      await guide(0, { psa_10: 9000, psa_9: 2500, bgs_9_5: 4000 });
      await guide(1, { psa_10: 9100, psa_9: 2500 });
      const { data } = await get<History>(`${CARD}/history?period=30d&grade=psa_10`);
      const origin = { source: 'pricecharting', marketplace: 'pricecharting' };
      assert.deepEqual(data, {
        cardId: 'pokemon-bs-charizard-004',
        period: '30d',
        printing: 'Holofoil',
        grade: 'psa_10',
        asOf: '2026-01-29',
        history: [
          { date: '2026-01-28', market: 9000, low: null, high: null, ...origin },
          { date: '2026-01-29', market: 9100, low: null, high: null, ...origin },
        ],
      });
      const form2 = await get<{ data: Static<typeof DaysHistory> }>(
        `${CARD}/prices?days=30&grade=psa_10&printing=holofoil`,
      );
      assert.deepEqual(form2.data.history, data.history);
      assert.deepEqual(await historyOf('grade=bgs_9_5'), [['2026-01-28', 4000]]);
    });

    it('takes a correction of a day, and keeps what it replaced', async () => {
      await guide(1, { psa_10: 9200, psa_9: 2500 });
      assert.deepEqual(await historyOf('grade=psa_10'), [
        ['2026-01-28', 9000],
        ['2026-01-29', 9200],
      ]);
      const { db } = shared.service.store;
      const corrections = await db
        .selectFrom('history_corrections')
        .innerJoin('history_series', 'history_series.id', 'history_corrections.printing_id')
        .select(['name', 'market'])
        .execute();
      assert.deepEqual(corrections, [{ name: 'psa_10', market: 910_000 }]);
    });

    it('has no price that is in quarantine', async () => {
      await guide(2, { psa_10: 92_000, psa_9: 2550 });
      assert.equal((await historyOf('grade=psa_10')).length, 2);
      assert.equal((await historyOf('grade=psa_9')).length, 3);
    });

    it('loses the days that are rolled back, and the served grades go back with them', async () => {
      const { store, catalog } = shared.service;
      const since = dayOf(OBSERVED + DAY);
      await rollBackDays(store, { source: 'pricecharting', since }, { clock });
      await catalog.refresh();
      assert.deepEqual(await historyOf('grade=psa_10'), [['2026-01-28', 9000]]);
      assert.deepEqual(await historyOf('grade=psa_9'), [['2026-01-28', 2500]]);
      const { data } = await get<{ data: { prices: { allGrades: unknown } } }>(CARD);
      const grades = { psa: { '10': 9000, '9': 2500 }, bgs: { '9.5': 4000 } };
      assert.deepEqual(data.prices.allGrades, grades);
    });

    it('is empty for a grade without one, and stays through a compaction', async () => {
      assert.deepEqual(await historyOf('grade=tag_10'), []);
      await compactHistory(shared.service.store, { now: dayOf(NOW) });
      assert.deepEqual(await historyOf('grade=psa_10'), [['2026-01-28', 9000]]);
    });
  });

  describe('The history of a condition', () => {
    it('is filled by a file of past days, without those that stand alone', async () => {
      const { store, catalog } = shared.service;
      const first = dayOf(OBSERVED) - 20;
      const listings = Array.from({ length: 20 }, (_, i): BackfillListing => {
        const cents = i === 9 ? 400_000 : 40_000 + i;
        return {
          externalId: 'pokemon-bs-charizard-004',
          printing: undefined,
          day: (first + i) as Day,
          prices: NO_PRICES,
          conditions: { near_mint: cents as Cents },
        };
      });
      const summary = await importBackfill(store, backfillOf(listings), { clock });
      await catalog.refresh();
      const days = await historyOf('condition=near_mint');
      assert.equal(days.length, 19);
      assert.ok(days.every(([, market]) => Number(market) < 500));
      assert.deepEqual(days.at(-1), ['2026-01-27', 400.19]);
      assert.deepEqual(summary.quarantined, { 'price-jump': 1 });
      const { data } = await get<History>(`${CARD}/history?condition=near_mint`);
      assert.deepEqual(
        [data.condition, data.grade, data.asOf],
        ['near_mint', undefined, '2026-01-28'],
      );
    });
  });

  describe('A day of a condition that stands alone', () => {
    it('is served once the operator approves it, and no longer after an undo', async () => {
      const { store, catalog } = shared.service;
      const waiting = await listQuarantined(store.db, { source: 'quotes' });
      assert.equal(waiting.length, 1);
      assert.match(waiting[0]?.detail ?? '', /^The near mint of Charizard \(Holofoil\) was \$4000/);
      const at = () => NOW + DAY;
      await approveQuarantined(store, waiting, at);
      await catalog.refresh();
      const approved = await historyOf('condition=near_mint');
      assert.deepEqual([approved.length, approved[9]], [20, ['2026-01-17', 4000]]);
      const [decision] = await store.db.selectFrom('approvals').select('decided_at').execute();
      await undoDecision(store, decision?.decided_at ?? 0, at);
      await catalog.refresh();
      assert.equal((await historyOf('condition=near_mint')).length, 19);
      assert.deepEqual(await historyOf(''), [['2026-01-28', 453.86]]);
    });
  });

  describe('A history', () => {
    it('is refused for what is no grade or condition, or for both at once', async () => {
      const caller = await shared.service.caller('trader');
      for (const form of ['history', 'prices']) {
        const refused = async (parameter: string, query: string) => {
          return problemOf(await caller.get(`${CARD}/${form}?${query}`), parameter);
        };
        const ofGrade = await refused('grade', 'grade=psa_11');
        assert.match(ofGrade, /"psa_11" is not a grade; it must be a company \(psa, bgs, /);
        const ofCondition = await refused('condition', 'condition=mint');
        assert.match(ofCondition, /near_mint, lightly_played/);
        assert.match(await refused('condition', 'grade=psa_9&condition=near_mint'), /not both/);
      }
    });

    it('of the figures is what it was', async () => {
      assert.deepEqual(await historyOf(''), [['2026-01-28', 453.86]]);
    });
  });
});

function backfillOf(listings: readonly BackfillListing[]): Backfill {
  const part = { chunks: [{ listings, skipped: {}, broken: [] }] };
  return {
    source: 'quotes',
    idSpace: null,
    marketplace: 'my-shop',
    figures: [],
    total: 1,
    async *parts() {
      yield { outcome: { kind: 'read', name: 'days.csv', part }, done: 1 };
    },
  };
}
