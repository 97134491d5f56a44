import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { addDays, dayOf } from '../../src/domain/day.ts';
import type { Grade } from '../../src/domain/grade-names.ts';
import { mergeObservations } from '../../src/domain/merge.ts';
import type { Cents } from '../../src/domain/money.ts';
import type { SourceObservation } from '../../src/domain/observation.ts';
import { CONDITIONS, FIGURES, hasPrice, NO_PRICES } from '../../src/domain/price.ts';
import { inDollars, type Rates, rateFor } from '../../src/domain/rates.ts';
import { findSource, PRICE_SOURCES, UNKNOWN_SOURCE } from '../../src/domain/sources.ts';

const NOW = Date.parse('2026-01-28T20:05:12Z');
const DAY = 86_400_000;

const GRADES: readonly Grade[] = ['psa_10', 'psa_9', 'bgs_9_5', 'cgc_9_5', 'any_9', 'cgc_10'];
const cents = fc.integer({ min: 1, max: 1e9 }).map((amount) => amount as Cents);
const maybe = fc.option(cents);
const observations: fc.Arbitrary<SourceObservation[]> = fc.uniqueArray(
  fc.record({
    source: fc.constantFrom(...PRICE_SOURCES.map(({ name }) => name), 'unheard-of'),
    marketplace: fc.constantFrom('tcgplayer', 'cardmarket', 'my-shop'),
    currency: fc.constantFrom('USD', 'EUR'),
    prices: fc.record({ market: maybe, low: maybe, mid: maybe, high: maybe }),
    conditions: fc.dictionary(fc.constantFrom(...CONDITIONS), cents),
    graded: fc.dictionary(fc.constantFrom(...GRADES), cents),
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

describe('for any observations', () => {
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

  it('every number comes from a single observation, at the rate of its day', () => {
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

  it('another marketplace decides nothing between the sources of the served one', () => {
    fc.assert(
      fc.property(observations, rates, (all, known) => {
        const { choice } = mergeObservations(all, known).figures;
        const own = all.filter(
          ({ marketplace }) => marketplace === choice?.observation.marketplace,
        );
        const alone = mergeObservations(own, known).figures.choice;
        assert.equal(alone?.observation, choice?.observation);
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
        const tcgcsv: SourceObservation = {
          source: 'tcgcsv',
          marketplace: 'tcgplayer',
          currency: 'USD',
          prices: { ...NO_PRICES, market: 1 as Cents },
          conditions: {},
          graded: {},
          observedAt: NOW - daysAgo * DAY,
        };
        const { figures } = mergeObservations([...others, tcgcsv], known);
        assert.equal(figures.choice?.observation, tcgcsv);
      }),
    );
  });

  it('no source is older than its limit compared with another one of its marketplace', () => {
    fc.assert(
      fc.property(observations, rates, (all, known) => {
        const { figures, conditions, graded } = mergeObservations(all, known);
        const grades = Object.values(graded).filter((one) => one !== undefined);
        for (const { choice, leftOut: others } of [figures, conditions, ...grades]) {
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
      }),
    );
  });

  it('names and ages come from the served observations', () => {
    fc.assert(
      fc.property(observations, rates, (all, known) => {
        const { prices, figures, conditions, graded } = mergeObservations(all, known);
        const grades = GRADES.flatMap((grade) => {
          const choice = prices.graded[grade] === undefined ? null : graded[grade]?.choice;
          return choice ? [choice.observation] : [];
        });
        const hasConditions = Object.keys(prices.conditions).length > 0;
        const byCondition = hasConditions ? conditions.choice?.observation : undefined;
        const served = [figures.choice?.observation, byCondition, ...grades];
        const marketplaces = served.flatMap((one) => one?.marketplace ?? []);
        assert.deepEqual(prices.sources, [...new Set(marketplaces)].sort());
        const oldest = Math.min(...grades.map(({ observedAt }) => observedAt));
        assert.equal(prices.figuresAt, figures.choice?.observation.observedAt ?? null);
        assert.equal(prices.conditionsAt, byCondition?.observedAt ?? null);
        assert.equal(prices.gradedAt, grades.length > 0 ? oldest : null);
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
