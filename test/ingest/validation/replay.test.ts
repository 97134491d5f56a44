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
      const marketplace = source === 'pricecharting' ? 'ebay' : 'tcgplayer';
      const one = { source, marketplace, card: 1, printing: 'Foil' };
      return market ? [{ ...one, prices: { market } }] : [];
    });
    return reported.reduce((sum, one) => {
      return sum + replay.day(addDays(FIRST, day), [one]).length;
    }, 0);
  });
}

describe('a jump of the only source of a price', () => {
  /** Returns that many days on which a price waits. */
  const waiting = (days: number) => Array.from({ length: days }, () => 1);

  it('is accepted after eleven days, or three weeks, if nothing else speaks for it', () => {
    const twice = Array.from({ length: 12 }, () => 21);
    assert.deepEqual(quarantinedByDay({ tcgcsv: [10, ...twice] }), [0, ...waiting(10), 0, 0]);
    const still = Array.from({ length: 22 }, () => 60);
    assert.deepEqual(quarantinedByDay({ tcgcsv: [10, ...still] }), [0, ...waiting(20), 0, 0]);
    const noisy = still.map((price, day) => price * (day % 2 === 0 ? 1 : 1.3));
    assert.deepEqual(quarantinedByDay({ tcgcsv: [10, ...noisy] }), [0, ...waiting(20), 0, 0]);
  });

  it('is never accepted beyond ten times, however long it lasts and moves', () => {
    assert.deepEqual(
      quarantinedByDay({ tcgcsv: [10, 120, 150, 130, 110, 140] }),
      [0, 1, 1, 1, 1, 1],
    );
  });

  it('is accepted even if the days do not follow each other', () => {
    const gaps = Array.from({ length: 11 }, () => [null, 25]).flat();
    const counts = quarantinedByDay({ tcgcsv: [10, ...gaps] });
    assert.deepEqual(
      counts.filter((_, day) => day % 2 === 0),
      [0, ...waiting(10), 0],
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

  it('is accepted at once when the source brings its own earlier days of it', () => {
    const jumped = resolved({ was: 10, wasOn: '2026-01-10', is: 25 });
    const days = Array.from({ length: 10 }, (_, at) => 20 + at / 2).map((dollars, at) => ({
      day: parseDay(`2026-01-${18 + at}`) as Day,
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
        const market = usd(day > 0 && card < jumping ? 24 + 4 * (day % 2) : 10.03 + day / 10);
        return { source: 'tcgcsv', card, printing: 'Foil', prices: { market } };
      });
      return replay.day(addDays(FIRST, day), reported).length;
    };
    return Array.from({ length: 13 }, (_, day) => report(day));
  };

  it('are accepted when they are few', () => {
    const waiting = Array.from({ length: 10 }, () => 3);
    assert.deepEqual(quarantined(3, 20), [0, ...waiting, 0, 0]);
    assert.deepEqual(quarantined(5, 40).slice(-3), [5, 0, 0], 'of many');
  });

  it('stay in quarantine when they are a large share, however long they last', () => {
    for (const jumping of [9, 20]) {
      const waiting = Array.from({ length: 12 }, () => jumping);
      assert.deepEqual(quarantined(jumping, 20), [0, ...waiting]);
    }
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

  it('is accepted as soon as a source of another marketplace follows', () => {
    const counts = quarantinedByDay({ tcgcsv: [10, 95, 95, 95], pricecharting: [10, 10, 94, 95] });
    assert.deepEqual(counts, [0, 1, 1, 0], 'tcgcsv reports before pricecharting');
  });

  it('does not keep two marketplaces waiting for each other', () => {
    const counts = quarantinedByDay({ tcgcsv: [10, 95, 95], pricecharting: [10, 94, 95] });
    assert.deepEqual(counts, [0, 1, 0]);
  });

  it('is not confirmed by another source of the marketplace, which repeats its mistakes', () => {
    const counts = quarantinedByDay({ tcgcsv: [10, 95, 95, 95], scryfall: [10, 95, 95, 95] });
    assert.deepEqual(counts, [0, 2, 2, 2]);
  });

  it('counts as the only one once the prices of the others are too old', () => {
    const twoWeeks = Array.from({ length: 14 }, () => null);
    const later = Array.from({ length: 12 }, () => 25);
    const counts = quarantinedByDay({ tcgcsv: [10, ...twoWeeks, ...later], scryfall: [10] });
    assert.deepEqual(counts.slice(-3), [1, 0, 0]);
  });
});

describe('a price that the operator has rejected', () => {
  const isQuarantined = (is: number, isRejected: boolean) => {
    const jumped = resolved({ was: 35, wasOn: '2026-01-10', is });
    const before = resolved({ is: 80, on: '2026-01-27' }).observation;
    const earlierDays = Array.from({ length: 10 }, (_, at) => 70 + at).map((dollars, at) => ({
      day: parseDay(`2026-01-${18 + at}`) as Day,
      market: usd(dollars),
      low: null,
      mid: null,
      high: null,
    }));
    const held = {
      ...before,
      rule: 'price-jump',
      detail: '',
      days: 10,
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

  it('are accepted when eleven of them are at about the same price', () => {
    const level = Array.from({ length: 11 }, (_, day) => 25 + day / 5);
    assert.deepEqual(judge([10, ...level]).accepted, [10, ...level]);
    assert.deepEqual(judge([10, ...level.slice(1)]).undecided, level.slice(1));
    assert.deepEqual(judge([10, 60, ...level]), {
      accepted: [10, ...level],
      rejected: [60],
      undecided: [],
    });
  });

  it('are not accepted when they are more than ten times as much', () => {
    const level = Array.from({ length: 20 }, (_, day) => 160 + day);
    assert.deepEqual(judge([10, ...level]).undecided, level);
  });

  it('are compared with their level of the week, which they may leave in small steps', () => {
    const climb = [10, 14, 19, 27, 38];
    assert.deepEqual(judge([10, 10, ...climb]).undecided, [27, 38]);
  });

  it('are compared with their level of the month, and with none that is older', () => {
    const after = (days: number) => {
      return judge([10, 14, 19, ...Array.from({ length: days - 1 }, () => null), 35]).undecided;
    };
    assert.deepEqual(after(30), [35]);
    assert.deepEqual(after(31), []);
  });

  it('stay undecided at the end until there are more of them', () => {
    assert.deepEqual(judge([10, 95, 94]), { accepted: [10], rejected: [], undecided: [95, 94] });
  });

  it('are rejected when no price can be so low or high', () => {
    assert.deepEqual(judge([10, 0, 20_000_000, 10]).rejected, [0, 20_000_000]);
  });
});
