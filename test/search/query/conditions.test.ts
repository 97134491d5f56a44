import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Card } from '../../../src/domain/card.ts';
import { type Day, dayOf } from '../../../src/domain/day.ts';
import type { Cents } from '../../../src/domain/money.ts';
import { type ChangeDoubts, NO_BASES } from '../../../src/domain/price-changes.ts';
import { SearchIndex } from '../../../src/search/index.ts';
import { readStarterCards } from '../../support/starter-cards.ts';
import { indexOf, indexOfNames, makeCard, namesFound, query } from '../search-cards.ts';
import { judge, setsIn } from './judge.ts';
import { makeQueries } from './made-queries.ts';

const TODAY = dayOf(Date.parse('2026-01-20')) as Day;
const cards = await readStarterCards();
const charizard = cards.find(({ id }) => id.startsWith('pokemon-bs-charizard-004'));
const IDS = ['tcgplayer:42382', 'pokemon-bs-charizard-004'];
const index = new SearchIndex({ cardWithId: (id) => (IDS.includes(id) ? charizard : undefined) });
for (const card of cards) index.add(card);
index.commit();
const sets = setsIn(cards);

function search(q: string, rest: Parameters<typeof query>[1] = {}) {
  return index.search(query(q, { today: TODAY, limit: 1000, ...rest }));
}

describe('a query with operators', () => {
  it('finds the cards for which its condition is true, and no others', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat(cards.length - 1)), (stream) => {
        const draw = () => cards[stream.next().value ?? 0] as Card;
        const wrong = makeQueries(30, draw).flatMap((made) => {
          return judge(made, { index, cards, sets, today: TODAY }) ?? [];
        });
        assert.deepEqual(wrong, []);
      }),
      { numRuns: 20 },
    );
  });

  it('never changes what a name finds', () => {
    const texts = new Set(cards.map(({ name }) => name));
    for (const name of texts) {
      const { understood } = search(name);
      assert.ok(!understood?.filters && !understood?.problems, name);
    }
  });

  it('excludes what is excluded', () => {
    const vs = indexOfNames('Charizard', 'Charizard V', 'Charizard VMAX', 'Charizard-GX');
    assert.deepEqual(namesFound(vs, 'charizard -vmax -gx'), ['Charizard', 'Charizard V']);
    assert.deepEqual(namesFound(vs, 'charizard not (v or vmax or gx)'), ['Charizard']);
    assert.deepEqual(namesFound(vs, '!name:charizard'), ['Charizard']);
    assert.deepEqual(namesFound(vs, '"charizard v"'), ['Charizard V']);
    assert.deepEqual(vs.autocomplete({ q: 'chari -v -vmax', limit: 5 }), [
      'Charizard',
      'Charizard-GX',
    ]);
  });

  it('orders all its cards, unless the parameter asks for another order', () => {
    const prices = (q: string, sort?: 'name') =>
      search(q, sort && { sort }).cards.flatMap(
        ({ printings }) => printings[0]?.prices.market ?? [],
      );
    const cheapest = prices('cheapest game:pokemon is:priced');
    assert.deepEqual(
      cheapest,
      cheapest.toSorted((a, b) => a - b),
    );
    assert.notDeepEqual(prices('cheapest game:pokemon', 'name'), cheapest);
  });

  it('has the same cards on later pages', () => {
    const q = 'game:pokemon price>1 newest';
    const all = search(q).cards.map(({ id }) => id);
    const first = search(q, { limit: 5 }).cards;
    const second = search(q, { limit: 5, offset: 5 });
    assert.deepEqual(
      [...first, ...second.cards].map(({ id }) => id),
      all.slice(0, 10),
    );
    assert.equal(second.understood?.filters?.length, 3);
  });

  it('compares the change of a price, unless it is in doubt', () => {
    const risen = (name: string, base: Cents | null, doubts: ChangeDoubts = {}) => {
      const card = makeCard({ name, price: 120 });
      const bases = { ...NO_BASES, '7d': base, doubts };
      return { ...card, printings: card.printings.map((printing) => ({ ...printing, bases })) };
    };
    const index = indexOf([
      risen('Abra', 100 as Cents),
      risen('Mew', 110 as Cents),
      risen('Muk', 100 as Cents, { '7d': 'unconfirmed' }),
      risen('Onix', null),
      makeCard({ name: 'Seel' }),
    ]);
    assert.deepEqual(namesFound(index, 'change7d>=20'), ['Abra']);
    assert.deepEqual(namesFound(index, 'change7d<20'), ['Mew']);
    assert.deepEqual(namesFound(index, 'change1d>=0'), []);
  });

  it('finds nothing for a set that does not exist, and says so', () => {
    const { total, understood } = search('charizard set:bace');
    assert.equal(total, 0);
    assert.deepEqual(understood?.problems, [
      {
        typed: 'set:bace',
        from: 10,
        to: 18,
        message: 'No set is called bace.',
        suggestion: 'set:"base"',
      },
    ]);
  });
});

describe('a condition that no card can have', () => {
  const sets = indexOf([makeCard({ name: 'Mew', set: { name: 'Neo Genesis', code: 'N1' } })]);
  const problemsOf = (q: string) => {
    return sets.search(query(q)).understood?.problems?.map(({ message }) => message);
  };

  it('is named, but not if a set has the words in its name', () => {
    assert.deepEqual(problemsOf('set:jungle'), ['No set is called jungle.']);
    assert.equal(problemsOf('set:genesis'), undefined);
  });

  it('is a rarity that neither a card has nor a game knows', () => {
    const index = indexOf([makeCard({ name: 'Mew', rarity: 'Glossy' })]);
    const problems = (q: string) => index.search(query(q)).understood?.problems;
    assert.equal(problems('rarity:glossy'), undefined);
    assert.equal(problems('rarity:"secret rare"'), undefined);
    assert.equal(problems('rarity:dull')?.[0]?.message, 'No card has the rarity dull.');
  });

  it('is in more brackets than can be nested', () => {
    const within = (count: number) => `${'('.repeat(count)}mew or abra${')'.repeat(count)}`;
    assert.equal(problemsOf(within(16)), undefined);
    assert.deepEqual(problemsOf(within(17)), ['Too many brackets.']);
  });

  it('is an order of rarities that have none', () => {
    const [problem = ''] = problemsOf('mew rarity>shiny') ?? [];
    assert.match(problem, /^Only common, .* have an order\.$/);
    assert.equal(problemsOf('mew rarity>common'), undefined);
  });
});

/** A card with printings of these names. */
function printed(name: string, ...printings: readonly string[]): Card {
  const made = makeCard({ name, price: 100 });
  const [one] = made.printings;
  assert.ok(one);
  return { ...made, printings: printings.map((own, at) => ({ ...one, rowId: at, name: own })) };
}

describe('a condition', () => {
  it('on the language is true of cards with a printing in it', () => {
    const printings = indexOf([
      printed('Ivysaur', 'Foil', 'Foil (German)'),
      printed('Mew', 'Foil'),
      printed('Onix', 'Normal', 'Normal (Japanese)'),
    ]);
    assert.deepEqual(namesFound(printings, 'lang:de'), ['Ivysaur']);
    assert.deepEqual(namesFound(printings, '-lang:de'), ['Mew', 'Onix']);
    assert.deepEqual(namesFound(printings, 'lang:de or lang:ja'), ['Ivysaur', 'Onix']);
  });

  it('on the rarity takes its whole name, known or not, or an abbreviation', () => {
    const rarities = indexOf([
      makeCard({ name: 'Ivysaur', rarity: 'Odd Gem' }),
      makeCard({ name: 'Mew', rarity: 'Rare' }),
      makeCard({ name: 'Onix', rarity: 'Secret Rare' }),
    ]);
    assert.deepEqual(namesFound(rarities, 'rarity:"odd gem"'), ['Ivysaur']);
    assert.deepEqual(namesFound(rarities, 'rarity=rare'), ['Mew']);
    assert.deepEqual(namesFound(rarities, 'r:sr'), ['Onix']);
  });
});

describe('a word for a language', () => {
  const named = indexOfNames('Dark Charizard (German)', 'German Shepherd', 'Charizard');

  it('is a word of a name if a name has all the words', () => {
    assert.equal(named.search(query('shepherd german')).understood, undefined);
    assert.deepEqual(namesFound(named, 'shepherd german'), ['German Shepherd']);
  });

  it('in brackets is one only if it ends a whole name', () => {
    assert.equal(namesFound(named, 'dark charizard (german)')[0], 'Dark Charizard (German)');
    assert.equal(namesFound(named, 'charizard (german)')[0], 'Charizard');
  });
});

describe('a pasted link, id or file name', () => {
  for (const q of [
    'https://www.tcgplayer.com/product/42382/pokemon-base-set-charizard?Language=English',
    'tcgplayer.com/product/42382',
    'https://product-images.tcgplayer.com/fit-in/437x437/42382.jpg',
    'TCGplayer id: 42382',
    '42382',
    'tcgplayer:42382',
    'https://cards.example.com/cards/pokemon-bs-charizard-004',
    'http://127.0.0.1:8080/v1/cards/pokemon-bs-charizard-004',
    '/cards/pokemon-bs-charizard-004',
    'pokemon-bs-charizard-004',
    'look: https://www.tcgplayer.com/product/42382',
  ]) {
    it(`finds the card: ${q}`, () => {
      const { cards: found, understood } = search(q);
      assert.deepEqual(
        found.map(({ id }) => id),
        [charizard?.id],
      );
      assert.match(understood?.filters?.[0]?.means ?? '', /^id:/);
    });
  }

  for (const q of [
    'https://www.tcgplayer.com/product/1/pokemon-base-set-charizard',
    'https://www.ebay.com/itm/Charizard-4-102-Base-Set-Holo-1999/123456789012?hash=item1',
    'https://www.ebay.co.uk/sch/i.html?_nkw=charizard+base+set',
    'https://www.cardmarket.com/en/Pokemon/Products/Singles/Base-Set/Charizard-V1-BS4',
    'https://www.pricecharting.com/game/pokemon-base-set/charizard-4',
    'https://www.cardtrader.com/en/cards/1234-charizard-base-set',
    'https://shop.example.com/search?q=charizard%20base%20set',
    'Charizard%20Base%20Set%204.jpg',
    'charizard_base_set_4_102.png',
    '[[Charizard|BS]]',
  ]) {
    it(`finds the card by its words: ${q}`, () => {
      assert.equal(search(q).cards[0]?.id, charizard?.id);
    });
  }

  it('says that a link leads to no card', () => {
    const [problem] = search('https://www.tcgplayer.com/product/1').understood?.problems ?? [];
    assert.equal(problem?.message, 'The link to TCGplayer leads to no card of this catalogue.');
    const [other] = search('https://www.ebay.com/itm/1234').understood?.problems ?? [];
    assert.equal(other?.message, 'The link to eBay leads to no card of this catalogue.');
  });
});
