import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addDays, type Day, parseDay } from '../../../src/domain/day.ts';
import type { PriceFigures } from '../../../src/domain/price.ts';
import { judgeEarlierDays } from '../../../src/ingest/validation/earlier-days.ts';
import { DEFAULT_LIMITS } from '../../../src/ingest/validation/index.ts';
import { judgeBatch } from '../../../src/ingest/validation/judge.ts';
import { Replay, usd } from '../../support/replay.ts';
import { resolved } from '../../support/resolved.ts';

const FIRST = parseDay('2026-01-01') as Day;

/** Returns how many prices of each day go into quarantine; a source has one price a day. */
function quarantinedByDay(prices: Readonly<Record<string, readonly (number | null)[]>>): number[] {
  const replay = new Replay();
  const days = Math.max(...Object.values(prices).map((own) => own.length));
  return Array.from({ length: days }, (_, day) => {
    const reported = Object.entries(prices).flatMap(([source, own]) => {
      const price = own[day];
      const market = price ? usd(price) : null;
      return market ? [{ source, card: 1, printing: 'Foil', prices: { market } }] : [];
    });
    return reported.reduce((sum, one) => {
      return sum + replay.day(addDays(FIRST, day), [one]).length;
    }, 0);
  });
}

describe('a jump of the only source of a price', () => {
  it('is accepted on the third day with about the same price', () => {
    assert.deepEqual(quarantinedByDay({ tcgcsv: [10, 95, 92, 99, 97] }), [0, 1, 1, 0, 0]);
  });

  it('may move on meanwhile', () => {
    assert.deepEqual(quarantinedByDay({ tcgcsv: [10, 60, 85, 110, 120] }), [0, 1, 1, 0, 0]);
  });

  it('is accepted even if the days do not follow each other', () => {
    assert.deepEqual(
      quarantinedByDay({ tcgcsv: [10, 95, null, null, 95, null, 95] }),
      [0, 1, 0, 0, 1, 0, 0],
    );
  });

  it('is never accepted when the old price comes back', () => {
    assert.deepEqual(
      quarantinedByDay({ tcgcsv: [10, 95, 95, 10, 95, 95, 10] }),
      [0, 1, 1, 0, 1, 1, 0],
    );
  });

  it('is never accepted when the price differs every day', () => {
    assert.deepEqual(quarantinedByDay({ tcgcsv: [10, 95, 900, 95, 0.1, 400] }), [0, 1, 1, 1, 1, 1]);
  });

  it('counts once a day', () => {
    const replay = new Replay();
    const report = (day: Day, dollars: number) => {
      const prices = { market: usd(dollars) };
      return replay.day(day, [{ source: 'tcgcsv', card: 1, printing: 'Foil', prices }]).length;
    };
    const next = addDays(FIRST, 1);
    const counts = [[FIRST, 10] as const, ...Array.from({ length: 4 }, () => [next, 95] as const)];
    assert.deepEqual(
      counts.map(([day, dollars]) => report(day, dollars)),
      [0, 1, 1, 1, 1],
    );
  });

  it('is accepted at once when the source brings its own earlier days', () => {
    const jumped = resolved({ was: 10, wasOn: '2026-01-10', is: 95 });
    const days = ['2026-01-26', '2026-01-27'].map((date) => ({
      day: parseDay(date) as Day,
      ...{ market: usd(93), low: null, mid: null, high: null },
    }));
    const withDays = { ...jumped, observation: { ...jumped.observation, earlierDays: days } };
    const context = { limits: DEFAULT_LIMITS, now: jumped.observation.observedAt };
    assert.equal(judgeBatch([jumped], context).size, 1);
    assert.equal(judgeBatch([withDays], context).size, 0);
  });
});

describe('jumps of many prices at once', () => {
  const quarantined = (jumping: number, of: number) => {
    const replay = new Replay();
    const report = (day: number) => {
      const reported = Array.from({ length: of }, (_, card) => {
        const market = usd(day > 0 && card < jumping ? 1000 : 10);
        return { source: 'tcgcsv', card, printing: 'Foil', prices: { market } };
      });
      return replay.day(addDays(FIRST, day), reported).length;
    };
    return [0, 1, 2, 3, 4, 5].map(report);
  };

  it('are accepted when they are few', () => {
    assert.deepEqual(quarantined(3, 10), [0, 3, 3, 0, 0, 0]);
  });

  it('stay in quarantine when they are a large share, however long they last', () => {
    assert.deepEqual(quarantined(6, 10), [0, 6, 6, 6, 6, 6]);
    assert.deepEqual(quarantined(10, 10), [0, 10, 10, 10, 10, 10]);
  });
});

describe('a jump among several sources', () => {
  it('waits as long as the other sources contradict it', () => {
    const counts = quarantinedByDay({
      tcgcsv: [10, 95, 95, 95, 95, 95],
      scryfall: [10, 10, 10, 10, 10, 10],
    });
    assert.deepEqual(counts, [0, 1, 1, 1, 1, 1]);
  });

  it('is accepted as soon as another source follows', () => {
    const counts = quarantinedByDay({ tcgcsv: [10, 95, 95, 95], scryfall: [10, 10, 94, 95] });
    assert.deepEqual(counts, [0, 1, 1, 0], 'tcgcsv reports before scryfall');
  });

  it('does not keep two sources waiting for each other', () => {
    assert.deepEqual(quarantinedByDay({ tcgcsv: [10, 95, 95], scryfall: [10, 94, 95] }), [0, 1, 0]);
  });

  it('counts as the only one once the prices of the others are too old', () => {
    const twoWeeks = Array.from({ length: 14 }, () => null);
    const counts = quarantinedByDay({ tcgcsv: [10, ...twoWeeks, 95, 95, 95], scryfall: [10] });
    assert.deepEqual(counts.slice(-3), [1, 1, 0]);
  });
});

describe('a price that the operator has rejected', () => {
  const isQuarantined = (is: number, isRejected: boolean) => {
    const jumped = resolved({ was: 10, wasOn: '2026-01-10', is });
    const before = resolved({ is: 95, on: '2026-01-27' }).observation;
    const held = { ...before, days: 9, isRejected };
    const context = { limits: DEFAULT_LIMITS, now: jumped.observation.observedAt };
    return judgeBatch([{ ...jumped, quarantined: held }], context).size === 1;
  };

  it('is never accepted by itself', () => {
    assert.deepEqual([isQuarantined(96, false), isQuarantined(96, true)], [false, true]);
  });

  it('does not confirm other prices that are as wrong', () => {
    assert.deepEqual([isQuarantined(900, true), isQuarantined(900, false)], [true, true]);
  });
});

describe('earlier days', () => {
  const judge = (prices: readonly (number | null)[], before?: number) => {
    const days = prices.map((market, index) => ({
      ...{ day: addDays(FIRST, index), low: null, mid: null, high: null },
      market: market === null ? null : usd(market),
    }));
    const stored =
      before === undefined
        ? undefined
        : resolved({ is: 1, was: before, wasOn: '2025-12-31' }).before;
    const judged = judgeEarlierDays(days, stored, DEFAULT_LIMITS);
    const dollars = (some: readonly PriceFigures[]) => {
      return some.map(({ market }) => market && market / 100);
    };
    return {
      accepted: dollars(judged.accepted),
      rejected: dollars(judged.rejected),
      undecided: dollars(judged.undecided),
    };
  };

  it('are accepted when they continue each other', () => {
    assert.deepEqual(judge([10, 11, 9, null, 14]).accepted, [10, 11, 9, null, 14]);
  });

  it('are rejected when they stand alone', () => {
    assert.deepEqual(judge([10, 950, 11, 10]), {
      accepted: [10, 11, 10],
      rejected: [950],
      undecided: [],
    });
    assert.deepEqual(judge([10, 950, 940, 11]), {
      accepted: [10, 11],
      rejected: [950, 940],
      undecided: [],
    });
    assert.deepEqual(judge([950, 940, 11], 10), {
      accepted: [11],
      rejected: [950, 940],
      undecided: [],
    });
  });

  it('are accepted when three of them are about the same', () => {
    assert.deepEqual(judge([10, 95, 94, 99, 98]).accepted, [10, 95, 94, 99, 98]);
    assert.deepEqual(judge([10, 95, 300, 310, 305]), {
      accepted: [10, 300, 310, 305],
      rejected: [95],
      undecided: [],
    });
  });

  it('stay undecided at the end until there are more of them', () => {
    assert.deepEqual(judge([10, 95, 94]), { accepted: [10], rejected: [], undecided: [95, 94] });
  });

  it('are rejected when no price can be so low or high', () => {
    assert.deepEqual(judge([10, 0, 20_000_000, 10]).rejected, [0, 20_000_000]);
  });
});
