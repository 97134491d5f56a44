import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readPercent, shareOf } from '../../../web/src/lists/amounts.ts';

describe('A share of an amount', () => {
  it('is rounded half up to a cent', () => {
    for (const [cents, percent, share] of [
      [100, 60, 60],
      [1, 50, 1],
      [1, 49.99, 0],
      [333, 50, 167],
      [1005, 10, 101],
      [115, 70, 81],
      [1, 0, 0],
      [12_345, 100, 12_345],
      [200, 33.33, 67],
    ] as const) {
      assert.equal(shareOf(cents, percent, 'USD'), share, `${percent}% of ${cents}`);
    }
  });

  it('is rounded to a whole yen, which is what people pay', () => {
    assert.equal(shareOf(101_00, 50, 'JPY'), 51_00);
    assert.equal(shareOf(101_00, 49, 'JPY'), 49_00);
  });

  it('differs from the exact share by at most half a cent, and never exceeds the amount', () => {
    const cents = fc.nat(1_000_000_000);
    const hundredths = fc.nat(100_00);
    fc.assert(
      fc.property(cents, hundredths, (amount, part) => {
        const share = shareOf(amount, part / 100, 'USD');
        const twice = 2n * (BigInt(share) * 10_000n - BigInt(amount) * BigInt(part));
        assert.ok(-10_000n < twice && twice <= 10_000n);
        assert.ok(share <= amount);
      }),
    );
  });
});

describe('A percentage', () => {
  it('is read from a number with a point or a comma', () => {
    for (const [text, percent] of [
      ['60', 60],
      [' 62.5 ', 62.5],
      ['62,25', 62.25],
      ['5%', 5],
      ['70 %', 70],
      ['0', 0],
      ['120', 120],
    ] as const) {
      assert.equal(readPercent(text), percent, text);
    }
  });

  it('is nothing else', () => {
    for (const text of ['', ' ', '-5', '1000', '62.555', '6e1', 'half', '.5', '60 percent']) {
      assert.equal(readPercent(text), undefined, text);
    }
  });
});
