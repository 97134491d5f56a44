import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { addDays, type Day, dayOf, parseDay } from '../../../src/domain/day.ts';
import { type DayPrices, NO_PRICES, type PriceFigures } from '../../../src/domain/price.ts';
import type { QuarantinedBefore } from '../../../src/ingest/observation.ts';
import { setShift } from '../../../src/ingest/validation/rules/set-shift.ts';
import { Replay, type Reported, usd } from '../../support/replay.ts';
import { moment, resolved } from '../../support/resolved.ts';

const FIRST = parseDay('2026-01-01') as Day;
const CARDS = 12;

/** Market prices of a set in dollars, by card. */
type Prices = readonly number[];

/** The true prices of a day: a third of them moves by a few percent. */
function truth(day: number): Prices {
  return Array.from({ length: CARDS }, (_, card) => {
    return 3.37 + card * 5 + ((card + day) % 3 === 0 ? 0.04 * (card + 1) : 0);
  });
}

function times(prices: Prices, factor: number): Prices {
  return prices.map((price) => price * factor);
}

function reported(prices: Prices, source = 'tcgcsv'): Reported[] {
  return prices.map((dollars, card) => {
    return { source, card, printing: 'Foil', prices: { market: usd(dollars) } };
  });
}

/** Validates the prices of one day after the other; returns how many of each are quarantined. */
function held(days: readonly Prices[]): number[] {
  const replay = new Replay();
  return days.map((prices, day) => replay.day(addDays(FIRST, day), reported(prices)).length);
}

describe('a set whose prices have moved as a whole', () => {
  it('is quarantined with everything that moved, and what stood still is accepted', () => {
    const replay = new Replay();
    replay.day(FIRST, reported(truth(0)));
    const wrong = truth(0).map((price, card) => (card < 2 ? price : price * 1.3));
    const found = replay.day(addDays(FIRST, 1), reported(wrong));
    assert.deepEqual(
      found.map(({ resolved }) => resolved.card),
      [2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    );
    assert.deepEqual([...new Set(found.map(({ rule }) => rule))], ['set-shift']);
    assert.equal(
      found[0]?.detail,
      'The market prices of set 1 moved to 1.30 times as a whole since 2026-01-01 (median of 12); the limit is 1.05 times.',
    );
  });

  it('waits for as long as it stays there', () => {
    const days = Array.from({ length: 90 }, (_, day) => times(truth(day), day === 0 ? 1 : 1.3));
    assert.deepEqual(held(days), [0, ...Array.from({ length: 89 }, () => CARDS)]);
  });

  it('waits although it slowly comes nearer, until it is nearer to where it was', () => {
    const factors = [1, 1.5, 1.44, 1.38, 1.32, 1.26, 1.04, 1];
    const counts = held(factors.map((factor, day) => times(truth(day), factor)));
    assert.deepEqual(counts.slice(0, 6), [0, ...Array.from({ length: 5 }, () => CARDS)]);
    assert.deepEqual(counts.slice(6), [0, 0]);
  });

  it('is accepted as soon as it is back', () => {
    const wrong = Array.from({ length: 9 }, (_, day) => times(truth(day + 1), 0.92));
    const counts = held([truth(0), ...wrong, truth(10), truth(11)]);
    assert.deepEqual(counts, [0, ...wrong.map(() => CARDS), 0, 0]);
  });

  it('is accepted when another source of the same marketplace has the same prices', () => {
    const replay = new Replay();
    const next = times(truth(1), 1.3);
    replay.day(FIRST, reported(truth(0)));
    assert.equal(replay.day(addDays(FIRST, 1), reported(next)).length, CARDS);
    // Scryfall did not price the set before, so that its prices have moved nowhere.
    assert.equal(replay.day(addDays(FIRST, 1), reported(next, 'scryfall')).length, 0);
    assert.equal(replay.day(addDays(FIRST, 2), reported(next)).length, 0);
  });

  it('is not confirmed by a source of the same marketplace whose own move waits', () => {
    const replay = new Replay();
    replay.day(FIRST, reported(truth(0)));
    replay.day(FIRST, reported(truth(0), 'scryfall'));
    const [next, later] = [times(truth(1), 1.3), times(truth(2), 1.3)];
    assert.equal(replay.day(addDays(FIRST, 1), reported(next)).length, CARDS);
    assert.equal(replay.day(addDays(FIRST, 1), reported(next, 'scryfall')).length, CARDS);
    assert.equal(replay.day(addDays(FIRST, 2), reported(later)).length, CARDS);
  });

  it('is caught at any factor of 15 % or more, even if its prices also move', () => {
    const factor = fc.oneof(
      fc.double({ min: 1.15, max: 20, noNaN: true }),
      fc.double({ min: 0.1, max: 0.87, noNaN: true }),
    );
    fc.assert(
      fc.property(factor, fc.integer({ min: 1, max: 5 }), (wrong, day) => {
        const [, count = 0] = held([truth(0), times(truth(day), wrong)]);
        assert.equal(count, CARDS);
      }),
      { numRuns: 50 },
    );
  });

  it('is not caught in its week of release, when each price falls on its own', () => {
    const falls = [0.85, 0.7, 0.9, 0.8, 0.95, 0.75, 0.82, 0.88, 0.78, 0.92, 0.72, 1.05];
    const next = truth(0).map((price, card) => price * (falls[card] ?? 1));
    assert.deepEqual(held([truth(0), next]), [0, 0]);
  });
});

describe('a set whose rows are shifted', () => {
  const cheap = Array.from({ length: 24 }, (_, card) => 0.1 + ((card * 7) % 11) / 100);

  it('is caught although its prices are so alike that they hardly move', () => {
    const shifted = cheap.map((_, row) => cheap[(row || cheap.length) - 1] ?? 0);
    const [, count = 0] = held([cheap, shifted]);
    const moved = shifted.filter((price, row) => usd(price) !== usd(cheap[row] ?? 0)).length;
    assert.equal(count, moved);
  });

  it('is not one whose prices are as often those of the row after the next', () => {
    const triples = Array.from({ length: 24 }, (_, row) => {
      return 10 + Math.floor(row / 3) + (row % 3 === 0 ? 0 : 0.3);
    });
    const taken = triples.map((price, row) => (row % 3 === 0 ? price + 0.3 : price));
    assert.deepEqual(held([triples, taken]), [0, 0]);
  });

  it('is not one whose cheap prices move by a cent or two', () => {
    const moved = cheap.map((price, card) => price + ((card % 3) - 1) / 100);
    assert.deepEqual(held([cheap, moved]), [0, 0]);
  });
});

describe('a set that comes back slowly', () => {
  const DAY = dayOf(moment('2026-01-28'));
  const day = (ago: number, prices: Partial<PriceFigures>): DayPrices => {
    return { ...NO_PRICES, ...prices, day: addDays(DAY, -ago) };
  };

  /** Returns how many of 20 prices are caught, if so many of them wait for so many days. */
  function caught(figure: 'market' | 'mid', waiting: number, days: readonly DayPrices[]): number {
    const batch = Array.from({ length: 20 }, (_, card) => {
      const one = resolved({
        card,
        was: { [figure]: 10 },
        wasOn: '2026-01-01',
        is: { [figure]: 12 },
      });
      const quarantined: QuarantinedBefore = {
        ...one.observation,
        rule: 'set-shift',
        detail: '',
        days: days.length,
        isRejected: false,
        earlierDays: days,
      };
      return card < waiting ? { ...one, quarantined } : one;
    });
    return [...setShift(batch)].length;
  }

  const away = (figure: 'market' | 'mid', ago: number) => day(ago, { [figure]: usd(13) });

  it('waits while more than half of its prices do', () => {
    const days = [away('market', 26), away('market', 1)];
    assert.equal(caught('market', 20, days), 20);
    assert.equal(caught('market', 11, days), 20);
    assert.equal(caught('market', 10, days), 0);
  });

  it('does not wait for a figure that it lacked when it went away', () => {
    assert.equal(caught('mid', 20, [away('mid', 26), away('mid', 1)]), 20);
    assert.equal(caught('mid', 20, [day(26, { high: usd(30) }), away('mid', 1)]), 0);
  });
});
