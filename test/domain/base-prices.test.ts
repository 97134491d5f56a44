import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findBasePrices } from '../../src/domain/base-prices.ts';
import type { Day } from '../../src/domain/day.ts';
import type { Cents } from '../../src/domain/money.ts';
import type { HistoryDay } from '../../src/domain/price.ts';
import { CHANGE_WINDOW_NAMES, CHANGE_WINDOWS, NO_BASES } from '../../src/domain/price-changes.ts';

const TODAY = 20_000;

interface Told {
  /** How many days before today. */
  readonly ago: number;
  readonly market: number | null;
  readonly low?: number;
  readonly high?: number;
  readonly marketplace?: string;
  readonly repeated?: boolean;
}

function dayOf({ ago, market, low, high, marketplace = 'tcgplayer', repeated = false }: Told) {
  const figures = { market, low: low ?? null, mid: null, high: high ?? null };
  const provenance = { source: 'tcgcsv', marketplace, repeated };
  return { day: TODAY - ago, ...figures, provenance } as HistoryDay;
}

/** The bases of days, oldest first, of which the newest is served. */
function basesOf(told: readonly Told[], others: readonly number[] = []) {
  const days = told.map(dayOf);
  const { market = null, day = 0 as Day } = days.at(-1) ?? {};
  const reported = [market, ...others].filter((one) => one !== null) as Cents[];
  return findBasePrices(days, { market, day, reported });
}

/** Prices of successive days up to today. */
function daily(...markets: readonly number[]): Told[] {
  return markets.map((market, index) => ({ market, ago: markets.length - 1 - index }));
}

/** The doubt about the change since a day ago. */
function doubtOfDay(told: readonly Told[], others?: readonly number[]) {
  return basesOf(told, others).doubts['1d'];
}

/** The doubt about the change since seven days ago. */
function doubtOfWeek(told: readonly Told[], others?: readonly number[]) {
  return basesOf(told, others).doubts['7d'];
}

describe('The base of a window', () => {
  it('is the newest day at its start or before, within the tolerance', () => {
    const days = [40, 33, 12, 7, 4].map((ago) => ({ ago, market: 1000 + ago }));
    const { doubts: _, ...bases } = basesOf([...days, { ago: 0, market: 1000 }]);
    assert.deepEqual(bases, { '1d': 1004, '7d': 1007, '30d': 1033 });
  });

  it('is unknown where no day is near enough', () => {
    const far = [46, 15, 5].map((ago) => ({ ago, market: 1000 }));
    assert.deepEqual(basesOf([...far, { ago: 0, market: 1000 }]), NO_BASES);
  });

  it('is never a day without a market price or on which a source repeated itself', () => {
    const days = [
      { ago: 3, market: 990 },
      { ago: 2, market: 980, repeated: true },
      { ago: 1, market: null },
      { ago: 0, market: 1000 },
    ];
    assert.equal(basesOf(days)['1d'], 990);
  });

  it('is unknown when the history does not end with the served price', () => {
    const days = daily(1000, 1010).map(dayOf);
    const day = TODAY as Day;
    assert.notEqual(findBasePrices(days, { market: 1010 as Cents, day, reported: [] })['1d'], null);
    for (const served of [
      { market: 1020 as Cents, day, reported: [] },
      { market: 1010 as Cents, day: (TODAY + 1) as Day, reported: [] },
      { market: null, day, reported: [] },
    ]) {
      assert.deepEqual(findBasePrices(days, served), NO_BASES);
    }
  });

  it('is always an observed price of a day in reach', () => {
    const days = fc.uniqueArray(
      fc.record({ ago: fc.nat(59), market: fc.integer({ min: 1, max: 100_000 }) }),
      { selector: ({ ago }) => ago, minLength: 1 },
    );
    fc.assert(
      fc.property(days, (unsorted) => {
        const told = unsorted.sort((a, b) => b.ago - a.ago);
        const bases = basesOf(told);
        const newest = told.at(-1)?.ago ?? 0;
        for (const window of CHANGE_WINDOW_NAMES) {
          const { days: span, tolerance } = CHANGE_WINDOWS[window];
          const inReach = told.filter(({ ago }) => {
            return ago >= newest + span && ago <= newest + span + tolerance;
          });
          assert.equal(bases[window], inReach.at(-1)?.market ?? null);
        }
      }),
    );
  });
});

describe('A change is in doubt', () => {
  it('between two marketplaces', () => {
    const days = daily(1000, 1000).map((one) => ({ ...one, marketplace: 'pricecharting' }));
    const [before] = days;
    assert(before);
    assert.equal(doubtOfDay([before, { ago: 0, market: 1000 }]), 'marketplace-changed');
  });

  it('when the base is of a spike that came back', () => {
    assert.equal(doubtOfDay(daily(1000, 1000, 3000, 1000)), 'came-back');
    assert.equal(doubtOfDay(daily(1000, 3000, 3000, 3000, 1010)), 'came-back');
    // A level of four days is no spike, but then its end is of a single day.
    assert.equal(doubtOfDay(daily(1000, 3000, 3000, 3000, 3000, 1010)), 'unconfirmed');
  });

  it('when the newest price jumped, until a second day is there', () => {
    const week = [1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000];
    assert.equal(doubtOfWeek(daily(...week, 1500)), 'unconfirmed');
    assert.equal(doubtOfWeek(daily(...week, 1500, 1520)), undefined);
    assert.equal(doubtOfWeek(daily(...week, 1100)), undefined);
    assert.equal(doubtOfWeek(daily(...week.map((one, day) => one * 1.1 ** day))), undefined);
  });

  it('when the newest price is 1.15 times the one before', () => {
    assert.equal(doubtOfDay(daily(1000, 1000, 1000, 1000, 1150)), 'unconfirmed');
    assert.equal(doubtOfDay(daily(1000, 1000, 1000, 1000, 1149)), undefined);
  });

  it('when it is half as much again, although the listings followed', () => {
    const days = (newest: number, low: number) => {
      const before = [3, 2, 1].map((ago) => ({ ago, market: 1000, low: 900 }));
      return [...before, { ago: 0, market: newest, low }];
    };
    assert.equal(doubtOfDay(days(1500, 1350)), 'unconfirmed');
    assert.equal(doubtOfDay(days(1499, 1349)), undefined);
  });

  it('when the price has stood still since one large step, and nothing followed', () => {
    const assassin = [14_000, 14_000, 14_000, 7162, 7162, 7162, 7162];
    assert.equal(doubtOfWeek(daily(14_000, 14_000, ...assassin)), 'unconfirmed');
    assert.equal(doubtOfWeek(daily(14_000, 14_000, ...assassin), [7200]), undefined);
    assert.equal(doubtOfWeek(daily(14_000, 14_000, ...assassin, 7350)), undefined);
    const followed = daily(14_000, 14_000, ...assassin).map((one) => {
      return { ...one, low: (one.market ?? 0) * 0.9, high: 20_000 };
    });
    assert.equal(doubtOfWeek(followed), undefined);
  });

  it('unless another source reports it, or listings follow a jump that is not large', () => {
    const week = daily(1000, 1000, 1000, 1000, 1000, 1000, 1000, 1400);
    assert.equal(doubtOfWeek(week), 'unconfirmed');
    assert.equal(doubtOfWeek(week, [1380]), undefined);
    assert.equal(doubtOfWeek(week, [1000]), 'unconfirmed');
    const withLow = ({ market, ...one }: Told) => ({ ...one, market, low: (market ?? 0) * 0.8 });
    assert.equal(doubtOfWeek(week.map(withLow)), undefined);
    const large = daily(1000, 1000, 1000, 1000, 1000, 1000, 1000, 1600);
    assert.equal(doubtOfWeek(large.map(withLow)), 'unconfirmed');
  });

  it('when it is tenfold and no other source reports it', () => {
    const days = daily(100, 100, 100, 100, 100, 100, 100, 100, 1000, 1010, 1020);
    assert.equal(doubtOfWeek(days), 'unconfirmed');
    assert.equal(doubtOfWeek(days, [1000]), undefined);
  });

  it('when the listings stayed where they were', () => {
    const days = daily(1000, 1000, 1000, 1000, 1000, 1000, 1400, 1400, 1400);
    const stayed = days.map((one) => ({ ...one, low: 900, high: 3000 }));
    assert.equal(doubtOfWeek(stayed), 'listings-stayed');
    const followed = days.map((one) => ({ ...one, low: (one.market ?? 0) * 0.9, high: 3000 }));
    assert.equal(doubtOfWeek(followed), undefined);
    const steps = daily(1000, 1000, 1000, 1000, 1000, 1140, 1280, 1420, 1420);
    assert.equal(doubtOfWeek(steps.map((one) => ({ ...one, low: 900, high: 3000 }))), undefined);
  });

  it('when the price is not among its listings, or these are absurd', () => {
    const week = daily(1000, 1000, 1000, 1000, 1000, 1000, 1200, 1200);
    const [first, ...others] = week;
    assert(first);
    const withAll = (low: number, high: number) => week.map((one) => ({ ...one, low, high }));
    assert.equal(doubtOfWeek(withAll(700, 790)), 'thin-listings');
    assert.equal(doubtOfWeek(withAll(2600, 5000)), 'thin-listings');
    assert.equal(doubtOfWeek(withAll(1, 99_999)), 'thin-listings');
    const left = [{ ...first, low: 900, high: 1100 }, ...others];
    const newest = { ago: 0, market: 1200, low: 900, high: 1100 };
    assert.equal(doubtOfWeek([...left.slice(0, -1), newest]), 'thin-listings');
  });

  it('from half as much again as the highest listing, and 2.5 times below the lowest', () => {
    const week = daily(1000, 1000, 1000, 1000, 1000, 1000, 1100, 1100);
    const withAll = (low: number | null, high: number | null) => {
      return doubtOfWeek(
        week.map((one) => ({ ...one, ...(low && { low }), ...(high && { high }) })),
      );
    };
    assert.equal(withAll(null, 734), undefined);
    assert.equal(withAll(null, 733), 'thin-listings');
    assert.equal(withAll(2500, null), undefined);
    assert.equal(withAll(2501, null), 'thin-listings');
    assert.equal(withAll(10, 10_000), undefined);
    assert.equal(withAll(10, 10_001), 'thin-listings');
  });

  it('when it is among its listings, down to half of the lowest, on one of the days only', () => {
    const week = daily(1000, 1000, 1000, 1000, 1000, 1000, 1200, 1200);
    const [first, ...others] = week;
    assert(first);
    const between = (before: readonly number[], now: readonly number[]) => {
      const [low = 0, high = 0] = before;
      const [lowNow = 0, highNow = 0] = now;
      const newest = { ago: 0, market: 1200, low: lowNow, high: highNow };
      return doubtOfWeek([{ ...first, low, high }, ...others.slice(0, -1), newest]);
    };
    assert.equal(between([900, 1300], [900, 1300]), 'listings-stayed');
    assert.equal(between([900, 1300], [900, 1199]), 'thin-listings');
    assert.equal(between([2000, 3000], [2400, 3000]), undefined);
    assert.equal(between([2000, 3000], [2401, 3000]), 'thin-listings');
    assert.equal(between([1100, 1100], [1250, 1300]), 'thin-listings');
  });

  it('never when it is small', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1000, max: 1049 }), { minLength: 2 }), (markets) => {
        assert.deepEqual(basesOf(daily(...markets.slice(0, 60))).doubts, {});
      }),
    );
  });
});
