import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Cents } from '../../src/domain/money.ts';
import { isShifted, type PriceMove, tookPriceOf } from '../../src/domain/price-changes.ts';

function move(from: number, to: number): PriceMove {
  return { from: from as Cents, to: to as Cents };
}

describe('A printing took the price of another one', () => {
  it('when both moved past each other, to about where the other one was', () => {
    assert(tookPriceOf(move(1000, 1950), move(2000, 1030)));
    assert(tookPriceOf(move(2000, 1030), move(1000, 1950)));
    assert(!tookPriceOf(move(1000, 1950), move(2000, 2900)));
    assert(!tookPriceOf(move(1000, 1300), move(2000, 1700)));
    assert(!tookPriceOf(move(1000, 1950), move(2000, 1500)), 'only one of them is there');
    assert(!tookPriceOf(move(2000, 1500), move(1000, 1950)));
  });

  it('when it is to the cent at the price of the other one, which moved less', () => {
    assert(tookPriceOf(move(1000, 2000), move(1990, 2000)));
    assert(!tookPriceOf(move(1990, 2000), move(1000, 2000)));
    assert(!tookPriceOf(move(1000, 2000), move(1000, 2000)));
  });

  it('when the prices are a tenth apart, or it copied from 15 % off', () => {
    assert(tookPriceOf(move(1000, 1100), move(1100, 1000)));
    assert(!tookPriceOf(move(1000, 1099), move(1099, 1000)));
    assert(tookPriceOf(move(1000, 1150), move(1140, 1150)));
    assert(!tookPriceOf(move(1000, 1149), move(1140, 1149)));
  });
});

describe('A set is shifted', () => {
  const prices = [120, 500, 900, 1500, 2500, 7000];

  it('when most of its prices moved by one factor', () => {
    assert(isShifted(prices.map((price) => move(price, price * 1.3))));
    assert(isShifted(prices.map((price) => move(price, Math.round(price * 0.92)))));
    assert(isShifted([...prices.map((price) => move(price, price * 1.3)), move(800, 800)]));
  });

  it('not when each price moved by itself, or hardly', () => {
    assert(!isShifted(prices.map((price, index) => move(price, price * (1 + index / 5)))));
    assert(!isShifted(prices.map((price) => move(price, price * 1.02))));
  });

  it('not by a few prices, and not by cents', () => {
    assert(!isShifted(prices.slice(0, 4).map((price) => move(price, price * 1.3))));
    assert(!isShifted(prices.map(() => move(10, 13))));
  });

  it('by five prices of a quarter or more, three of which moved alike by 5 %', () => {
    const five = prices.slice(0, 5);
    const shifted = (factor: number) => five.map((price) => move(price, price * factor));
    assert(isShifted(shifted(1.05)));
    assert(!isShifted(shifted(1.049)));
    assert(isShifted(five.map(() => move(25, 30))));
    assert(!isShifted(five.map(() => move(24, 30))));
    const apart = [move(500, 500), move(500, 2000)];
    assert(isShifted([...shifted(1.3).slice(0, 3), ...apart]));
    assert(!isShifted([...shifted(1.3).slice(0, 2), move(500, 100), ...apart]));
  });

  it('when its prices moved within 3 %, or a quarter of the move, of its median', () => {
    const apart = (factor: number, ...others: readonly number[]) => {
      return isShifted([factor, factor, ...others].map((by) => move(10_000, 10_000 * by)));
    };
    assert(apart(1.06, 1.085, 1.2, 0.9));
    assert(!apart(1.06, 1.1, 1.2, 0.9));
    assert(apart(2, 2.35, 9, 0.5));
    assert(!apart(2, 2.4, 9, 0.5));
  });
});
