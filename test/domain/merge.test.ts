import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseDay, startOfDay } from '../../src/domain/day.ts';
import { mergeObservations } from '../../src/domain/merge.ts';
import type { SourceObservation } from '../../src/domain/observation.ts';
import { NO_PRICES } from '../../src/domain/price.ts';
import { type Rates, rateFor } from '../../src/domain/rates.ts';

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

  it('come from the only price', () => {
    const { prices, figures } = mergeObservations([tcgcsv], []);
    assert.deepEqual(prices, {
      ...tcgcsv.prices,
      conditions: {},
      graded: {},
      sources: ['tcgplayer'],
      figuresAt: NOW,
      conditionsAt: null,
      gradedAt: null,
    });
    assert.equal(figures.choice?.rule, 'only');
  });

  it('are unknown when no source reports any, and of no moment', () => {
    const { prices } = mergeObservations([observed({})], []);
    assert.deepEqual([prices.market, prices.sources, prices.figuresAt], [null, [], null]);
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

  it('come from a lower source once the higher one has no price', () => {
    const silent = observed({});
    const scryfall = observed({ source: 'scryfall', daysAgo: 3, prices: { market: 480 } });
    const { prices } = mergeObservations([silent, scryfall], []);
    assert.deepEqual([prices.market, prices.figuresAt], [480, NOW - 3 * DAY]);
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

describe('the marketplace of the figures', () => {
  const tcgcsv = (daysAgo: number, market = 500) => observed({ daysAgo, prices: { market } });
  const ebay = observed({
    source: 'pricecharting',
    market: 'pricecharting',
    prices: { market: 1200 },
  });

  it('stays while its newest price is at most 30 days older than the price of another one', () => {
    for (const daysAgo of [0, 8, 30]) {
      const { prices, figures } = mergeObservations([tcgcsv(daysAgo), ebay], []);
      assert.deepEqual([prices.market, prices.sources], [500, ['tcgplayer']], `${daysAgo} days`);
      assert.equal(figures.choice?.rule, daysAgo <= 7 ? 'rank' : 'marketplace-hold');
    }
    assert.deepEqual(leftOut([tcgcsv(30), ebay]), { pricecharting: 'marketplace-hold' });
  });

  it('changes after that', () => {
    const { prices, figures } = mergeObservations([tcgcsv(31), ebay], []);
    assert.deepEqual([prices.market, prices.sources], [1200, ['pricecharting']]);
    assert.equal(figures.choice?.rule, 'freshness');
    assert.deepEqual(leftOut([tcgcsv(31), ebay]), { tcgcsv: 'freshness' });
  });

  it('keeps the figures if any of its sources fails', () => {
    const scryfall = observed({ source: 'scryfall', daysAgo: 1, prices: { market: 490 } });
    const other = observed({ source: 'justtcg', market: 'justtcg', prices: { market: 900 } });
    const { prices } = mergeObservations([tcgcsv(9), scryfall, other, ebay], []);
    assert.equal(prices.market, 490, 'another source of the same marketplace takes over');
    assert.deepEqual(leftOut([tcgcsv(9), scryfall, other, ebay]), {
      tcgcsv: 'freshness',
      justtcg: 'marketplace-hold',
      pricecharting: 'rank',
    });
  });

  it('does not decide between sources of another one', () => {
    const scryfall = observed({ source: 'scryfall', daysAgo: 9, prices: { market: 490 } });
    const { prices } = mergeObservations([tcgcsv(10), scryfall, ebay], []);
    assert.equal(prices.market, 500, 'the first source, which is one day older than the second');
  });

  it('is your own only while your quotes are up to date', () => {
    const shop = (daysAgo: number) => {
      return observed({ source: 'quotes', market: 'my-shop', daysAgo, prices: { market: 450 } });
    };
    assert.equal(mergeObservations([shop(2), tcgcsv(0)], []).prices.market, 450);
    assert.equal(mergeObservations([shop(3), tcgcsv(0)], []).prices.market, 500);
  });
});

describe('conditions and grades with newer figures', () => {
  const figures = observed({ prices: { market: 45_386 } });
  const conditions = (daysAgo: number) => {
    const near_mint = 8_800;
    return observed({ source: 'justtcg', market: 'justtcg', daysAgo, conditions: { near_mint } });
  };
  const grades = (daysAgo: number) => {
    const graded = { psa_10: 900_000 };
    return observed({ source: 'pricecharting', market: 'pricecharting', daysAgo, graded });
  };

  it('are served for 30 and for 90 days, each with its own age', () => {
    const { prices } = mergeObservations([figures, conditions(30), grades(90)], []);
    assert.deepEqual([prices.conditions.near_mint, prices.graded.psa_10], [8_800, 900_000]);
    assert.equal(prices.figuresAt, NOW);
    assert.equal(prices.conditionsAt, NOW - 30 * DAY);
    assert.equal(prices.gradedAt, NOW - 90 * DAY);
  });

  it('are left out when the figures have moved on since', () => {
    const merged = mergeObservations([figures, conditions(31), grades(91)], []);
    const { prices } = merged;
    assert.deepEqual([prices.conditions, prices.graded], [{}, {}]);
    assert.deepEqual([prices.conditionsAt, prices.gradedAt], [null, null]);
    assert.deepEqual(prices.sources, ['tcgplayer']);
    assert.equal(merged.conditions.leftOut[0]?.reason, 'behind-figures');
    assert.equal(merged.graded.psa_10?.leftOut[0]?.reason, 'behind-figures');
  });

  it('come from another source that is recent enough', () => {
    const shop = observed({
      source: 'quotes',
      market: 'shop',
      daysAgo: 40,
      conditions: { damaged: 1 },
    });
    const { prices } = mergeObservations([figures, shop, conditions(20)], []);
    assert.deepEqual(prices.conditions, { near_mint: 8_800 });
  });

  it('are served at any age without figures', () => {
    const { prices } = mergeObservations([conditions(300), grades(400)], []);
    assert.deepEqual([prices.conditions.near_mint, prices.graded.psa_10], [8_800, 900_000]);
    assert.equal(prices.figuresAt, null);
  });

  it('give all grades together the age of the oldest', () => {
    const shop = observed({ source: 'quotes', market: 'shop', daysAgo: 1, graded: { psa_9: 5 } });
    const { prices } = mergeObservations([figures, grades(20), shop], []);
    assert.equal(prices.gradedAt, NOW - 20 * DAY);
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

  it('come after dollars of any source', () => {
    const last = observed({ source: 'pricecharting', prices: { market: 5 } });
    const rates = [rate('2026-01-01', 1.1)];
    const scryfall = { ...guide, source: 'scryfall' };
    assert.equal(mergeObservations([scryfall, last], rates).prices.market, 5);
    assert.deepEqual(leftOut([scryfall, last], rates), { scryfall: 'currency' });
  });
});

describe('conditions and grades', () => {
  it('come from the first source that has them, independently of the figures', () => {
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
    assert.deepEqual([prices.figuresAt, prices.conditionsAt], [NOW, NOW - DAY]);
  });

  it('are only of that company and grade', () => {
    const graded = { any_9: 1, psa_10: 2, bgs_10: 3, cgc_10: 4, sgc_10: 5, bgs_9_5: 6 };
    const { prices } = mergeObservations([observed({ source: 'pricecharting', graded })], []);
    assert.deepEqual(prices.graded, graded);
    assert.deepEqual(
      Object.keys(prices.graded).join(' '),
      'psa_10 bgs_10 bgs_9_5 cgc_10 sgc_10 any_9',
    );
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

it('a rate counts from the start of its day on', () => {
  const rates = [rate('2026-01-28', 1.08)];
  const day = parseDay('2026-01-28');
  assert.ok(day !== undefined);
  assert.equal(rateFor(rates, 'EUR', startOfDay(day))?.dollarsPerUnit, 1.08);
  assert.equal(rateFor(rates, 'EUR', startOfDay(day) - 1), undefined);
  assert.equal(rateFor(rates, 'USD', 0), null);
});
