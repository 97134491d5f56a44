import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Card, marketPrice, type NativePrices } from '../../src/domain/card.ts';
import { CURRENCY_CODES } from '../../src/domain/currencies.ts';
import { type Day, startOfDay } from '../../src/domain/day.ts';
import { LocalPrices } from '../../src/domain/local-prices.ts';
import type { Rates } from '../../src/domain/rates.ts';
import { indexOf, makeCard, pricesOf } from './search-cards.ts';

const TODAY = 20_000 as Day;
const RATES: Rates = [
  { currency: 'EUR', day: TODAY, dollarsPerUnit: 1.1 },
  { currency: 'JPY', day: TODAY, dollarsPerUnit: 0.0065 },
];

const amount = fc.option(fc.integer({ min: 1, max: 200_000 }));
const observed = fc.constantFrom(TODAY, TODAY - 20, TODAY - 40);
const native = fc.record({ currency: fc.constantFrom('EUR', 'GBP', 'JPY'), amount, observed });
const priced = fc.record({
  dollars: amount,
  observed,
  natives: fc.uniqueArray(native, { maxLength: 2, selector: ({ currency }) => currency }),
});

interface Priced {
  readonly dollars: number | null;
  readonly observed: number;
  readonly natives: readonly {
    readonly currency: 'EUR' | 'GBP' | 'JPY';
    readonly amount: number | null;
    readonly observed: number;
  }[];
}

function pricesAt(market: number | null, day: number) {
  const figuresAt = startOfDay(day as Day);
  return { ...pricesOf(market ?? 0), market: market as never, figuresAt };
}

/** Makes a card with a price in dollars and those of sources in other currencies. */
function cardWith(rowId: number, { dollars, observed, natives }: Priced): Card {
  const card = makeCard({ name: 'Mew', rowId });
  const native = natives.map(({ currency, amount, observed: day }): NativePrices => {
    return { currency, prices: pricesAt(amount, day), isServed: false };
  });
  const prices = pricesAt(dollars, observed);
  return { ...card, printings: [{ rowId, name: 'Normal', prices, native }] };
}

describe('Filters and orders by price', () => {
  it('compare the prices that are shown in a currency, also after they have changed', () => {
    const many = fc.array(fc.tuple(priced, priced), { minLength: 1, maxLength: 12 });
    const currencies = fc.constantFrom(...CURRENCY_CODES, 'native' as const);
    fc.assert(
      fc.property(many, currencies, fc.nat(20_000), (drafts, currency, bound) => {
        const local = new LocalPrices(currency, RATES, TODAY);
        const before = drafts.map(([one], i) => cardWith(i + 1, one));
        const after = drafts.map(([, other], i) => cardWith(i + 1, other));
        const index = indexOf(before);
        const found = (q: string, more = {}) => {
          const query = { q, limit: 100, offset: 0, today: TODAY, sort: 'price_desc' } as const;
          return index.search({ ...query, local, ...more }).cards;
        };
        for (const cards of [before, after]) {
          for (const card of cards) index.updatePrice(card);
          const byId = new Map(cards.map((card) => [card.id, card]));
          const shown = (card: Card) => {
            const current = byId.get(card.id) ?? assert.fail();
            const price = marketPrice(currency === 'native' ? current : local.card(current));
            assert.equal(local.market(current), price);
            return price;
          };
          const prices = found('mew').map(shown);
          assert.deepEqual(
            prices,
            cards.map(shown).sort((a, b) => (b ?? -1) - (a ?? -1)),
          );
          const isIn = (price: number | null) => price !== null && price >= bound * 100;
          const expected = prices.filter(isIn);
          assert.deepEqual(found(`mew price>=${bound}`).map(shown), expected);
          const price = { min: bound * 100, max: undefined, isPriced: undefined };
          assert.deepEqual(found('mew', { price }).map(shown), expected);
        }
      }),
    );
  });
});
