import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dayOf } from '../../../src/domain/day.ts';
import { type DayPrices, NO_PRICES, type PriceFigures } from '../../../src/domain/price.ts';
import type { QuarantinedBefore } from '../../../src/ingest/observation.ts';
import { DEFAULT_LIMITS } from '../../../src/ingest/validation/index.ts';
import { judgeBatch } from '../../../src/ingest/validation/judge.ts';
import { hasStrayListing, strayListingsOf } from '../../../src/ingest/validation/rules/listings.ts';
import { moment, type Reported, resolved } from '../../support/resolved.ts';

const CONTEXT = { limits: DEFAULT_LIMITS, now: moment('2026-01-28T21:00:00Z') };

/** Returns the rule that quarantines an observation and which of its amounts; null for none. */
function held(reported: Reported) {
  const one = resolved(reported);
  const finding = judgeBatch([one], CONTEXT).get(one);
  return finding ? [finding.rule, finding.amounts ?? 'all'] : null;
}

describe('of listings that cannot be', () => {
  it('those above ten times the market price are quarantined, and the market price is served', () => {
    const is = { market: 2.36, low: 204_301.3, mid: 204_301.3, high: 204_301.3 };
    assert.deepEqual(held({ is }), ['stray-listing', ['low', 'mid', 'high']]);
    assert.deepEqual(held({ is: { market: 10, low: 8, mid: 101, high: 300 } }), [
      'stray-listing',
      ['mid', 'high'],
    ]);
    assert.deepEqual(held({ is: { market: 10, low: 8, mid: 12, high: 4001 } }), [
      'stray-listing',
      ['high'],
    ]);
    assert.equal(held({ is: { market: 10, low: 99, mid: 100, high: 3999 } }), null);
  });

  it('out of order lose the one that moved, or all if none has moved', () => {
    const was = { market: 10, low: 8, mid: 12, high: 20 };
    const is = { ...was, low: 13 };
    assert.deepEqual(held({ was, is }), ['stray-listing', ['low']]);
    assert.deepEqual(held({ is }), ['stray-listing', ['low', 'mid', 'high']]);
    assert.deepEqual(held({ was: is, is }), ['stray-listing', ['low', 'mid', 'high']]);
  });
});

describe('listings of an earlier day that cannot be', () => {
  const on = (figures: Partial<Record<keyof PriceFigures, number>>) => {
    const one = resolved({ is: 10 });
    const day = { day: dayOf(moment('2026-01-05')), ...NO_PRICES, ...figures } as DayPrices;
    const found = strayListingsOf(one, day);
    assert.equal(hasStrayListing(day), found !== undefined);
    return found;
  };

  it('are caught, all of them if they are out of order', () => {
    assert.equal(on({ market: 1000 }), undefined);
    assert.deepEqual(on({ market: 1000, mid: 10_001 })?.amounts, ['mid', 'high']);
    assert.equal(on({ market: 1000, low: 800, mid: 1200, high: 2000 }), undefined);
    assert.deepEqual(on({ market: 1000, low: 800, mid: 20_000, high: 30_000 })?.amounts, [
      'mid',
      'high',
    ]);
    const disorder = on({ market: 1000, low: 1300, mid: 1200, high: 2000 });
    assert.deepEqual(disorder?.amounts, ['low', 'mid', 'high']);
    assert.match(disorder.detail, /^On 2026-01-05: /);
  });
});

describe('a market price outside of its listings', () => {
  const was = { market: 10, low: 8, mid: 11, high: 15 };
  const is = { ...was, market: 16 };

  it('is quarantined with all that its source reports, and so is half of the lowest listing', () => {
    assert.deepEqual(held({ was, is }), ['outside-listings', 'all']);
    assert.deepEqual(held({ was: { market: 6, low: 9 }, is: { market: 4.4, low: 9 } }), [
      'outside-listings',
      'all',
    ]);
  });

  it('is right when it was about as far outside before, or hardly moved', () => {
    assert.equal(held({ was: { market: 16, high: 15 }, is: { market: 18, high: 15 } }), null);
    assert.equal(held({ was: { market: 14.8, high: 15 }, is: { market: 15.2, high: 15 } }), null);
    assert.deepEqual(held({ was: { market: 16, high: 15 }, is: { market: 21, high: 15 } }), [
      'outside-listings',
      'all',
    ]);
  });

  it('is right when its listings moved with it', () => {
    assert.equal(held({ was, is: { market: 16, low: 13, mid: 17, high: 24 } }), null);
  });

  it('is right when its source said nothing for more than a week', () => {
    assert.equal(held({ was, is, wasOn: '2026-01-20' }), null);
    assert.deepEqual(held({ was, is, wasOn: '2026-01-21' }), ['outside-listings', 'all']);
  });

  it('waits for longer than a week once it is quarantined', () => {
    const one = resolved({ was, is, wasOn: '2025-11-20' });
    const first = { ...one.observation.prices, day: dayOf(moment('2025-11-21')) };
    const quarantined: QuarantinedBefore = {
      ...one.observation,
      rule: 'outside-listings',
      detail: '',
      days: 1,
      isRejected: false,
      earlierDays: [first],
    };
    assert.equal(judgeBatch([{ ...one, quarantined }], CONTEXT).size, 1);
  });

  it('is right as a first price up to five times its median listing', () => {
    assert.equal(held({ is: { market: 30, low: 4, mid: 6.1, high: 8 } }), null);
    assert.deepEqual(held({ is: { market: 31, low: 4, mid: 6.1, high: 8 } }), [
      'outside-listings',
      'all',
    ]);
  });
});

describe('of grades out of order', () => {
  const was = { market: 30, psa_9: 60, psa_10: 250 };

  it('the one that moved is quarantined alone', () => {
    assert.deepEqual(held({ was, is: { ...was, psa_10: 55 } }), ['grade-order', ['psa_10']]);
    assert.deepEqual(held({ was, is: { ...was, psa_9: 260 } }), ['grade-order', ['psa_9']]);
  });

  it('both are quarantined when both moved, or none did', () => {
    const is = { market: 30, psa_9: 100, psa_10: 90 };
    assert.deepEqual(held({ was, is }), ['grade-order', ['psa_10', 'psa_9']]);
    assert.deepEqual(held({ is }), ['grade-order', ['psa_10', 'psa_9']]);
  });

  it('equal prices are in order, and an amount has moved from a twentieth on', () => {
    assert.equal(held({ is: { market: 60, psa_9: 60, psa_10: 60 } }), null);
    for (const [psa_10, amounts] of [
      [239, ['psa_9']],
      [238, ['psa_10', 'psa_9']],
    ] as const) {
      const is = { ...was, psa_9: 260, psa_10 };
      assert.deepEqual(held({ was, is }), ['grade-order', amounts]);
    }
  });

  it('the raw price is quarantined with the rest when it is the one that moved', () => {
    assert.deepEqual(held({ was, is: { ...was, market: 300 } }), ['grade-order', 'all']);
  });

  it('a PSA 10 is compared with the raw price of another source, which may be half as much more', () => {
    const graded = { source: 'pricecharting', marketplace: 'pricecharting', is: { psa_10: 30 } };
    assert.equal(held({ ...graded, others: { tcgcsv: 45 } }), null);
    assert.deepEqual(held({ ...graded, others: { tcgcsv: 46 } }), ['grade-order', 'all']);
    assert.equal(held({ ...graded, others: { tcgcsv: 46 }, othersOn: '2025-01-28' }), null);
  });
});

describe('of conditions out of order', () => {
  const justtcg = { source: 'justtcg', marketplace: 'justtcg' };
  const was = { near_mint: 10, lightly_played: 8, damaged: 3 };

  it('the one that moved is quarantined alone', () => {
    assert.deepEqual(held({ ...justtcg, was, is: { ...was, damaged: 13.1 } }), [
      'condition-order',
      ['damaged'],
    ]);
    assert.deepEqual(held({ ...justtcg, was, is: { ...was, near_mint: 6 } }), [
      'condition-order',
      ['near_mint'],
    ]);
  });

  it('all are quarantined that have no past', () => {
    assert.deepEqual(held({ ...justtcg, is: { near_mint: 10, lightly_played: 8, damaged: 30 } }), [
      'condition-order',
      ['near_mint', 'damaged'],
    ]);
  });

  it('a worse copy may cost a little more, for copies are few', () => {
    assert.equal(held({ ...justtcg, is: { near_mint: 10, lightly_played: 13 } }), null);
  });

  it('an amount has moved from a tenth on', () => {
    for (const [near_mint, amounts] of [
      [9.1, ['damaged']],
      [9.09, ['near_mint', 'damaged']],
    ] as const) {
      const is = { ...was, near_mint, damaged: 20 };
      assert.deepEqual(held({ ...justtcg, was, is }), ['condition-order', amounts]);
    }
  });
});

describe('several findings on one observation', () => {
  it('quarantine the amounts of each of them', () => {
    const was = { market: 10, low: 8, psa_9: 60, psa_10: 250 };
    const is = { market: 10, low: 300, psa_9: 60, psa_10: 40 };
    assert.deepEqual(held({ was, is }), ['stray-listing', ['low', 'mid', 'high', 'psa_10']]);
  });

  it('quarantine the whole observation when one of them is about all of it', () => {
    const was = { market: 10, low: 8, high: 20 };
    assert.deepEqual(held({ was, is: { market: 35, low: 8, high: 40_000 } }), [
      'price-jump',
      'all',
    ]);
  });

  it('quarantine the whole observation when nothing of it is left', () => {
    const graded = { source: 'pricecharting', marketplace: 'pricecharting' };
    assert.deepEqual(held({ ...graded, is: { psa_9: 60, psa_10: 40 } }), ['grade-order', 'all']);
  });
});
