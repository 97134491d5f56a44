import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Movers } from '../../src/catalog/movers.ts';
import type { Card, CardSet, Printing } from '../../src/domain/card.ts';
import { type Day, startOfDay } from '../../src/domain/day.ts';
import type { GameSlug } from '../../src/domain/games.ts';
import type { Cents } from '../../src/domain/money.ts';
import { NO_BASES } from '../../src/domain/price-changes.ts';

const TODAY = 20_000 as Day;

/** What moved: its game, then from and to in dollars, then the lowest and the median listing. */
type Moved = readonly [GameSlug, from: number, to: number, low?: number, mid?: number];

function moversOf(cards: readonly Card[]): Movers {
  return new Movers({
    publication: { revision: 1, id: 'made', publishedAt: null },
    cards: () => cards,
    asOf: () => TODAY,
    quarantinedOn: () => undefined,
  });
}

async function relevant(moves: Readonly<Record<string, Moved>>): Promise<string[]> {
  const cards = Object.entries(moves).map(([name, moved], at) => cardOf(name, at + 1, moved));
  const movers = moversOf(cards);
  const least = 100 as Cents;
  const found = await movers.list({ window: '7d', sort: 'relevance', direction: 'both', least });
  return found.movers.map(({ card }) => card.name);
}

function setOf(rowId: number, game: GameSlug): CardSet {
  return { rowId, id: `set-${rowId}`, game, code: '', name: '', releaseDate: null };
}

/** A card in a new set unless one is given. */
function cardOf(
  name: string,
  rowId: number,
  [game, from, to, low, mid]: Moved,
  set = setOf(rowId, game),
): Card {
  const cents = (dollars: number) => (dollars * 100) as Cents;
  const printing: Printing = {
    rowId,
    name: 'Normal',
    prices: {
      market: cents(to),
      low: low === undefined ? null : cents(low),
      mid: mid === undefined ? null : cents(mid),
      high: null,
      conditions: {},
      graded: {},
      sources: ['tcgplayer'],
      figuresAt: startOfDay(TODAY),
      conditionsAt: null,
      gradedAt: null,
    },
    bases: { ...NO_BASES, '7d': cents(from) },
  };
  const facts = { number: null, rarity: null, image: null };
  return { rowId, id: `card-${rowId}`, set, name, ...facts, printings: [printing] };
}

describe('The most relevant movers', () => {
  it('weigh the money and the percentage, so that neither decides alone', async () => {
    const found = await relevant({
      'a cheap foil, +500 %': ['mtg', 1, 6],
      'a dear card, +5.5 %': ['mtg', 2000, 2110],
      'a dear card, +40 %': ['mtg', 200, 280],
      'ten dollars, +100 %': ['mtg', 10, 20],
    });
    assert.deepEqual(found, [
      'a dear card, +40 %',
      'a cheap foil, +500 %',
      'ten dollars, +100 %',
      'a dear card, +5.5 %',
    ]);
  });

  it('are first those that copies are offered at', async () => {
    const found = await relevant({
      'far above its listings': ['mtg', 5, 64, 4.5, 9],
      'where it is offered': ['mtg', 40, 95, 90, 110],
      'below all listings': ['mtg', 95, 40, 80, 110],
    });
    assert.equal(found[0], 'where it is offered');
  });

  it('move by 50 cents and by 5 %, or more', async () => {
    const found = await relevant({
      'fifty cents': ['mtg', 2, 2.5],
      'less than fifty cents': ['mtg', 2, 2.49],
      'five percent': ['mtg', 100, 105],
      'less than five percent': ['mtg', 100, 104.99],
    });
    assert.deepEqual(found.toSorted(), ['fifty cents', 'five percent']);
  });

  it('take turns between games', async () => {
    const found = await relevant({
      'Magic 1': ['mtg', 100, 300],
      'Magic 2': ['mtg', 100, 290],
      'Magic 3': ['mtg', 100, 280],
      'Lorcana 2': ['lorcana', 10, 11],
      'Lorcana 1': ['lorcana', 50, 60],
      'Pokémon 1': ['pokemon', 20, 10],
    });
    assert.deepEqual(found, [
      ...['Magic 1', 'Pokémon 1', 'Lorcana 1'],
      ...['Magic 2', 'Lorcana 2'],
      'Magic 3',
    ]);
  });
});

describe('The sets that moved', () => {
  const STILL: readonly Moved[] = Array.from({ length: 12 }, () => ['mtg', 5, 5]);
  let rows = 0;

  /** A set of cards that did not move, and those that did. */
  function setWith(rowId: number, game: GameSlug, moved: readonly Moved[], still = STILL): Card[] {
    const set = setOf(rowId, game);
    return [...still, ...moved].map((move) => cardOf(`card ${++rows}`, rows, move, set));
  }

  async function movedSets(cards: readonly Card[], game?: GameSlug): Promise<unknown[]> {
    const sets = await moversOf(cards).sets({ window: '7d', game });
    return sets.map(({ set, from, to }) => [set.id, from, to]);
  }

  it('are sums of their prices then and now, the most relevant first', async () => {
    const cards = [
      ...setWith(1, 'mtg', [['mtg', 100, 110]]),
      ...setWith(2, 'lorcana', [['mtg', 100, 60]]),
    ];
    const [fell, rose] = [
      ['set-2', 16_000, 12_000],
      ['set-1', 16_000, 17_000],
    ];
    assert.deepEqual(await movedSets(cards), [fell, rose]);
    assert.deepEqual(await movedSets(cards, 'mtg'), [rose]);
  });

  it('are not sets of a few prices, of small moves, or moved by one factor', async () => {
    const cards = [
      ...setWith(1, 'mtg', [['mtg', 100, 200]], STILL.slice(0, 8)),
      ...setWith(2, 'mtg', [['mtg', 100, 100.2]]),
      ...setWith(
        3,
        'mtg',
        Array.from({ length: 12 }, () => ['mtg', 10, 20]),
        [],
      ),
    ];
    assert.deepEqual(await movedSets(cards), []);
  });
});
