import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { addDays, dayOf, parseDay, startOfDay } from '../../src/domain/day.ts';
import { mergeObservations } from '../../src/domain/merge.ts';
import type { Cents } from '../../src/domain/money.ts';
import type { SourceObservation } from '../../src/domain/observation.ts';
import { CONDITIONS, GRADES, hasPrice, NO_PRICES } from '../../src/domain/price.ts';
import { inDollars, type Rates, rateFor } from '../../src/domain/rates.ts';
import { findSource, PRICE_SOURCES } from '../../src/domain/sources.ts';

const NOW = Date.parse('2026-01-28T20:05:12Z');
const DAY = 86_400_000;

interface Given {
  readonly source?: string;
  readonly market?: string;
  readonly currency?: 'USD' | 'EUR';
  readonly prices?: Partial<Record<'market' | 'low' | 'mid' | 'high', number>>;
  readonly conditions?: Record<string, number>;
  readonly graded?: Record<string, number>;
  readonly daysAgo?: number;
}

function observed(given: Given): SourceObservation {
  const { source = 'tcgcsv', market = 'tcgplayer', currency = 'USD', daysAgo = 0 } = given;
  return {
    source,
    marketplace: market,
    currency,
    prices: { ...NO_PRICES, ...given.prices } as SourceObservation['prices'],
    conditions: (given.conditions ?? {}) as SourceObservation['conditions'],
    graded: (given.graded ?? {}) as SourceObservation['graded'],
    observedAt: NOW - daysAgo * DAY,
  };
}

function rate(date: string, dollarsPerUnit: number): Rates[number] {
  const day = parseDay(date);
  assert.ok(day !== undefined);
  return { currency: 'EUR', day, dollarsPerUnit };
}

function leftOut(
  observations: readonly SourceObservation[],
  rates: Rates = [],
): Record<string, string> {
  const { figures } = mergeObservations(observations, rates);
  return Object.fromEntries(figures.leftOut.map((out) => [out.observation.source, out.reason]));
}

describe('the figures', () => {
  const tcgcsv = observed({ prices: { market: 500, low: 400, mid: 550, high: 900 } });

  it('are those of the only price there is', () => {
    const { prices, figures } = mergeObservations([tcgcsv], []);
    assert.deepEqual(prices, {
      ...tcgcsv.prices,
      conditions: {},
      graded: {},
      sources: ['tcgplayer'],
      observedAt: NOW,
      figuresAt: NOW,
    });
    assert.equal(figures.choice?.rule, 'only');
  });

  it('are unknown when no source reports any, and of no moment', () => {
    const { prices } = mergeObservations([observed({})], []);
    assert.deepEqual([prices.market, prices.sources, prices.observedAt], [null, [], null]);
  });

  it('are of the highest-ranked source, and never filled up from another', () => {
    const shop = observed({ source: 'quotes', market: 'my-shop', prices: { market: 450 } });
    const { prices, figures } = mergeObservations([tcgcsv, shop], []);
    assert.deepEqual([prices.market, prices.low, prices.sources], [450, null, ['my-shop']]);
    assert.equal(figures.choice?.rule, 'rank');
    assert.deepEqual(leftOut([tcgcsv, shop]), { tcgcsv: 'rank' });
  });

  it('are of a lower source when the higher one is too old', () => {
    const scryfall = observed({ source: 'scryfall', prices: { market: 480 } });
    const old = { ...tcgcsv, observedAt: NOW - 8 * DAY };
    assert.equal(mergeObservations([old, scryfall], []).prices.market, 480);
    assert.deepEqual(leftOut([old, scryfall]), { tcgcsv: 'freshness' });
    const newer = { ...tcgcsv, observedAt: NOW - 7 * DAY };
    assert.equal(mergeObservations([newer, scryfall], []).prices.market, 500);
  });

  it('are of a lower source when the higher one has no price any more', () => {
    const silent = observed({});
    const scryfall = observed({ source: 'scryfall', daysAgo: 3, prices: { market: 480 } });
    const { prices } = mergeObservations([silent, scryfall], []);
    assert.deepEqual([prices.market, prices.observedAt], [480, NOW - 3 * DAY]);
    assert.deepEqual(leftOut([silent, scryfall]), { tcgcsv: 'no-price' });
  });

  it('are those with a market price rather than listings only', () => {
    const listings = observed({ prices: { low: 400 } });
    const scryfall = observed({ source: 'scryfall', prices: { market: 480 } });
    const { prices } = mergeObservations([listings, scryfall], []);
    assert.deepEqual([prices.market, prices.low], [480, null]);
    assert.deepEqual(leftOut([listings, scryfall]), { tcgcsv: 'figures' });
    assert.equal(mergeObservations([listings], []).prices.low, 400);
  });

  it('are of TCGplayer, of several marketplaces of one source', () => {
    const kingdom = observed({ source: 'mtgjson', market: 'cardkingdom', prices: { market: 1 } });
    const player = observed({ source: 'mtgjson', prices: { market: 2 } });
    assert.equal(mergeObservations([kingdom, player], []).prices.market, 2);
  });
});

describe('euros', () => {
  const guide = observed({
    source: 'cardmarket',
    market: 'cardmarket',
    currency: 'EUR',
    prices: { market: 1000, low: 333 },
    conditions: { near_mint: 100 },
  });

  it('are not served without a rate', () => {
    assert.equal(mergeObservations([guide], []).prices.market, null);
    assert.deepEqual(leftOut([guide]), { cardmarket: 'no-rate' });
  });

  it('are served by the newest rate that is not later than they are', () => {
    const rates = [rate('2026-01-29', 9), rate('2026-01-20', 1.08), rate('2025-01-01', 2)];
    const { prices, figures } = mergeObservations([guide], rates);
    assert.deepEqual([prices.market, prices.low], [1080, 360]);
    assert.equal(prices.conditions.near_mint, 108);
    assert.deepEqual(figures.choice?.rate, rates[1]);
    assert.equal(mergeObservations([guide], [rate('2026-01-29', 9)]).prices.market, null);
  });

  it('come after dollars of whatever source', () => {
    const last = observed({ source: 'pricecharting', prices: { market: 5 } });
    const rates = [rate('2026-01-01', 1.1)];
    const scryfall = { ...guide, source: 'scryfall' };
    assert.equal(mergeObservations([scryfall, last], rates).prices.market, 5);
    assert.deepEqual(leftOut([scryfall, last], rates), { scryfall: 'currency' });
  });
});

describe('conditions and grades', () => {
  it('are of the first source that has them, whoever has the figures', () => {
    const tcgcsv = observed({ prices: { market: 500 } });
    const justtcg = observed({
      source: 'justtcg',
      market: 'justtcg',
      daysAgo: 1,
      prices: { market: 510 },
      conditions: { near_mint: 520, damaged: 100 },
    });
    const shop = observed({
      source: 'quotes',
      market: 'shop',
      daysAgo: 9,
      conditions: { damaged: 1 },
    });
    const { prices } = mergeObservations([tcgcsv, justtcg, shop], []);
    assert.equal(prices.market, 500);
    assert.deepEqual(prices.conditions, { near_mint: 520, damaged: 100 });
    assert.deepEqual(prices.sources, ['justtcg', 'tcgplayer']);
    assert.equal(prices.observedAt, NOW);
  });

  it('are only of that company and grade', () => {
    const graded = { grade_9: 1, psa_10: 2, bgs_10: 3, cgc_10: 4, sgc_10: 5, bgs_9_5: 6 };
    const { prices } = mergeObservations([observed({ source: 'pricecharting', graded })], []);
    assert.deepEqual(prices.graded, { psa_10: 2, bgs_9_5: 6 });
  });

  it('may each be of another source', () => {
    const pricecharting = observed({
      source: 'pricecharting',
      market: 'pricecharting',
      graded: { psa_10: 2, psa_9: 3 },
    });
    const shop = observed({ source: 'quotes', market: 'shop', graded: { psa_10: 9 } });
    const { prices, graded } = mergeObservations([pricecharting, shop], []);
    assert.deepEqual(prices.graded, { psa_10: 9, psa_9: 3 });
    assert.deepEqual(prices.sources, ['pricecharting', 'shop']);
    assert.equal(graded.psa_10?.leftOut[0]?.reason, 'rank');
  });
});

const cents = fc.integer({ min: 1, max: 1e9 }).map((amount) => amount as Cents);
const maybe = fc.option(cents);
const observations: fc.Arbitrary<SourceObservation[]> = fc.uniqueArray(
  fc.record({
    source: fc.constantFrom(...PRICE_SOURCES.map(({ name }) => name), 'unheard-of'),
    marketplace: fc.constantFrom('tcgplayer', 'cardmarket', 'my-shop'),
    currency: fc.constantFrom('USD', 'EUR'),
    prices: fc.record({ market: maybe, low: maybe, mid: maybe, high: maybe }),
    conditions: fc.dictionary(fc.constantFrom(...CONDITIONS), cents),
    graded: fc.dictionary(fc.constantFrom(...GRADES, 'grade_9', 'cgc_10'), cents),
    observedAt: fc.integer({ min: NOW - 30 * DAY, max: NOW }),
  }) as fc.Arbitrary<SourceObservation>,
  { maxLength: 8, selector: ({ source, marketplace }) => `${source}/${marketplace}` },
);
const rates: fc.Arbitrary<Rates> = fc.uniqueArray(
  fc.record({
    currency: fc.constant('EUR' as const),
    day: fc.integer({ min: -40, max: 1 }).map((offset) => addDays(dayOf(NOW), offset)),
    dollarsPerUnit: fc.double({ min: 0.5, max: 2, noNaN: true }),
  }),
  { maxLength: 3, selector: ({ day }) => day },
);

describe('whatever is observed', () => {
  it('the order of the observations does not matter', () => {
    const shuffled = observations.chain((all) => {
      return fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }));
    });
    fc.assert(
      fc.property(shuffled, rates, ([all, other], known) => {
        assert.deepEqual(
          mergeObservations(all, known).prices,
          mergeObservations(other, known).prices,
        );
      }),
    );
  });

  it('every number is that of a single observation, by the rate of its day', () => {
    fc.assert(
      fc.property(observations, rates, (all, known) => {
        const { prices, figures, conditions } = mergeObservations(all, known);
        const from = all.find((one) => one === figures.choice?.observation);
        if (from) {
          const by = rateFor(known, from.currency, from.observedAt) ?? null;
          for (const name of ['market', 'low', 'mid', 'high'] as const) {
            assert.equal(prices[name], inDollars(from.prices[name], by));
          }
        } else {
          assert.ok(!hasPrice(prices));
        }
        const reported = conditions.choice?.observation.conditions ?? {};
        for (const name of Object.keys(prices.conditions)) assert.ok(name in reported);
        for (const grade of GRADES) {
          const exact = all.some((one) => grade in one.graded);
          assert.ok(exact || prices.graded[grade] === undefined);
        }
      }),
    );
  });

  it('a price that is too old never comes before one that is not, and names and time are correct', () => {
    fc.assert(
      fc.property(observations, rates, (all, known) => {
        const { prices, figures, conditions, graded } = mergeObservations(all, known);
        const chosen = [figures, conditions, ...Object.values(graded)];
        for (const { choice, leftOut: others } of chosen) {
          if (!choice) continue;
          const usable = [choice, ...others.filter(({ reason }) => !/^no-/.test(reason))];
          const newest = Math.max(...usable.map((one) => one.observation.observedAt));
          const age = dayOf(newest) - dayOf(choice.observation.observedAt);
          const isFresh = age <= (findSource(choice.observation.source)?.freshDays ?? 7);
          assert.ok(isFresh);
        }
        const served = chosen.flatMap(({ choice }) => (choice ? [choice.observation] : []));
        assert.deepEqual(prices.sources, [...new Set(served.map((one) => one.marketplace))].sort());
        const newest = served.length > 0 ? Math.max(...served.map((one) => one.observedAt)) : null;
        assert.equal(prices.observedAt, newest);
      }),
    );
  });

  it('every observation of a number is chosen, or left out with a reason', () => {
    fc.assert(
      fc.property(observations, rates, (all, known) => {
        const { choice, leftOut: others } = mergeObservations(all, known).figures;
        const named = [
          ...(choice ? [choice.observation] : []),
          ...others.map((one) => one.observation),
        ];
        assert.equal(new Set(named).size, all.length);
        assert.equal(named.length, all.length);
      }),
    );
  });
});

it('a rate counts from the start of its day on', () => {
  const rates = [rate('2026-01-28', 1.08)];
  const day = parseDay('2026-01-28');
  assert.ok(day !== undefined);
  assert.equal(rateFor(rates, 'EUR', startOfDay(day))?.dollarsPerUnit, 1.08);
  assert.equal(rateFor(rates, 'EUR', startOfDay(day) - 1), undefined);
  assert.equal(rateFor(rates, 'USD', 0), null);
});
