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
  it('is accepted on the fourth day if the price keeps moving', () => {
    assert.deepEqual(quarantinedByDay({ tcgcsv: [10, 60, 52, 66, 64, 63] }), [0, 1, 1, 1, 0, 0]);
  });

  it('is accepted as soon as it moves', () => {
    assert.deepEqual(
      quarantinedByDay({ tcgcsv: [10, 60, 60, 60, 60, 60, 76, 76] }),
      [0, 1, 1, 1, 1, 1, 0, 0],
    );
  });

  it('is never accepted while it stands still', () => {
    assert.deepEqual(
      quarantinedByDay({ tcgcsv: [10, 60, 60, 60, 60, 60, 60] }),
      [0, 1, 1, 1, 1, 1, 1],
    );
  });

  it('is accepted although it stands still when it is hardly more than twice as much', () => {
    assert.deepEqual(quarantinedByDay({ tcgcsv: [10, 21, 21, 21, 21] }), [0, 1, 1, 1, 0]);
  });

  it('is never accepted beyond ten times, however long it lasts and moves', () => {
    assert.deepEqual(
      quarantinedByDay({ tcgcsv: [10, 120, 150, 130, 110, 140] }),
      [0, 1, 1, 1, 1, 1],
    );
  });

  it('is accepted even if the days do not follow each other', () => {
    assert.deepEqual(
      quarantinedByDay({ tcgcsv: [10, 40, null, null, 50, null, 45, 44] }),
      [0, 1, 0, 0, 1, 0, 1, 0],
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
    const days = [70, 80, 93].map((dollars, at) => ({
      day: parseDay(`2026-01-${25 + at}`) as Day,
      market: usd(dollars),
      low: null,
      mid: null,
      high: null,
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
        const market = usd(day > 0 && card < jumping ? 40 + 10 * (day % 2) : 10 + day / 10);
        return { source: 'tcgcsv', card, printing: 'Foil', prices: { market } };
      });
      return replay.day(addDays(FIRST, day), reported).length;
    };
    return [0, 1, 2, 3, 4, 5].map(report);
  };

  it('are accepted when they are few', () => {
    assert.deepEqual(quarantined(3, 20), [0, 3, 3, 3, 0, 0]);
  });

  it('stay in quarantine when they are a large share, however long they last', () => {
    assert.deepEqual(quarantined(9, 20), [0, 9, 9, 9, 9, 9]);
    assert.deepEqual(quarantined(20, 20), [0, 20, 20, 20, 20, 20]);
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
    const counts = quarantinedByDay({ tcgcsv: [10, ...twoWeeks, 60, 75, 70, 75], scryfall: [10] });
    assert.deepEqual(counts.slice(-4), [1, 1, 1, 0]);
  });
});

describe('a price that the operator has rejected', () => {
  const isQuarantined = (is: number, isRejected: boolean) => {
    const jumped = resolved({ was: 10, wasOn: '2026-01-10', is });
    const before = resolved({ is: 80, on: '2026-01-27' }).observation;
    const earlierDays = [70, 65, 80].map((dollars, at) => ({
      day: parseDay(`2026-01-${25 + at}`) as Day,
      market: usd(dollars),
      low: null,
      mid: null,
      high: null,
    }));
    const held = {
      ...before,
      rule: 'price-jump',
      detail: '',
      days: 3,
      isRejected,
      earlierDays,
    } as const;
    const context = { limits: DEFAULT_LIMITS, now: jumped.observation.observedAt };
    return judgeBatch([{ ...jumped, quarantined: held }], context).size === 1;
  };

  it('is never accepted without a witness', () => {
    assert.deepEqual([isQuarantined(85, false), isQuarantined(85, true)], [false, true]);
  });

  it('does not confirm other prices that are as wrong', () => {
    assert.deepEqual([isQuarantined(900, true), isQuarantined(900, false)], [true, true]);
  });
});

describe('earlier days', () => {
  const judge = (prices: readonly (number | null)[], before?: number) => {
    const days = prices.map((market, index) => ({
      day: addDays(FIRST, index),
      low: null,
      mid: null,
      high: null,
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

  it('are accepted when four of them are alive at about the same price', () => {
    assert.deepEqual(judge([10, 60, 62, 75, 70]).accepted, [10, 60, 62, 75, 70]);
    assert.deepEqual(judge([10, 25, 60, 62, 75, 70]), {
      accepted: [10, 60, 62, 75, 70],
      rejected: [25],
      undecided: [],
    });
  });

  it('are not accepted when they stand still, or are more than ten times as much', () => {
    assert.deepEqual(judge([10, 60, 60, 60, 60]).undecided, [60, 60, 60, 60]);
    assert.deepEqual(judge([10, 160, 200, 180, 190]).undecided, [160, 200, 180, 190]);
  });

  it('stay undecided at the end until there are more of them', () => {
    assert.deepEqual(judge([10, 95, 94]), { accepted: [10], rejected: [], undecided: [95, 94] });
  });

  it('are rejected when no price can be so low or high', () => {
    assert.deepEqual(judge([10, 0, 20_000_000, 10]).rejected, [0, 20_000_000]);
  });
});
