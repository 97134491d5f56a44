import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Cents } from '../../src/domain/money.ts';
import type { SourceObservation } from '../../src/domain/observation.ts';
import { NO_PRICES } from '../../src/domain/price.ts';
import { reportedBuylists, servedTrade } from '../../src/domain/served-trade.ts';

const NOW = Date.parse('2026-01-28T12:00:00Z');
const DAY = 86_400_000;
const EUROS = [
  { currency: 'EUR', day: Math.floor(NOW / DAY) as never, dollarsPerUnit: 1.2 } as const,
];

function report(marketplace: string, more: Partial<SourceObservation>): SourceObservation {
  const basis = { source: 'quotes', currency: 'USD', observedAt: NOW } as const;
  return { ...basis, marketplace, prices: NO_PRICES, conditions: {}, graded: {}, ...more };
}

function pays(marketplace: string, cents: number, more: Partial<SourceObservation> = {}) {
  return report(marketplace, { trade: { buylist: cents as Cents }, ...more });
}

const sells = (cents: number) => ({ prices: { ...NO_PRICES, low: cents as Cents } });
const context = { market: 1000 as Cents, rates: EUROS };

/** Each reported buy price with the reason why it is not served. */
function judged(...observations: SourceObservation[]): string[] {
  return reportedBuylists(observations, context).map(({ marketplace, amount, doubt }) => {
    return `${marketplace} ${amount} ${doubt ?? 'served'}`;
  });
}

describe('the served buy price', () => {
  it('is the highest, compared in dollars and served in its own currency', () => {
    const euro = pays('shop-eu', 600, { currency: 'EUR' });
    assert.deepEqual(judged(pays('a', 500), euro, pays('b', 700)), [
      'shop-eu 600 served',
      'b 700 lower',
      'a 500 lower',
    ]);
    assert.deepEqual(servedTrade([euro], context)?.buylist, {
      amount: 600,
      currency: 'EUR',
      marketplace: 'shop-eu',
      at: NOW,
    });
  });

  it('is not above what the dealer itself sells for', () => {
    assert.deepEqual(judged(pays('a', 500, sells(500)), pays('b', 501, sells(500))), [
      'a 500 served',
      'b 501 above-retail',
    ]);
  });

  it('is not far above the market price if the dealer has none for sale', () => {
    assert.deepEqual(judged(pays('a', 1500), pays('b', 1501)), [
      'a 1500 served',
      'b 1501 above-retail',
    ]);
    const unknown = { ...context, market: null };
    assert.equal(reportedBuylists([pays('b', 1501)], unknown)[0]?.doubt, null);
  });

  it('is neither old nor without an exchange rate', () => {
    const old = pays('a', 500, { observedAt: NOW - 8 * DAY });
    const pounds = pays('b', 500, { currency: 'GBP' });
    assert.deepEqual(judged(old, pounds, report('tcgplayer', sells(1000))), [
      'a 500 old',
      'b 500 no-rate',
    ]);
    assert.equal(servedTrade([old, report('tcgplayer', sells(1000))], context), undefined);
  });
});

describe('the served sales', () => {
  it('are those of the newest report, over the most days', () => {
    const sold = (count: number, days: number, observedAt = NOW) => {
      return report('ebay', { observedAt, trade: { sales: { count, days, last: null } } });
    };
    const served = servedTrade([sold(1, 30), sold(9, 365), sold(5, 999, NOW - DAY)], context);
    assert.deepEqual(served, { sales: { count: 9, days: 365, last: null } });
  });

  it('are missing where no source reports any', () => {
    assert.equal(servedTrade([report('tcgplayer', sells(1000))], context), undefined);
    assert.equal(servedTrade([], context), undefined);
  });
});
