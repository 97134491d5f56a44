import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decideLevel, judgeRatios } from '../../../src/ingest/validation/feed-survey.ts';

/** Ratios of prices. Half stay and the others move by a few percent, as true ones do. */
const calm = fc.array(fc.oneof(fc.constant(1), fc.double({ min: 0.95, max: 1.05, noNaN: true })), {
  minLength: 100,
  maxLength: 400,
});

function reasonOf(ratios: readonly number[], days = 0): string {
  const level = judgeRatios(ratios, days);
  return typeof level === 'string' ? level : level.reason;
}

function times(count: number, ratio: number): number[] {
  return Array.from({ length: count }, () => ratio);
}

describe('a feed with many comparable prices', () => {
  it('is sound when its prices move a little, and off when all of them are scaled', () => {
    const factor = fc.constantFrom(0.25, 0.5, 0.85, 1.15, 1.3, 4, 100);
    fc.assert(
      fc.property(calm, factor, (ratios, scale) => {
        assert.equal(reasonOf(ratios), 'sound');
        assert.equal(reasonOf(ratios.map((ratio) => ratio * scale)), 'scale');
      }),
    );
  });

  it('is off when euros pass for dollars, also nine days after the prices that it is compared with', () => {
    assert.equal(reasonOf(times(100, 0.92)), 'scale');
    assert.equal(reasonOf(times(100, 0.92), 9), 'scale');
    assert.equal(reasonOf(times(100, 0.96)), 'sound');
  });

  it('may have half of its prices elsewhere if it has a hundred, but not with fewer', () => {
    const half = (count: number) => times(count - 40, 1.3).concat(times(40, 4));
    assert.equal(reasonOf(half(100)), 'scale');
    assert.equal(reasonOf(half(99)), 'unknown');
  });

  it('is judged alike in any order of its prices, upwards and downwards', () => {
    const ratios = fc.array(fc.double({ min: 0.01, max: 100, noNaN: true }), { maxLength: 300 });
    fc.assert(
      fc.property(ratios, fc.nat(400), (some, days) => {
        const odd = some.length % 2 === 0 ? [...some, 1] : some;
        const inverse = odd.toReversed().map((ratio) => 1 / ratio);
        assert.equal(reasonOf(odd, days), reasonOf(inverse, days));
      }),
    );
  });

  it('has the prices of other cards when half of them are far off, in either direction', () => {
    const apart = [...times(60, 0.3), ...times(40, 1), ...times(60, 3.3)];
    assert.equal(reasonOf(apart), 'other cards');
    assert.equal(reasonOf([...times(20, 0.3), ...times(60, 1), ...times(20, 3.3)]), 'sound');
  });

  it('may have moved further since prices that are older', () => {
    assert.equal(reasonOf(times(100, 0.83), 0), 'scale');
    assert.equal(reasonOf(times(100, 0.83), 120), 'sound');
    assert.equal(reasonOf(times(100, 4), 120), 'scale');
  });
});

describe('a feed with few comparable prices', () => {
  it('is off when nearly all agree that it is', () => {
    assert.equal(reasonOf(times(20, 0.92)), 'scale');
    assert.equal(reasonOf([...times(15, 4), ...times(5, 1)]), 'unknown');
    assert.equal(reasonOf(times(20, 1)), 'sound');
  });

  it('is not judged by less than twenty', () => {
    assert.equal(reasonOf(times(19, 4)), 'unknown');
    assert.equal(reasonOf([]), 'unknown');
  });
});

describe('of what a feed is compared with', () => {
  const off = { level: judgeRatios(times(100, 4), 0), compared: 100 };
  const sound = { level: 'sound', compared: 100 } as const;
  const unknown = { level: 'unknown', compared: 5 } as const;

  it('what finds it sound counts, unless it is much less', () => {
    assert.equal(decideLevel([off, sound]), sound);
    assert.equal(decideLevel([sound, off]), sound);
    const half = { ...sound, compared: 50 };
    assert.equal(decideLevel([off, half]), half);
    assert.equal(decideLevel([off, { ...sound, compared: 49 }]), off);
  });

  it('too small a move does not count', () => {
    assert.equal(decideLevel([unknown, off]), off);
    assert.equal(decideLevel([unknown, unknown]), undefined);
  });
});
