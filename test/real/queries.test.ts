/** Compares conditions with an evaluation card by card, over all real cards. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Draw } from '../../bench/search/draw.ts';
import { readTree } from '../../bench/search/tree.ts';
import type { Card, Printing } from '../../src/domain/card.ts';
import { type Day, startOfDay } from '../../src/domain/day.ts';
import type { Cents } from '../../src/domain/money.ts';
import { NO_DOUBTS } from '../../src/domain/price-changes.ts';
import { SearchIndex } from '../../src/search/index.ts';
import { judge, setsIn } from '../search/query/judge.ts';
import { makeQueries } from '../search/query/made-queries.ts';

const DATA = new URL('../../../shared/data', import.meta.url).pathname;
const TODAY = 20_400 as Day;

const draw = new Draw(1, 'queries');
const cards = readTree(DATA).map(withHistory);
const index = new SearchIndex();
for (const card of cards) index.add(card);
index.commit();
const sets = setsIn(cards);

/** Gives the printings of a card earlier prices and a day, which the files do not have. */
function withHistory(card: Card): Card {
  return { ...card, printings: card.printings.map(withEarlierPrice) };
}

function withEarlierPrice(printing: Printing): Printing {
  const { market } = printing.prices;
  const figuresAt = startOfDay((TODAY - draw.below(15)) as Day);
  const base =
    market === null
      ? null
      : (Math.max(1, Math.round(market * (0.5 + draw.below(100) / 100))) as Cents);
  const bases = { '1d': base, '7d': base, '30d': base, doubts: NO_DOUBTS };
  return { ...printing, prices: { ...printing.prices, figuresAt }, bases };
}

describe('queries with operators, bounds, exclusions and orders', () => {
  it('find the cards for which their conditions are true, and no others', () => {
    const queries = makeQueries(420, () => draw.pick(cards));
    const wrong = queries.flatMap(
      (query) => judge(query, { index, cards, sets, today: TODAY }) ?? [],
    );
    assert.deepEqual(wrong, []);
  });
});
