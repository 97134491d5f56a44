import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import type { Card } from '../../src/domain/card.ts';
import type { SearchIndex, Understood } from '../../src/search/index.ts';
import { readStarterCards } from '../support/starter-cards.ts';
import { indexOf, makeCard, query } from './search-cards.ts';

const PAGE = readFileSync('docs/search.md', 'utf8');

/** The cells of the table of worked examples in docs/search.md. */
function workedExamples(): string[][] {
  const [, table = ''] = PAGE.split('| typed | read as | first answer |\n|---|---|---|\n');
  const rows = table.slice(0, table.indexOf('\n\n')).split('\n');
  return rows.map((row) => row.split('|').map((cell) => cell.trim()));
}

/** The readings that a cell of the table names: `name `charizard`, set `base set``. */
function readingsIn(cell: string): Map<string, string> {
  const pairs = cell.matchAll(
    /(name|set|number|rarity|printing|treatment|year|game|grade) `([^`]+)`/g,
  );
  return new Map([...pairs].map(([, as = '', words = '']) => [as, words]));
}

describe('the worked examples of docs/search.md', () => {
  let index: SearchIndex;
  before(async () => {
    index = indexOf(await readStarterCards());
  });

  for (const [, typed = '', readAs = '', answer = ''] of workedExamples()) {
    it(`${typed} finds ${answer} first`, () => {
      const { cards, understood } = index.search(query(typed.replaceAll('`', '')));
      const [card] = cards;
      assert.equal(`${card?.name}, ${card?.set.name}, ${card?.number}`, answer);
      for (const [as, words] of readingsIn(readAs)) {
        assert.equal(understood?.[as as keyof Understood], words, as);
      }
    });
  }

  it('are all in the table', () => assert.ok(workedExamples().length >= 10));
});

const JUNGLE = { rowId: 2, id: 'pokemon-jungle', code: 'JU', name: 'Jungle' };
const LIGHT = { rowId: 3, id: 'pokemon-fli', code: 'FLI', name: 'SM - Forbidden Light' };
const JAPAN = { rowId: 4, id: 'pokemonjp-1', game: 'pokemonjp', code: 'M1', name: 'メガ' } as const;
const ALPHA = { rowId: 5, id: 'mtg-lea', game: 'mtg', code: 'LEA', name: 'Alpha' } as const;

const CARDS: readonly Card[] = [
  makeCard({ name: 'Pikachu', number: '58/102', rarity: 'Common', price: 900 }),
  makeCard({ name: 'Pikachu', number: '60/64', rarity: 'Common', price: 500, set: JUNGLE }),
  makeCard({ name: 'Pikachu (Promo)', number: '1', rarity: 'Promo', price: 100 }),
  makeCard({ name: 'Charizard', number: '4/102', rarity: 'Holo Rare', price: 45_000 }),
  makeCard({ name: 'Light Energy', number: '9', set: LIGHT }),
  makeCard({ name: 'Greninja GX', number: '24/131', rarity: 'Ultra Rare', set: LIGHT }),
  makeCard({ name: 'リザードン', number: '6/102', set: JAPAN }),
  makeCard({ name: 'Lightning Bolt', number: '161', rarity: 'Common', price: 38_000, set: ALPHA }),
  makeCard({ name: 'Blot Out', number: '12', set: ALPHA }),
];

describe('a query that is more than a name', () => {
  const index = indexOf(CARDS);
  const found = (q: string, options: Parameters<typeof query>[1] = {}) => {
    return index.search(query(q, options)).cards.map(({ name, set }) => `${name}, ${set.name}`);
  };
  const understood = (q: string) => {
    const all = Object.entries(index.search(query(q)).understood ?? {});
    return Object.fromEntries(all.filter(([, words]) => words !== null && String(words) !== ''));
  };

  it('finds only the cards that explain as many of its words as the best', () => {
    assert.deepEqual(found('pikachu jungle'), ['Pikachu, Jungle']);
    assert.deepEqual(found('common pikachu'), ['Pikachu, Base Set', 'Pikachu, Jungle']);
  });

  it('also finds longer names that explain as many of its words', () => {
    const index = indexOf([
      makeCard({ name: 'Pikachu', number: '60/64', rarity: 'Common', set: JUNGLE }),
      makeCard({ name: 'Surfing Pikachu', number: '60/64', rarity: 'Common', set: LIGHT }),
    ]);
    for (const q of ['common pikachu', 'pikachu 60/64 nm', 'common pikachu 60/64']) {
      const { cards } = index.search(query(q));
      const names = cards.map(({ name }) => name);
      assert.deepEqual(names, ['Pikachu', 'Surfing Pikachu'], q);
    }
  });

  it('prefers the number of the typed total', () => {
    const index = indexOf([
      makeCard({ name: 'Pikachu', number: '58/130', rarity: 'Common', price: 900 }),
      makeCard({ name: 'Pikachu', number: '58/102', rarity: 'Common', price: 100 }),
    ]);
    const numbers = (q: string) => index.search(query(q)).cards.map(({ number }) => number);
    assert.deepEqual(numbers('common pikachu 58/102'), ['58/102', '58/130']);
    assert.deepEqual(numbers('common pikachu 58/130'), ['58/130', '58/102']);
    assert.deepEqual(numbers('common pikachu 58'), ['58/130', '58/102']);
  });

  it('prefers a name with its words in the order typed', () => {
    const index = indexOf([
      makeCard({ name: 'Ball Fire', rarity: 'Common', price: 900 }),
      makeCard({ name: 'Fire Ball', rarity: 'Common', price: 100 }),
    ]);
    const { cards } = index.search(query('common fire ball'));
    const names = cards.map(({ name }) => name);
    assert.deepEqual(names, ['Fire Ball', 'Ball Fire']);
  });

  it('reads an ambiguous word as part of both the name and the set', () => {
    assert.deepEqual(found('greninja gx forbidden light'), ['Greninja GX, SM - Forbidden Light']);
    assert.deepEqual(found('light energy forbidden light'), ['Light Energy, SM - Forbidden Light']);
    assert.deepEqual(understood('greninja forbidden light'), {
      name: 'greninja',
      set: 'forbidden light',
    });
  });

  it('does not read the number of a grade as a collector number', () => {
    const [first] = index.search(query('pikachu psa 1')).cards;
    assert.equal(first?.number, '58/102');
    assert.deepEqual(understood('pikachu psa 1'), { name: 'pikachu', grade: 'psa 1' });
  });

  it('needs no name with a number and its total, or with a set and a number', () => {
    assert.deepEqual(found('58/102 psa 10'), ['Pikachu, Base Set']);
    assert.deepEqual(found('jungle 60'), ['Pikachu, Jungle']);
    assert.deepEqual(found('forbidden 24'), ['Greninja GX, SM - Forbidden Light']);
  });

  it('reads nicknames of sets, and split names', () => {
    assert.deepEqual(found('charizard base set one'), ['Charizard, Base Set']);
    assert.deepEqual(found('grenin ja gx forbidden light'), ['Greninja GX, SM - Forbidden Light']);
  });

  it('is corrected in words of attributes that are not in the catalogue', () => {
    assert.deepEqual(understood('リザードン japanes').language, 'japanes');
  });

  it('lists cards with the exact name after those that agree but have longer names', () => {
    const foils = indexOf([
      makeCard({ name: 'Dark Charizard', rarity: 'Promo', set: JUNGLE }),
      makeCard({ name: 'Charizard', price: 5 }),
      makeCard({ name: 'Light Charizard' }),
    ]);
    const { cards } = foils.search(query('charizard promo'));
    assert.deepEqual(
      cards.map(({ name }) => name),
      ['Dark Charizard', 'Charizard'],
    );
  });

  it('is returned in the right spelling if a word was misspelt', () => {
    const corrected = (q: string) => index.search(query(q)).corrected;
    assert.equal(corrected('charzard'), 'charizard');
    assert.equal(corrected('Pikachu jungel 60/64'), 'pikachu jungle 60/64');
    assert.equal(corrected('lightnig blot'), 'lightning bolt');
    for (const q of ['charizard', 'chariz', 'pikachu psa 9', 'pikachu qqqq', 'glurak', 'zzzz']) {
      assert.equal(corrected(q), undefined, q);
    }
  });

  it('is also corrected in the words of sets', () => {
    assert.deepEqual(found('pikachu jungel'), ['Pikachu, Jungle']);
    assert.deepEqual(found('greninja forbiden lihgt'), ['Greninja GX, SM - Forbidden Light']);
  });

  it('is only a name if a card has this name', () => {
    assert.equal(index.search(query('light energy')).understood, undefined);
    assert.equal(index.search(query('pikachu')).total, 3);
  });

  it('finds nothing when none of its words names a card or a set', () => {
    for (const q of ['psa 10', 'near mint foil', 'qwzx xqzv', '1999']) {
      assert.deepEqual(found(q), [], q);
    }
  });

  it('applies filters and sorts like any other query', () => {
    assert.deepEqual(found('pikachu common', { set: 'JU' }), ['Pikachu, Jungle']);
    assert.deepEqual(found('pikachu jungle', { game: 'mtg' }), []);
    assert.deepEqual(found('common pikachu', { sort: 'price_asc' }), [
      'Pikachu, Jungle',
      'Pikachu, Base Set',
    ]);
  });

  it('has each match on exactly one page', () => {
    const pages = [0, 1].flatMap((offset) => found('common pikachu', { limit: 1, offset }));
    assert.deepEqual(pages, found('common pikachu'));
    assert.deepEqual(
      index.search(query('common pikachu', { limit: 1, offset: 1 })).understood,
      index.search(query('common pikachu', { limit: 1 })).understood,
    );
  });

  it('returns words as they were typed', () => {
    assert.equal(index.search(query('Charizard POKÉMON')).understood?.game, 'pokémon');
    const japanese = index.search(query('リザードン japanese', { explain: true }));
    assert.equal(japanese.readings?.[0]?.[0]?.words, 'リザードン');
  });

  it('returns the readings of the words for each card', () => {
    const { readings } = index.search(query('charizard base set 4/102 psa 9', { explain: true }));
    assert.deepEqual(readings?.[0], [
      { words: 'charizard', as: 'name', means: 'Charizard', isCorrected: false },
      { words: 'base set', as: 'set', means: 'Base Set', isCorrected: false },
      { words: '4/102', as: 'number', means: '4/102', isCorrected: false },
      { words: 'psa 9', as: 'grade', means: 'PSA 9', isCorrected: false },
    ]);
  });

  it('knows species in the language of the query', () => {
    assert.deepEqual(found('charizard', { game: 'pokemonjp' }), ['リザードン, メガ']);
    assert.deepEqual(found('charizard japanese'), ['リザードン, メガ']);
    assert.deepEqual(found('リザードン', { game: 'pokemon' }), ['Charizard, Base Set']);
    assert.deepEqual(found('lizardon'), ['リザードン, メガ', 'Charizard, Base Set']);
    assert.deepEqual(found('glurak'), ['Charizard, Base Set', 'リザードン, メガ']);
    assert.deepEqual(found('charizard'), ['Charizard, Base Set']);
  });

  it('also reads a word one letter off the English name of a species as that name', () => {
    const both = indexOf([
      makeCard({ name: 'ピカチュウ', number: '025/165', set: JAPAN }),
      makeCard({ name: 'Pikachu', number: '025/165', price: 5 }),
    ]);
    const { cards, understood } = both.search(query('pikachuu 025'));
    assert.deepEqual(
      cards.map(({ name }) => name),
      ['Pikachu', 'ピカチュウ'],
    );
    assert.equal(understood?.name, 'pikachuu');
  });

  it('knows aliases of cards in the catalogue', () => {
    assert.deepEqual(found('bolt'), ['Lightning Bolt, Alpha']);
    assert.deepEqual(found('moonbreon'), []);
  });
});

describe('a query that is the name of a set', () => {
  const CHAPTER = {
    rowId: 6,
    id: 'lorcana-1',
    game: 'lorcana',
    name: 'The First Chapter',
  } as const;
  const GOLD = { rowId: 7, id: 'yugioh-gs3', game: 'yugioh', name: 'Gold Series 3' } as const;
  const PIKACHU = { rowId: 8, id: 'pokemon-det', name: 'Detective Pikachu' };
  const LEGENDS = { rowId: 9, id: 'mtg-leg', game: 'mtg', code: 'LEG', name: 'Legends' } as const;
  const index = indexOf([
    makeCard({ name: 'Charizard', number: '4', price: 45_000 }),
    makeCard({ name: 'Frontline Base', set: GOLD }),
    makeCard({ name: 'Gold Sarcophagus', number: '3', set: JUNGLE }),
    makeCard({
      name: 'Mr. Smee',
      set: { ...CHAPTER, rowId: 10, id: 'lorcana-2', name: 'Chapter' },
    }),
    makeCard({ name: 'Elsa - The Snow Queen', set: CHAPTER, price: 100 }),
    makeCard({ name: 'Greninja', number: '24', set: LIGHT }),
    makeCard({ name: 'Detective Pikachu', set: JUNGLE }),
    makeCard({ name: 'Slowbro', set: PIKACHU }),
    ...['Hero of Legends', 'Sword of Legends'].map((name) => makeCard({ name, set: GOLD })),
    makeCard({ name: 'Moat', set: LEGENDS }),
  ]);
  const found = (q: string, options: Parameters<typeof query>[1] = {}) => {
    return index.search(query(q, options)).cards.map(({ name }) => name);
  };

  it('lists the set even if names of cards have some of its words', () => {
    for (const q of ['base set', 'Base Set', 'BASE-SET', 'baseset']) {
      assert.deepEqual(found(q), ['Charizard'], q);
      assert.equal(index.search(query(q)).understood?.name, null, q);
    }
    assert.deepEqual(found('the first chapter'), ['Elsa - The Snow Queen']);
    assert.equal(index.search(query('the first chapter')).understood?.set, 'the first chapter');
  });

  it('reads none of its words as a number, a printing or a name', () => {
    const { cards, understood } = index.search(query('gold series 3'));
    assert.equal(cards.length, 3);
    assert.equal(understood?.set, 'gold series 3');
    assert.equal(understood?.number, null);
  });

  it('may have the code in front of the name, or not', () => {
    for (const q of ['forbidden light', 'sm - forbidden light', 'SM Forbidden Light']) {
      assert.deepEqual(found(q), ['Greninja'], q);
    }
  });

  it('lists the cards with exactly this name first, then the set', () => {
    assert.deepEqual(found('detective pikachu'), ['Detective Pikachu', 'Slowbro']);
    assert.equal(index.search(query('detective pikachu')).understood, undefined);
  });

  it('lists names with its words first if they have more cards than the set', () => {
    assert.deepEqual(found('legends'), ['Hero of Legends', 'Sword of Legends', 'Moat']);
  });

  it('returns for each card whether its name or its set was meant', () => {
    const { readings } = index.search(query('detective pikachu', { explain: true }));
    assert.deepEqual(
      readings?.map(([first]) => first?.as),
      ['name', 'set'],
    );
  });

  it('is not read as a set under a filter that excludes all its cards', () => {
    assert.deepEqual(found('base set', { game: 'mtg' }), []);
    assert.deepEqual(found('detective pikachu', { set: JUNGLE.id }), ['Detective Pikachu']);
  });
});

describe('a set whose name changes', () => {
  it('lists its cards under the new name only', () => {
    const card = makeCard({ name: 'Mew', number: '8', set: JUNGLE });
    const index = indexOf([card]);
    index.add({ ...card, set: { ...card.set, name: 'Wilderness' } });
    index.commit();
    assert.equal(index.search(query('wilderness')).total, 1);
    assert.equal(index.search(query('jungle')).total, 0);
  });
});
