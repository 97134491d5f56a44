import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { type CardPrinting, Printings } from '../../src/catalog/printings.ts';
import { comparePrintings, PRINTING_NAMES, type Printing } from '../../src/domain/card.ts';
import type { Day } from '../../src/domain/day.ts';
import { type Cents, MAX_CENTS } from '../../src/domain/money.ts';
import type { ChangeDoubts } from '../../src/domain/price-changes.ts';

const cents = fc.option(fc.constantFrom(0, 1, 499, MAX_CENTS).map((amount) => amount as Cents));
const moment = fc.option(fc.constantFrom(1, 1_769_630_712_000));
const amounts = fc.constantFrom({}, { near_mint: 5 as Cents });
const PLAIN = { noNullPrototype: true };
const prices = fc.record(
  {
    market: cents,
    low: cents,
    mid: cents,
    high: cents,
    conditions: amounts,
    graded: fc.constantFrom({}, { psa_10: 9 as Cents }),
    sources: fc.constantFrom(['quotes'], ['justtcg', 'tcgplayer']),
    figuresAt: moment,
    conditionsAt: moment,
    gradedAt: moment,
  },
  PLAIN,
);
const nativePrices = fc.record(
  { currency: fc.constantFrom('EUR' as const, 'JPY' as const), prices, isServed: fc.boolean() },
  PLAIN,
);
const doubts = fc.constantFrom<ChangeDoubts>({}, { '7d': 'unconfirmed' });
const judged = {
  confidence: fc.option(
    fc.record(
      {
        level: fc.constantFrom('confirmed' as const, 'single-source' as const, 'thin' as const),
        sources: fc.nat(15),
        observations: fc.nat(31),
        interval: fc.constantFrom(null, { low: 1 as Cents, high: MAX_CENTS }),
      },
      PLAIN,
    ),
    { nil: undefined },
  ),
  origins: fc.constantFrom(undefined, { figures: 'ebay', conditions: null, graded: ['tcgplayer'] }),
  native: fc.option(fc.array(nativePrices, { minLength: 1, maxLength: 2 }), { nil: undefined }),
  trade: fc.constantFrom(undefined, { sales: { count: 3, days: 30, last: null } }),
  dispute: fc.constantFrom(undefined, { reported: 7 as Cents, since: 20_000 as Day, rule: 'any' }),
};
const bases = fc.record({ '1d': cents, '7d': cents, '30d': cents, doubts }, PLAIN);

const CARDS = 3;
/** Each card has each of these printings at most once. */
const NAMES = [...PRINTING_NAMES.slice(0, 3), 'Cosmos', 'Unspecified'];
const published = fc
  .record({ place: fc.nat(CARDS * NAMES.length - 1), prices, bases, ...judged })
  .map(({ place, ...rest }): CardPrinting => {
    const name = NAMES[place % NAMES.length] ?? '';
    return {
      cardRowId: 1 + Math.floor(place / NAMES.length),
      // As in a database, row ids do not follow the order of names.
      printing: { rowId: 1 + ((place * 7) % (CARDS * NAMES.length)), name, ...rest },
    };
  });

it('Cards have the printings that were published last, plainest first', () => {
  fc.assert(
    fc.property(fc.array(published, { maxLength: 40 }), (all) => {
      const printings = new Printings();
      for (const each of all) printings.put(each);
      for (let card = 0; card <= CARDS; card++) {
        assert.deepEqual(printings.of(card), lastOf(all, card));
      }
    }),
  );
});

it('A removed printing belongs to no card', () => {
  const removed = fc.array(fc.integer({ min: 1, max: CARDS * NAMES.length }));
  fc.assert(
    fc.property(fc.array(published, { maxLength: 40 }), removed, (all, rowIds) => {
      const printings = new Printings();
      for (const each of all) printings.put(each);
      for (const rowId of rowIds) printings.remove(rowId);
      const left = all.filter(({ printing }) => !rowIds.includes(printing.rowId));
      for (let card = 1; card <= CARDS; card++) {
        assert.deepEqual(printings.of(card), lastOf(left, card));
      }
      const owners = new Map(left.map((one) => [one.printing.rowId, one.cardRowId]));
      assert.deepEqual(
        [...printings.rowIds()],
        [...owners].toSorted(([a], [b]) => a - b),
      );
    }),
  );
});

function lastOf(all: readonly CardPrinting[], card: number): Printing[] {
  const own = all.filter(({ cardRowId }) => cardRowId === card);
  const byRowId = new Map(own.map(({ printing }) => [printing.rowId, served(printing)]));
  return [...byRowId.values()].sort((a, b) => comparePrintings(a.name, b.name));
}

function served({ bases, ...printing }: Printing): Printing {
  const isKnown = bases && [bases['1d'], bases['7d'], bases['30d']].some((base) => base !== null);
  return { ...printing, bases: isKnown ? bases : undefined };
}
