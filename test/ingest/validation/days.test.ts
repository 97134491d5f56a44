import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addDays, type Day, parseDay } from '../../../src/domain/day.ts';
import type { PriceFigures } from '../../../src/domain/price.ts';
import { DEFAULT_LIMITS, judgeObservations } from '../../../src/ingest/validation/index.ts';
import { judgeDays } from '../../../src/ingest/validation/series.ts';
import { candidate } from '../../support/candidates.ts';
import { Replay, usd } from '../../support/replay.ts';

const FIRST = parseDay('2026-01-01') as Day;

/** For each day the number of sources that are held back; a source's prices are one a day. */
function heldDays(prices: Readonly<Record<string, readonly (number | null)[]>>): number[] {
  const replay = new Replay();
  const days = Math.max(...Object.values(prices).map((own) => own.length));
  return Array.from({ length: days }, (_, day) => {
    const told = Object.entries(prices).flatMap(([source, own]) => {
      const price = own[day];
      const market = price ? usd(price) : null;
      return market ? [{ source, card: 1, printing: 'Foil', prices: { market } }] : [];
    });
    return told.reduce((sum, one) => {
      return sum + replay.day(addDays(FIRST, day), [one]).length;
    }, 0);
  });
}

describe('a jump of a source that stands alone', () => {
  it('gets through on the third day that says about the same', () => {
    assert.deepEqual(heldDays({ tcgcsv: [10, 95, 92, 99, 97] }), [0, 1, 1, 0, 0]);
  });

  it('may go on moving meanwhile', () => {
    assert.deepEqual(heldDays({ tcgcsv: [10, 60, 85, 110, 120] }), [0, 1, 1, 0, 0]);
  });

  it('does not need the days to follow each other', () => {
    assert.deepEqual(
      heldDays({ tcgcsv: [10, 95, null, null, 95, null, 95] }),
      [0, 1, 0, 0, 1, 0, 0],
    );
  });

  it('never gets through when it comes back', () => {
    assert.deepEqual(heldDays({ tcgcsv: [10, 95, 95, 10, 95, 95, 10] }), [0, 1, 1, 0, 1, 1, 0]);
  });

  it('never gets through when it says something else each day', () => {
    assert.deepEqual(heldDays({ tcgcsv: [10, 95, 900, 95, 0.1, 400] }), [0, 1, 1, 1, 1, 1]);
  });

  it('is not counted twice on one day', () => {
    const replay = new Replay();
    const say = (day: Day, dollars: number) => {
      const prices = { market: usd(dollars) };
      return replay.day(day, [{ source: 'tcgcsv', card: 1, printing: 'Foil', prices }]).length;
    };
    const next = addDays(FIRST, 1);
    const held = [say(FIRST, 10), say(next, 95), say(next, 95), say(next, 95), say(next, 95)];
    assert.deepEqual(held, [0, 1, 1, 1, 1]);
  });

  it('gets through at once where the source shows its own days before', () => {
    const jumped = candidate({ was: 10, wasOn: '2026-01-10', is: 95 });
    const days = ['2026-01-26', '2026-01-27'].map((date) => ({
      day: parseDay(date) as Day,
      ...{ market: usd(93), low: null, mid: null, high: null },
    }));
    const withPast = { ...jumped, observation: { ...jumped.observation, earlierDays: days } };
    const now = jumped.observation.observedAt;
    assert.equal(judgeObservations([jumped], DEFAULT_LIMITS, now).size, 1);
    assert.equal(judgeObservations([withPast], DEFAULT_LIMITS, now).size, 0);
  });
});

describe('jumps of many prices at once', () => {
  const held = (jumping: number, of: number) => {
    const replay = new Replay();
    const say = (day: number) => {
      const told = Array.from({ length: of }, (_, card) => {
        const market = usd(day > 0 && card < jumping ? 1000 : 10);
        return { source: 'tcgcsv', card, printing: 'Foil', prices: { market } };
      });
      return replay.day(addDays(FIRST, day), told).length;
    };
    return [0, 1, 2, 3, 4, 5].map(say);
  };

  it('are believed when they are few', () => {
    assert.deepEqual(held(3, 10), [0, 3, 3, 0, 0, 0]);
  });

  it('are a mistake when they are a good part of all, however long it lasts', () => {
    assert.deepEqual(held(6, 10), [0, 6, 6, 6, 6, 6]);
    assert.deepEqual(held(10, 10), [0, 10, 10, 10, 10, 10]);
  });
});

describe('a jump among several sources', () => {
  it('waits as long as the others contradict', () => {
    const held = heldDays({ tcgcsv: [10, 95, 95, 95, 95, 95], scryfall: [10, 10, 10, 10, 10, 10] });
    assert.deepEqual(held, [0, 1, 1, 1, 1, 1]);
  });

  it('gets through as soon as another source follows', () => {
    const held = heldDays({ tcgcsv: [10, 95, 95, 95], scryfall: [10, 10, 94, 95] });
    assert.deepEqual(held, [0, 1, 1, 0], 'tcgcsv is asked before scryfall');
  });

  it('does not keep two sources waiting for each other', () => {
    assert.deepEqual(heldDays({ tcgcsv: [10, 95, 95], scryfall: [10, 94, 95] }), [0, 1, 0]);
  });

  it('stands alone once the others are too old to tell', () => {
    const twoWeeks = Array.from({ length: 14 }, () => null);
    const held = heldDays({ tcgcsv: [10, ...twoWeeks, 95, 95, 95], scryfall: [10] });
    assert.deepEqual(held.slice(-3), [1, 1, 0]);
  });
});

describe('a price that the operator rejected', () => {
  const held = (is: number, isRejected: boolean) => {
    const jumped = candidate({ was: 10, wasOn: '2026-01-10', is });
    const before = candidate({ is: 95, on: '2026-01-27' }).observation;
    const known = { ...before, days: 9, isRejected };
    return (
      judgeObservations([{ ...jumped, held: known }], DEFAULT_LIMITS, jumped.observation.observedAt)
        .size === 1
    );
  };

  it('never gets through by itself', () => {
    assert.deepEqual([held(96, false), held(96, true)], [false, true]);
  });

  it('does not speak for others that are as wrong', () => {
    assert.deepEqual([held(900, true), held(900, false)], [true, true]);
  });
});

describe('the days of a past', () => {
  const judgeObservations = (prices: readonly (number | null)[], before?: number) => {
    const days = prices.map((market, index) => ({
      ...{ day: addDays(FIRST, index), low: null, mid: null, high: null },
      market: market === null ? null : usd(market),
    }));
    const stored =
      before === undefined
        ? undefined
        : candidate({ is: 1, was: before, wasOn: '2025-12-31' }).before;
    const { sound, held, tail } = judgeDays(days, stored, DEFAULT_LIMITS);
    const told = (some: readonly PriceFigures[]) =>
      some.map(({ market }) => market && market / 100);
    return { sound: told(sound), held: told(held), tail: told(tail) };
  };

  it('are sound when they go on from each other', () => {
    assert.deepEqual(judgeObservations([10, 11, 9, null, 14]).sound, [10, 11, 9, null, 14]);
  });

  it('are held back when they stand alone', () => {
    assert.deepEqual(judgeObservations([10, 950, 11, 10]), {
      sound: [10, 11, 10],
      held: [950],
      tail: [],
    });
    assert.deepEqual(judgeObservations([10, 950, 940, 11]), {
      sound: [10, 11],
      held: [950, 940],
      tail: [],
    });
    assert.deepEqual(judgeObservations([950, 940, 11], 10), {
      sound: [11],
      held: [950, 940],
      tail: [],
    });
  });

  it('are sound when three of them say about the same', () => {
    assert.deepEqual(judgeObservations([10, 95, 94, 99, 98]).sound, [10, 95, 94, 99, 98]);
    assert.deepEqual(judgeObservations([10, 95, 300, 310, 305]), {
      sound: [10, 300, 310, 305],
      held: [95],
      tail: [],
    });
  });

  it('wait at the end until there are more of them', () => {
    assert.deepEqual(judgeObservations([10, 95, 94]), { sound: [10], held: [], tail: [95, 94] });
  });

  it('that no price can be are held back', () => {
    assert.deepEqual(judgeObservations([10, 0, 20_000_000, 10]).held, [0, 20_000_000]);
  });
});
