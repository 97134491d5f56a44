import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CardFacts } from '../../../src/domain/facts.ts';
import { searchedFacts } from '../../../src/domain/searched-facts.ts';
import { indexOf, makeCard, query } from '../search-cards.ts';

/** Cards with facts as sources of several games give them. */
const CARDS: readonly (readonly [name: string, facts: CardFacts])[] = [
  [
    'Charizard',
    {
      supertype: 'Pokémon',
      types: ['Fire'],
      subtypes: ['Stage 2'],
      hp: '120',
      level: '76',
      retreat: ['Colorless', 'Colorless', 'Colorless'],
      nationalPokedexNumbers: [6],
      artist: 'Mitsuhiro Arita',
      legalities: { unlimited: 'legal', standard: 'banned' },
    },
  ],
  ['Type: Null', { supertype: 'Pokémon', types: ['Colorless'], hp: '90', artist: '5ban Graphics' }],
  [
    'Shivan Dragon',
    {
      types: ['Creature'],
      subtypes: ['Dragon'],
      colors: ['Red'],
      keywords: ['Flying'],
      cost: '6',
      power: '5',
      toughness: '5',
      artist: 'Justin Hampton',
      legalities: { modern: 'legal' },
    },
  ],
  [
    'Tarmogoyf',
    { types: ['Creature'], colors: ['Green', 'Blue'], cost: '2', power: '*', toughness: '1+*' },
  ],
];

const cards = CARDS.map(([name]) => makeCard({ name }));
const index = indexOf(cards);
for (const [i, [, facts]] of CARDS.entries()) {
  index.facts.put(cards[i]?.rowId ?? 0, searchedFacts(facts));
}

function namesFound(q: string): string[] {
  const { cards: found } = index.search(query(q));
  return found.map(({ name }) => name).sort();
}

describe('conditions on facts', () => {
  it('compare supertypes, types and subtypes by whole words', () => {
    assert.deepEqual(namesFound('t:dragon'), ['Shivan Dragon']);
    assert.deepEqual(namesFound('type:fire'), ['Charizard']);
    assert.deepEqual(namesFound('t:"stage 2"'), ['Charizard']);
    assert.deepEqual(namesFound('t:stage2'), ['Charizard']);
    assert.deepEqual(namesFound('t:pokemon'), ['Charizard', 'Type: Null']);
    assert.deepEqual(namesFound('t:creature -t:dragon'), ['Tarmogoyf']);
    assert.deepEqual(namesFound('t:drag'), []);
  });

  it('compare colors by name, or by the letters of Magic', () => {
    assert.deepEqual(namesFound('c:red'), ['Shivan Dragon']);
    assert.deepEqual(namesFound('color:G'), ['Tarmogoyf']);
    assert.deepEqual(namesFound('c:ug'), ['Tarmogoyf']);
    assert.deepEqual(namesFound('c:ur'), []);
  });

  it('compare artists by words next to each other, or by the whole name', () => {
    assert.deepEqual(namesFound('a:arita'), ['Charizard']);
    assert.deepEqual(namesFound('artist:"mitsuhiro arita"'), ['Charizard']);
    assert.deepEqual(namesFound('artist="justin hampton"'), ['Shivan Dragon']);
    assert.deepEqual(namesFound('artist=hampton'), []);
  });

  it('compare numbers, of which some cards have none', () => {
    assert.deepEqual(namesFound('hp>=100'), ['Charizard']);
    assert.deepEqual(namesFound('hp:[91 TO 120]'), ['Charizard']);
    assert.deepEqual(namesFound('cost<=2'), ['Tarmogoyf']);
    assert.deepEqual(namesFound('pow>=0'), ['Shivan Dragon']);
    assert.deepEqual(namesFound('tou:1'), ['Tarmogoyf']);
    assert.deepEqual(namesFound('retreat:3 level>70 dex:6'), ['Charizard']);
  });

  it('compare keywords and the formats in which a card may be played', () => {
    assert.deepEqual(namesFound('keyword:flying f:modern'), ['Shivan Dragon']);
    assert.deepEqual(namesFound('legal:standard'), []);
  });

  it('join words, other conditions and brackets', () => {
    assert.deepEqual(namesFound('dragon t:creature (c:red or c:green)'), ['Shivan Dragon']);
  });

  it('are not read from names that look alike', () => {
    assert.deepEqual(namesFound('Type: Null'), ['Type: Null']);
    assert.deepEqual(namesFound('type:null'), ['Type: Null']);
  });

  it('are reported if no card has the value', () => {
    const problems = (q: string) => {
      return index.search(query(q)).understood?.problems?.map(({ message }) => message);
    };
    assert.deepEqual(problems('t:walrus'), ['No card has the type walrus.']);
    assert.deepEqual(problems('artist:nobody'), ['No card has an artist called nobody.']);
    assert.deepEqual(problems('hp>=lots'), ['lots is not a number.']);
    assert.deepEqual(problems('t>dragon'), ['A type has no order.']);
  });
});
