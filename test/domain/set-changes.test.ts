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
});
