import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { type Day, parseDay } from '../../src/domain/day.ts';
import type { Cents } from '../../src/domain/money.ts';
import { NO_PRICES } from '../../src/domain/price.ts';
import { downsampleToWeeks, mergeDays, sortDays, splitDays } from '../../src/history/days.ts';
import {
  RECENT_KEPT,
  recentLimit,
  SPAN_DAYS,
  sealedId,
  sealedSpan,
} from '../../src/history/spans.ts';
import { blockDay, history } from './arbitraries.ts';

describe('merging days', () => {
  it('lets incoming prices win, and returns what was added and replaced', () => {
    fc.assert(
      fc.property(history, history, (stored, incoming) => {
        const { days, added, replaced, attributed } = mergeDays(stored, incoming, () => true);
        const expected = new Map([...stored, ...incoming].map((prices) => [prices.day, prices]));
        assert.deepEqual(days, sortDays([...expected.values()]));
        assert.equal(added.length, days.length - stored.length);
        for (const one of added) assert.equal(expected.get(one.day), one);
        for (const before of replaced) {
          assert.ok(stored.includes(before));
          assert.notDeepEqual(expected.get(before.day), before);
        }
        const changed = stored.filter((one) => !isDeepStrictEqual(expected.get(one.day), one));
        assert.equal(replaced.length + attributed.length, changed.length);
      }),
    );
  });

  it('changes nothing when the days are stored already', () => {
    fc.assert(
      fc.property(history, (days) => {
        const merged = mergeDays(days, days, (stored, incoming) => stored !== incoming);
        assert.deepEqual(merged, { days, added: [], replaced: [], attributed: [] });
      }),
    );
  });

  it('keeps a day with the same prices, unless it takes the incoming provenance', () => {
    const stored = { day: 1 as Day, ...NO_PRICES, market: 100 as Cents, provenance: 1 };
    const incoming = { ...stored, provenance: 2 };
    const merge = (takes: boolean) => mergeDays([stored], [incoming], () => takes);
    const same = { added: [], replaced: [] };
    assert.deepEqual(merge(false), { days: [stored], ...same, attributed: [] });
    assert.deepEqual(merge(true), { days: [incoming], ...same, attributed: [stored] });
    const dearer = { ...incoming, market: 200 as Cents };
    assert.deepEqual(mergeDays([stored], [dearer], () => false).replaced, [stored]);
  });

  it('sorts days, and keeps the last entry of the same day', () => {
    fc.assert(
      fc.property(fc.array(blockDay), (days) => {
        const expected = new Map(days.map((prices) => [prices.day, prices]));
        const sorted = sortDays(days);
        assert.equal(sorted.length, expected.size);
        sorted.forEach((prices, index) => {
          assert.equal(expected.get(prices.day), prices);
          assert.ok(index === 0 || prices.day > (sorted[index - 1]?.day ?? 0));
        });
      }),
    );
  });

  it('splits days at any day', () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 19_990, max: 20_160 }), (days, at) => {
        const [before, from] = splitDays(days, at as Day);
        assert.deepEqual([...before, ...from], days);
        assert.ok(before.every(({ day }) => day < at) && from.every(({ day }) => day >= at));
      }),
    );
  });
});

describe('downsampling days', () => {
  const downsample = (days: readonly string[], dailyFrom: string): string[] => {
    const all = days.map((text) => ({ text, day: dayOf(text), ...NO_PRICES, provenance: 1 }));
    const kept = new Set(downsampleToWeeks(all, dayOf(dailyFrom)));
    return all.filter((prices) => kept.has(prices)).map(({ text }) => text);
  };

  it('keeps the last day of each week, Monday to Sunday', () => {
    const days = ['2026-01-05', '2026-01-10', '2026-01-11', '2026-01-12', '2026-01-20'];
    assert.deepEqual(downsample(days, '2026-02-01'), ['2026-01-11', '2026-01-12', '2026-01-20']);
  });

  it('keeps all days from the given one on', () => {
    const days = ['2026-01-05', '2026-01-06', '2026-01-08', '2026-01-09'];
    assert.deepEqual(downsample(days, '2026-01-08'), ['2026-01-08', '2026-01-09']);
    assert.deepEqual(downsample(days, '2026-01-05'), days);
  });

  function dayOf(text: string): Day {
    return parseDay(text) ?? assert.fail(text);
  }
});

describe('spans', () => {
  it('give every span of every printing its own id, in order', () => {
    const printing = fc.nat({ max: 2 ** 31 - 1 });
    const day = fc.nat({ max: 65_535 }) as fc.Arbitrary<Day>;
    fc.assert(
      fc.property(printing, day, (number, of) => {
        const id = sealedId(number, of);
        const span = sealedSpan(id);
        assert.ok(Number.isSafeInteger(id));
        assert.equal(span.printing, number);
        assert.ok(span.firstDay <= of && of < span.firstDay + SPAN_DAYS);
        assert.ok(sealedId(number, (of + SPAN_DAYS) as Day) > id);
      }),
    );
  });

  it('let neighbouring printings seal their days on different days', () => {
    const limits = Array.from({ length: RECENT_KEPT }, (_, printing) => recentLimit(printing));
    assert.equal(new Set(limits).size, RECENT_KEPT);
    assert.ok(Math.min(...limits) > RECENT_KEPT && Math.max(...limits) < SPAN_DAYS);
  });
});
