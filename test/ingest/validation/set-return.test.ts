import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addDays, type Day, parseDay } from '../../../src/domain/day.ts';
import type { Cents } from '../../../src/domain/money.ts';
import type { PriceFigures } from '../../../src/domain/price.ts';
import { Replay } from '../../support/replay.ts';

const FIRST = parseDay('2026-01-01') as Day;
const CARDS = 40;

/** What a card costs on a day: a third of the cards falls by 1 % a day, and a third rises. */
function figuresOn(day: number, card: number): PriceFigures {
  const dollars = (10 + card) * (1 + 0.01 * ((card % 3) - 1)) ** day;
  const cents = (share: number) => Math.round(dollars * share * 100) as Cents;
  return { market: cents(1), low: cents(0.7), mid: cents(1.1), high: cents(3) };
}

/** Reports a set for some days. All but the first and the last are wrong. */
function heldByDay(mistake: (figures: PriceFigures) => PriceFigures, days: number): number[] {
  const replay = new Replay();
  return Array.from({ length: days + 2 }, (_, day) => {
    const isWrong = day > 0 && day <= days;
    const reported = Array.from({ length: CARDS }, (_, card) => {
      const figures = figuresOn(day, card);
      const prices = isWrong ? mistake(figures) : figures;
      return { source: 'tcgcsv', card, printing: 'Foil', prices };
    });
    return replay.day(addDays(FIRST, day), reported).length;
  });
}

const times = (cents: Cents | null, factor: number) => {
  return cents === null ? null : (Math.round(cents * factor) as Cents);
};

/** The number of prices quarantined on each day of a mistake that is fixed in the end. */
function allBut(days: number): number[] {
  return [0, ...Array.from({ length: days }, () => CARDS), 0];
}

describe('a set that was off as a whole', () => {
  it('is served again on the day on which its market prices are right again', () => {
    const mistake = (figures: PriceFigures) => ({
      ...figures,
      market: times(figures.market, 2.5),
    });
    assert.deepEqual(heldByDay(mistake, 10), allBut(10));
  });

  it('is served again when all of its figures are', () => {
    const mistake = ({ market, low, mid, high }: PriceFigures) => ({
      market: times(market, 1.15),
      low: times(low, 1.15),
      mid: times(mid, 1.15),
      high: times(high, 1.15),
    });
    assert.deepEqual(heldByDay(mistake, 10), allBut(10));
  });
});
