import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Conversion, conversionOn, convert } from '../../src/domain/conversion.ts';
import { CURRENCIES, CURRENCY_CODES, type Currency } from '../../src/domain/currencies.ts';
import { type Day, formatDay, parseDay } from '../../src/domain/day.ts';
import { type Cents, MAX_CENTS } from '../../src/domain/money.ts';
import { combineRates, type Rate, rateOn, servedRates } from '../../src/domain/rates.ts';

const day = (text: string) => parseDay(text) ?? assert.fail(text);
const FRIDAY = day('2026-01-23');

function rate(on: Day, dollarsPerUnit: number, more: Partial<Rate> = {}): Rate {
  return { currency: 'EUR', day: on, dollarsPerUnit, source: 'ecb', ...more };
}

/** Plausible worths of a unit in dollars. */
const WORTH = { USD: [1, 1], EUR: [0.8, 1.6], GBP: [1, 2], JPY: [0.005, 0.014] } as const;

const currencies = fc.constantFrom(...CURRENCY_CODES);
const amounts = fc.integer({ min: 1, max: MAX_CENTS });

const conversions = fc
  .record({ from: currencies, to: currencies, at: fc.double({ min: 0, max: 1, noNaN: true }) })
  .map(({ from, to, at }) => {
    const rates = CURRENCY_CODES.map((currency) => {
      const [low, high] = WORTH[currency];
      return rate(FRIDAY, low + at * (high - low), { currency });
    });
    const there = conversionOn(rates, from, to, FRIDAY);
    const back = conversionOn(rates, to, from, FRIDAY);
    return { there: there ?? assert.fail(), back: back ?? assert.fail() };
  });

/** An amount that people can pay in a currency. */
function payable(amount: number, currency: Currency): Cents {
  const smallest = smallestOf(currency);
  return (Math.ceil(amount / smallest) * smallest) as Cents;
}

function smallestOf(currency: Currency): number {
  return CURRENCIES[currency].decimals === 0 ? 100 : 1;
}

describe('the conversion of an amount', () => {
  it('leads back to the amount, within the smallest amounts of both currencies', () => {
    fc.assert(
      fc.property(conversions, amounts, ({ there, back }, sent) => {
        const amount = payable(sent, there.from);
        const returned = convert(convert(amount, there), back);
        const rounding = smallestOf(there.to) * back.rate + smallestOf(there.from);
        assert.ok(Math.abs(returned - amount) <= rounding + amount * 2e-7, `${returned}`);
      }),
    );
  });

  it('is never 0, and a payable amount of the currency', () => {
    fc.assert(
      fc.property(conversions, amounts, ({ there }, amount) => {
        const converted = convert(amount as Cents, there);
        assert.ok(converted > 0);
        assert.equal(converted % smallestOf(there.to), 0);
      }),
    );
  });

  it('keeps the order of amounts', () => {
    fc.assert(
      fc.property(conversions, amounts, amounts, ({ there }, one, other) => {
        const [low, high] = [Math.min(one, other) as Cents, Math.max(one, other) as Cents];
        assert.ok(convert(low, there) <= convert(high, there));
      }),
    );
  });

  it('multiplies by the rate that callers see', () => {
    const rates = [rate(FRIDAY, 1.08), rate(FRIDAY, 1.08 / 168, { currency: 'JPY' })];
    const shown = (to: Currency) => {
      const found: Conversion | undefined = conversionOn(rates, 'USD', to, FRIDAY);
      return [found?.rate, found && convert(10_000 as Cents, found)];
    };
    assert.deepEqual(shown('EUR'), [0.92592593, 9259]);
    assert.deepEqual(shown('JPY'), [155.55556, 1_555_600]);
    assert.deepEqual(shown('USD'), [1, 10_000]);
  });
});

describe('the rate of a day', () => {
  it('is that of the day, otherwise the last one before it, for a week', () => {
    const rates = [rate(FRIDAY, 1.08), rate(day('2026-01-26'), 1.09)];
    const on = (text: string) => rateOn(rates, 'EUR', day(text))?.dollarsPerUnit;
    assert.equal(on('2026-01-22'), undefined);
    assert.equal(on('2026-01-23'), 1.08);
    assert.equal(on('2026-01-25'), 1.08, 'Sunday has the rate of Friday');
    assert.equal(on('2026-01-26'), 1.09);
    assert.equal(on('2026-02-02'), 1.09);
    assert.equal(on('2026-02-03'), undefined, 'after eight days');
  });

  it('of the operator counts until the next one, and replaces published ones', () => {
    const own: Rate[] = [{ currency: 'EUR', day: FRIDAY, dollarsPerUnit: 1.5 }];
    const published = [rate(day('2026-01-28'), 1.09), rate(FRIDAY, 1.25, { currency: 'GBP' })];
    const rates = combineRates(own, published);
    assert.equal(rateOn(rates, 'EUR', day('2026-06-01'))?.dollarsPerUnit, 1.5);
    assert.equal(rateOn(rates, 'GBP', FRIDAY)?.dollarsPerUnit, 1.25);
    assert.equal(rateOn(rates, 'JPY', FRIDAY), undefined);
    assert.equal(rateOn(rates, 'USD', FRIDAY), null);
  });

  it('is kept in memory for ten years, back from the newest', () => {
    const rates = ['2015-12-31', '2016-02-01', '2026-01-23'].map((text) => rate(day(text), 1));
    assert.deepEqual(
      servedRates(rates).map((one) => formatDay(one.day)),
      ['2016-02-01', '2026-01-23'],
    );
    assert.deepEqual(servedRates([]), []);
  });

  it('is found like by looking at all rates', () => {
    const days = fc.integer({ min: 20_000, max: 20_060 }).map((number) => number as Day);
    const tables = fc.uniqueArray(fc.record({ day: days, at: fc.integer({ min: 1, max: 9 }) }), {
      selector: (entry) => entry.day,
    });
    fc.assert(
      fc.property(tables, days, (table, asked) => {
        const rates = table.map((entry) => rate(entry.day, entry.at));
        const newest = rates
          .filter((one) => one.day <= asked && asked - one.day <= 7)
          .sort((a, b) => b.day - a.day)[0];
        assert.equal(rateOn(rates, 'EUR', asked), newest);
      }),
    );
  });
});
