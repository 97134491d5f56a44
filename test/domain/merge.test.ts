import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { addDays, dayOf, parseDay, startOfDay } from '../../src/domain/day.ts';
import { mergeObservations } from '../../src/domain/merge.ts';
import type { Cents } from '../../src/domain/money.ts';
import type { SourceObservation } from '../../src/domain/observation.ts';
import { CONDITIONS, FIGURES, GRADES, hasPrice, NO_PRICES } from '../../src/domain/price.ts';
import { inDollars, type Rates, rateFor } from '../../src/domain/rates.ts';
import { findSource, PRICE_SOURCES, UNKNOWN_SOURCE } from '../../src/domain/sources.ts';

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

  it('are of a lower source when the higher one has no price any more', () => {
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

  it('stays while its newest price is at most 30 days older than that of another one', () => {
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

  it('keeps the figures whichever of its sources is out', () => {
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

describe('conditions and grades beside newer figures', () => {
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

  it('are those of another source that is new enough', () => {
    const shop = observed({
      source: 'quotes',
      market: 'shop',
      daysAgo: 40,
      conditions: { damaged: 1 },
    });
    const { prices } = mergeObservations([figures, shop, conditions(20)], []);
    assert.deepEqual(prices.conditions, { near_mint: 8_800 });
  });

  it('are served at any age when there are no figures', () => {
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
    assert.deepEqual([prices.figuresAt, prices.conditionsAt], [NOW, NOW - DAY]);
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
    observedAt: fc.integer({ min: NOW - 100 * DAY, max: NOW }),
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

/** What is served, and every choice with what was left out. */
function sortedMerge(all: readonly SourceObservation[], known: Rates) {
  const { prices, figures, conditions, graded } = mergeObservations(all, known);
  const named = figures.leftOut.map(({ observation, reason }) => {
    return `${observation.source}/${observation.marketplace} ${reason}`;
  });
  return { prices, figures: figures.choice, named: named.sort(), conditions, graded };
}

describe('whatever is observed', () => {
  it('the order of the observations does not matter', () => {
    const shuffled = observations.chain((all) => {
      return fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }));
    });
    fc.assert(
      fc.property(shuffled, rates, ([all, other], known) => {
        assert.deepEqual(sortedMerge(all, known), sortedMerge(other, known));
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

  it('merging again what was chosen changes nothing', () => {
    fc.assert(
      fc.property(observations, rates, (all, known) => {
        const { prices, figures, conditions, graded } = mergeObservations(all, known);
        const chosen = [figures, conditions, ...Object.values(graded)];
        const kept = new Set(chosen.flatMap(({ choice }) => (choice ? [choice.observation] : [])));
        const again = mergeObservations([...kept], known).prices;
        const { market, low, mid, high } = again;
        assert.deepEqual({ ...prices, market, low, mid, high }, prices);
      }),
    );
  });

  it('market, low, mid and high are of one marketplace, which no newer one has replaced', () => {
    fc.assert(
      fc.property(observations, rates, (all, known) => {
        const { prices, figures } = mergeObservations(all, known);
        if (!figures.choice) return assert.ok(!hasPrice(prices));
        const { marketplace } = figures.choice.observation;
        const own = all.filter((one) => one.marketplace === marketplace && hasPrice(one.prices));
        const usable = all.filter((one) => {
          return hasPrice(one.prices) && rateFor(known, one.currency, one.observedAt) !== undefined;
        });
        const newest = dayOf(Math.max(...usable.map(({ observedAt }) => observedAt)));
        const isHeld = own.some((one) => {
          return (
            newest - dayOf(one.observedAt) <= (findSource(one.source) ?? UNKNOWN_SOURCE).holdDays
          );
        });
        assert.ok(isHeld);
        const isWhole = own.some((one) => {
          const by = rateFor(known, one.currency, one.observedAt) ?? null;
          return FIGURES.every((name) => prices[name] === inDollars(one.prices[name], by));
        });
        assert.ok(isWhole);
      }),
    );
  });

  it('nothing that another marketplace reports within 30 days changes the marketplace', () => {
    const player = fc.integer({ min: 0, max: 30 });
    fc.assert(
      fc.property(observations, player, rates, (all, daysAgo, known) => {
        const others = all.filter(({ source, marketplace }) => {
          return source !== 'quotes' && source !== 'tcgcsv' && marketplace !== 'tcgplayer';
        });
        const tcgcsv = observed({ daysAgo, prices: { market: 1 } });
        const { figures } = mergeObservations([...others, tcgcsv], known);
        assert.equal(figures.choice?.observation, tcgcsv);
      }),
    );
  });

  it('no source is older than it may be beside another of its marketplace, and names and ages are correct', () => {
    fc.assert(
      fc.property(observations, rates, (all, known) => {
        const { prices, figures, conditions, graded } = mergeObservations(all, known);
        const chosen = [figures, conditions, ...Object.values(graded)];
        for (const { choice, leftOut: others } of chosen) {
          if (!choice) continue;
          const compared = others.filter(({ reason }) => !/^no-|^behind/.test(reason));
          const usable = [choice, ...compared].filter(({ observation: { marketplace } }) => {
            return marketplace === choice.observation.marketplace;
          });
          const newest = Math.max(...usable.map((one) => one.observation.observedAt));
          const age = dayOf(newest) - dayOf(choice.observation.observedAt);
          const isFresh = age <= (findSource(choice.observation.source)?.freshDays ?? 7);
          assert.ok(isFresh);
        }
        const served = chosen.flatMap(({ choice }) => (choice ? [choice.observation] : []));
        assert.deepEqual(prices.sources, [...new Set(served.map((one) => one.marketplace))].sort());
        const grades = Object.values(graded).flatMap(({ choice }) => {
          return choice ? [choice.observation.observedAt] : [];
        });
        assert.equal(prices.figuresAt, figures.choice?.observation.observedAt ?? null);
        assert.equal(prices.conditionsAt, conditions.choice?.observation.observedAt ?? null);
        assert.equal(prices.gradedAt, grades.length > 0 ? Math.min(...grades) : null);
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
