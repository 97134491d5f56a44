import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { addDays, type Day, parseDay } from '../../../src/domain/day.ts';
import { Replay, type Reported, usd } from '../../support/replay.ts';

const FIRST = parseDay('2026-01-01') as Day;
const CARDS = 60;

/** Market prices of a set in dollars, by card. */
type Prices = readonly number[];

/** The true prices of a day: a fifth of them moves by up to three percent. */
function truth(day: number): Prices {
  return Array.from({ length: CARDS }, (_, card) => {
    const price = 1.37 * 1.08 ** card;
    return (card + day) % 5 === 0 ? price * (1 + (((card * 7) % 7) - 3) / 100) : price;
  });
}

function reported(prices: Prices, source = 'tcgcsv', marketplace = 'tcgplayer'): Reported[] {
  return prices.map((dollars, card) => {
    return { source, marketplace, card, printing: 'Foil', prices: { market: usd(dollars) } };
  });
}

/** Returns which cards are held on each day, by rule. */
function held(days: readonly Prices[], source = 'tcgcsv'): Record<string, number[]>[] {
  const replay = new Replay();
  return days.map((prices, day) => {
    const found = replay.day(addDays(FIRST, day), reported(prices, source));
    const byRule = Map.groupBy(found, ({ rule }) => rule);
    return Object.fromEntries(
      [...byRule].map(([rule, own]) => [rule, own.map(({ resolved }) => resolved.card)]),
    );
  });
}

const isEvery = (n: number) => (card: number) => card % n === 0;

/** Changes some of the prices of a day. */
function change(
  prices: Prices,
  isWrong: (card: number) => boolean,
  to: (price: number, card: number) => number,
): Prices {
  return prices.map((price, card) => (isWrong(card) ? to(price, card) : price));
}

describe('a part of a set', () => {
  it('that moved by one factor waits, and the rest of the set is served', () => {
    const wrong = (day: number) => change(truth(day), isEvery(4), (price) => price * 1.2);
    const [, first, second] = held([truth(0), wrong(0), wrong(1)]);
    const cards = Array.from({ length: 15 }, (_, at) => at * 4);
    assert.deepEqual([first, second], [{ 'partial-shift': cards }, { 'partial-shift': cards }]);
  });

  it('whose rows took each other’s prices waits', () => {
    const taken = change(truth(0), isEvery(4), (_, card) => truth(0)[(card + 28) % CARDS] ?? 0);
    const [, found] = held([truth(0), taken]);
    const caught = Object.values(found ?? {}).flat();
    assert.equal(new Set(caught).size, 15);
  });

  it('waits if more than half of the set moved apart, which widens its median distance', () => {
    const apart = change(
      truth(0),
      (card) => card < 33,
      (price, card) => price * (1.16 + (card % 7) / 100) ** (card % 2 === 0 ? 1 : -1),
    );
    const [, found] = held([truth(0), apart]);
    assert.deepEqual(
      found?.['partial-shift'],
      Array.from({ length: 33 }, (_, card) => card),
    );
  });

  it('waits from 7 % of the set on', () => {
    const moved = (count: number) => {
      const prices = change(
        truth(0),
        (card) => card >= CARDS - count,
        (price, card) => price * (1.2 + (card % 7) / 50),
      );
      return reported([...prices, ...prices.slice(0, 40)]);
    };
    const replay = new Replay();
    replay.day(FIRST, moved(0));
    assert.equal(replay.day(addDays(FIRST, 1), moved(6)).length, 0);
    assert.equal(replay.day(addDays(FIRST, 2), moved(13)).length, 7);
  });

  it('of cheap cards waits from two cents on', () => {
    const cheap = Array.from({ length: CARDS }, () => 0.06);
    const raised = (dollars: number) => change(cheap, isEvery(4), (price) => price + dollars);
    assert.deepEqual(held([cheap, raised(0.01)])[1], {});
    assert.equal(held([cheap, raised(0.02)])[1]?.['partial-shift']?.length, 15);
  });

  it('that became whole dollars waits', () => {
    const [, found] = held([truth(0), truth(0).map((price) => Math.max(1, Math.round(price)))]);
    assert.ok((found?.['partial-shift']?.length ?? 0) > CARDS / 2);
  });

  it('is served once it is back', () => {
    const wrong = change(truth(1), isEvery(4), (price) => price * 1.5);
    assert.deepEqual(held([truth(0), wrong, truth(2), truth(3)]).slice(2), [{}, {}]);
  });

  it('is served once another source agrees with its prices', () => {
    const replay = new Replay();
    const next = change(truth(1), isEvery(4), (price) => price * 1.4);
    const count = (day: number, ...args: Parameters<typeof reported>) => {
      return replay.day(addDays(FIRST, day), reported(...args)).length;
    };
    count(0, truth(0));
    assert.equal(count(1, next), 15);
    count(1, next, 'pricecharting', 'ebay');
    assert.equal(count(2, next), 0);
  });

  it('waits eleven days after its set is right again, if it does not come back', () => {
    const isOne = (card: number) => card === 20;
    const wrong = (day: number) => change(truth(day), isEvery(4), (price) => price * 1.4);
    const one = (day: number) => change(truth(day), isOne, (price) => price * 1.4);
    const later = Array.from({ length: 13 }, (_, at) => one(at + 2));
    const counts = held([truth(0), wrong(1), ...later]).map((found) => {
      return Object.values(found).flat().length;
    });
    assert.deepEqual(counts, [0, 15, ...Array.from({ length: 9 }, () => 1), 0, 0, 0, 0]);
  });

  it('may be changed by operators, who change many of their own prices at once', () => {
    const raised = change(truth(0), isEvery(4), (price) => price * 1.2);
    const whole = truth(0).map((price) => Math.max(1, Math.round(price)));
    assert.deepEqual(held([truth(0), raised], 'quotes')[1], {});
    assert.deepEqual(held([truth(0), whole], 'quotes')[1]?.['partial-shift'], undefined);
  });

  it('never waits while each price moves a little on its own', () => {
    const move = fc.double({ min: 0.93, max: 1.07, noNaN: true });
    fc.assert(
      fc.property(fc.array(move, { minLength: CARDS, maxLength: CARDS }), (moves) => {
        const next = truth(0).map((price, card) => price * (moves[card] ?? 1));
        assert.equal(held([truth(0), next])[1]?.['partial-shift'], undefined);
      }),
      { numRuns: 50 },
    );
  });

  it('waits whichever factor it moved by', () => {
    const factor = fc.oneof(
      fc.double({ min: 1.16, max: 1.9, noNaN: true }),
      fc.double({ min: 0.55, max: 0.86, noNaN: true }),
    );
    fc.assert(
      fc.property(factor, fc.integer({ min: 3, max: 7 }), (times, every) => {
        const wrong = change(truth(1), isEvery(every), (price) => price * times);
        const found = Object.values(held([truth(0), wrong])[1] ?? {}).flat();
        const missed = wrong.filter((_, card) => card % every === 0 && !found.includes(card));
        assert.deepEqual(missed, []);
      }),
      { numRuns: 50 },
    );
  });
});
