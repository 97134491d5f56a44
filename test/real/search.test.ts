/** Tests the search on all real cards, which are not part of the repository. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cardsWithIds } from '../../bench/search/measure.ts';
import { makeMisspellings } from '../../bench/search/misspellings.ts';
import {
  isHit,
  type KnownQuery,
  readEverydayQueries,
  readMixedQueries,
  readQueries,
} from '../../bench/search/queries.ts';
import { readTree } from '../../bench/search/tree.ts';
import type { Card, CardSet } from '../../src/domain/card.ts';
import {
  isOversized,
  readSetName,
  withoutBrackets,
  withSizeInBrackets,
} from '../../src/domain/card-name.ts';
import { foldText } from '../../src/domain/text.ts';
import { MAX_QUERY } from '../../src/http/v1/search.ts';
import { SEARCH_SORTS, SearchIndex, type SearchQuery } from '../../src/search/index.ts';
import { paced } from '../support/pace.ts';

const DATA = new URL('../../../shared/data', import.meta.url).pathname;

const cards = readTree(DATA);
const index = new SearchIndex({ cardWithId: cardsWithIds(cards) });
for (const card of cards) index.add(card);
index.commit();

function found(q: string, limit = 5): readonly Card[] {
  return index.search({ q, sort: 'relevance', limit, offset: 0 }).cards;
}

function hitRate(queries: readonly KnownQuery[]): number {
  return queries.filter((query) => isHit(query, found(query.q))).length / queries.length;
}

function assertHitRate(queries: readonly KnownQuery[], least: number): void {
  const missed = queries.filter((query) => !isHit(query, found(query.q))).map(({ q }) => q);
  assert.ok(hitRate(queries) >= least, `${hitRate(queries)}, missed: ${missed.join('; ')}`);
}

describe('queries for a name as collectors type it', () => {
  const queries = readQueries(DATA);

  it('have the wanted card in the first five results in 99.5% of all cases', () => {
    assertHitRate(queries, 0.995);
  });

  for (const [kind, some] of Map.groupBy(queries, ({ kind }) => kind)) {
    it(`of the kind ${kind} have it there in at least 92%`, () => {
      assertHitRate(some, 0.92);
    });
  }
});

describe('queries for a name and a set, rarity, printing, year or more', () => {
  const queries = readMixedQueries(DATA);

  it('have the wanted card in the first five results in 97% of all cases', () => {
    assertHitRate(queries, 0.97);
  });

  for (const [kind, some] of Map.groupBy(queries, ({ kind }) => kind)) {
    it(`of the kind ${kind} have it there in at least 92%`, () => {
      assertHitRate(some, 0.92);
    });
  }
});

describe('links, brackets, file names, operators, bounds and questions', () => {
  const queries = readEverydayQueries(DATA);

  it('have the wanted card in the first five results in 98% of all cases', () => {
    assertHitRate(queries, 0.98);
  });

  for (const [kind, some] of Map.groupBy(queries, ({ kind }) => kind)) {
    it(`of the kind ${kind} have it there in at least 95%`, () => {
      assertHitRate(some, 0.95);
    });
  }
});

describe('misspellings that are other words, or begin them', () => {
  it('have the meant name in the first five results in 95% of all cases', () => {
    assertHitRate(makeMisspellings(cards, 1), 0.95);
    assertHitRate(makeMisspellings(cards, 2), 0.95);
  });
});

describe('every real set', () => {
  const bareName = ({ name }: CardSet) => foldText(readSetName(name).name);
  const names = new Set(cards.flatMap(({ name }) => [foldText(name), ...foldedNames(name)]));

  it('comes first for its name, unless cards are called so or more have its words', () => {
    const missed = index.sets.filter((set) => {
      const wanted = bareName(set);
      const [first] = found(readSetName(set.name).name.toLowerCase(), 1);
      return first && bareName(first.set) !== wanted && !names.has(wanted);
    });
    const expected = ['Dragon', 'Fossil', 'Prophecy', 'Rumble', 'Team Rocket', 'The Dark'];
    const others = new Set(missed.map((set) => readSetName(set.name).name));
    assert.ok(others.isSupersetOf(new Set(expected)) && others.size < 12, [...others].join());
  });

  it('has cards for its name', () => {
    const empty = index.sets.filter(({ name }) => found(name, 1).length === 0);
    assert.deepEqual(empty, []);
  });

  it('is named by what collectors type of it alone', () => {
    for (const [q, name] of [
      ['base set', 'Base Set'],
      ['the first chapter', 'The First Chapter'],
      ['unlimited edition', 'Unlimited Edition'],
      ['evolving skies', 'SWSH07: Evolving Skies'],
      ['prismatic evolutions', 'SV: Prismatic Evolutions'],
      ['jungle', 'Jungle'],
    ] as const) {
      const sets = new Set(found(q, 20).map((card) => card.set.name));
      assert.deepEqual([...sets], [name], q);
    }
  });
});

describe('every real card', () => {
  it('has a name without operators', () => {
    const read = cards.filter(({ name }) => {
      const { understood } = index.search({ q: name, sort: 'relevance', limit: 1, offset: 0 });
      return understood?.filters ?? understood?.problems;
    });
    assert.deepEqual([...new Set(read.map(({ name }) => name))], []);
  });

  it('is in the first five results for its name, or another card of that name is', () => {
    const names = new Set(cards.map((card) => card.name).filter((name) => foldText(name) !== ''));
    const missed = [...names].filter((name) => {
      return !found(name).some((card) => foldedNames(card.name).includes(foldText(name)));
    });
    assert.deepEqual(missed, []);
  });

  it('is found by name and number together', () => {
    const missed = cards.filter(({ id, name, number }, i) => {
      if (i % 10 !== 0) return false; // one in ten, to save time
      if (foldText(name) === '' || /^\?/.test(number ?? '')) return false; // unknown numbers
      return !found(`${name} ${number ?? ''}`, 100).some((card) => card.id === id);
    });
    assert.deepEqual(
      missed.map(({ name, number }) => `${name} ${number}`),
      [],
    );
  });
});

describe('oversized cards', () => {
  it('never come before a card that matches as well', () => {
    const jumbos = cards.filter(({ name }) => isOversized(name));
    assert.equal(jumbos.length, 301);
    const names = new Set(jumbos.map(({ name }) => withoutSize(name)));
    for (const name of [...names, 'charizard', 'pikachu', 'mewtwo', 'xy17', '58/102 pikachu']) {
      const results = found(name, 100);
      const firstJumbo = results.findIndex((card) => isOversized(card.name));
      const lastCard = results.findLastIndex((card) => {
        return !isOversized(card.name) && foldText(card.name) === foldText(name);
      });
      assert.ok(firstJumbo === -1 || firstJumbo > lastCard, name);
    }
  });

  it('are none of the first cards called Charizard, Pikachu and Mewtwo', () => {
    for (const name of ['charizard', 'pikachu', 'mewtwo', 'rayquaza', 'lugia', 'mew']) {
      const first = found(name, 10);
      assert.ok(
        first.every((card) => !isOversized(card.name)),
        `${name}: ${first.map((card) => card.name).join(', ')}`,
      );
    }
  });

  it('are found by their size', () => {
    const [first] = found('charizard 4/102 jumbo');
    assert.equal(first?.name, 'Charizard (CoroCoro Promo) (Jumbo)');
  });
});

/** The name of the card that an oversized one shows. */
function withoutSize(name: string): string {
  return withoutBrackets(withSizeInBrackets(name));
}

/** Common words typed as two, which are another word when put together. */
const SPLIT = [
  ...['t he', 'th e', 'o f', 'a nd', 'an d', 'dra gon', 'drag on', 'd ragon', 'f oil', 'fo il'],
  ...['foi l', 'ar t', 'a rt', 'b order', 'e x', 'v max', 'ma ster', 'fr om', 'f rom', 'fi re'],
  ...['f ire', 'sp irit', 'en ergy', 'ene rgy', 's et', 'to ken', 'tok en', 'c ard', 'fu ll'],
];

/** Words with one edit. */
const MISSPELT = [
  ...['drgon', 'fier', 'lght', 'watr', 'mster', 'knigt', 'amgel', 'demno', 'sprit', 'mgic'],
  ...['tokne', 'blak', 'whte', 'drak', 'lihgt', 'srat', 'msater', 'wizrd', 'golde', 'slver'],
  ...['drogan', 'pikchu', 'evee', 'mewtow', 'zpadys', 'rioalu', 'lugai'],
];

/** Words with one or two edits, long enough for two to be allowed. */
const LONG_MISSPELT = [
  ...['lightnimg', 'charizerd', 'blastiose', 'venasaurr', 'archanlge', 'commandre', 'destroyre'],
  ...['transformtion', 'enchantmemt', 'illustratoin', 'borderlass', 'exteneded', 'promotoinal'],
  ...['alternatve', 'holographc', 'championshp', 'prerelase'],
];

/** Words of names of sets that are frequent in names of cards too. */
const SET_WORDS = [
  ...['base', 'neo', 'dragon', 'legends', 'light', 'dark', 'storm', 'edition', 'masters', 'deck'],
  ...['legendary', 'collection', 'champion', 'sword', 'shield', 'scarlet', 'violet', 'phantom'],
  ...['beginnings', 'battle', 'duelist', 'shadows', 'ancient', 'origins', 'kingdom', 'horizons'],
];

/** No words, but made of the same letters as thousands of words. */
const SHUFFLED = [
  ...['etaoinshr', 'aeinorstl', 'raisetonl', 'lanternso', 'masterins', 'retainsol', 'stearings'],
  ...['trainerso', 'oriantels', 'sertanios', 'tironalse', 'anestirol', 'leraniost', 'norealits'],
  ...['sitoraeln', 'elnorates', 'aistrenol', 'rotalines', 'talensori', 'inaretols'],
];

function foldedNames(name: string): string[] {
  return [name, withoutBrackets(name), ...name.split(' // ')].map(foldText);
}

describe('bad input', () => {
  const LIMIT_MS = 20;
  const letters = Array.from({ length: 100 }, (_, i) => String.fromCodePoint(0x3b1 + i));
  const alphabet = [...'abcdefghijklmnopqrstuvwxyz'];
  const kana = Array.from({ length: 80 }, (_, i) => String.fromCodePoint(0x30a2 + i));
  const numbers = Array.from({ length: 60 }, (_, i) => i);
  /** Joins as many words as fit into the longest query that is allowed. */
  const fill = (words: readonly (string | number)[]) => words.join(' ').slice(0, MAX_QUERY);
  const INPUTS: Readonly<Record<string, string>> = {
    'all cards by price': 'cheapest',
    'all cards with a price': 'usd>=0',
    'all cards without a word': '-dragon',
    'many conditions': fill(alphabet.map((letter) => `-${letter}${letter}`)),
    'many alternatives': fill(alphabet.map((letter) => `${letter} or`)),
    'many brackets': '('.repeat(100) + ')'.repeat(100),
    'many fields': fill(numbers.map((number) => `set:${number}`)),
    'one letter, two times': 's s',
    'one letter and many hyphens': 's-'.repeat(100),
    'a hundred one-letter words': letters.join(' '),
    'the alphabet': alphabet.join(' '),
    'one word of 200 letters': 'a'.repeat(200),
    'words run together': 'thedragonofthe'.repeat(14),
    'many common words run together': fill(alphabet.map((letter) => `theofthe${letter}`)),
    'many unknown words run together': fill(alphabet.map((letter) => `ofthe${letter}`)),
    'the same word again and again': 'd '.repeat(100),
    'a common word': 'the '.repeat(50),
    'a common word split in two': 'th e '.repeat(40),
    'many words split in two': fill(SPLIT),
    'many common words': 'the of and to in a v ex s t e art full foil extended borderless d m',
    'the beginnings of words': 's t a r d c m',
    'many misspelt words': 'dragom lightnign charzard '.repeat(8).slice(0, 200),
    'short misspelt words': fill(MISSPELT),
    'long misspelt words': fill(LONG_MISSPELT),
    'words of frequent letters': fill(SHUFFLED),
    'many unknown words': 'qwzxjv kvwqzt xjqzkp zzqxwv '.repeat(8).slice(0, 200),
    'unknown words among common ones': 'qqqqqqqqq the of and dragon art full foil extended energy',
    'many numbers': numbers.join(' '),
    'numbers from the most frequent on': fill(numbers.slice(1)),
    'numbers with hyphens': fill(numbers.map((number) => `${number}-${number + 1}`)),
    'one number with many totals': fill(numbers.map((total) => `1/${total}`)),
    'one number and many hyphens': numbers.join('-'),
    slashes: 'd/'.repeat(100),
    hyphens: '1-'.repeat(100),
    'hyphens and letters': alphabet.join('-').repeat(4).slice(0, 200),
    'ligatures of many letters': 'ﷺ'.repeat(200),
    kana: 'ア '.repeat(100),
    'many kana': fill(kana),
    'long vowel marks': 'ー'.repeat(200),
    punctuation: '!?*.,'.repeat(40),
    emoji: '😀'.repeat(100),
    'control characters': '\u0000\u0007'.repeat(100),
    'lone surrogates': '\ud800'.repeat(200),
    'a regular expression': '(a+)+$|[^x]*.{1,9}\\d\\'.repeat(8),
    SQL: `'; drop table cards; --" % _ or 1=1`,
    'many names of sets': fill(SET_WORDS),
    'many names of sets, misspelt': fill(SET_WORDS.map((word) => `${word.slice(1)}e`)),
    'one set again and again': fill(Array(40).fill('base set')),
    'words of sets and names of many cards': fill([
      'dragon',
      'set',
      'base',
      'of',
      'the',
      'legends',
    ]),
    'many rarities': fill(Array(12).fill('rare common uncommon mythic')),
    'many printings': fill(Array(10).fill('foil holo reverse 1st edition')),
    'many conditions and grades': fill(Array(20).fill('psa 10 nm lp bgs 9.5')),
    'many years': fill(Array.from({ length: 60 }, (_, i) => 1970 + i)),
    'many games': fill(Array(8).fill('pokemon magic yugioh one piece lorcana')),
    'many words that mean more than one thing': fill(
      Array(8).fill('light blue rare holo gold star first alpha ex'),
    ),
    'a name and many unknown words': fill(['charizard', ...Array(20).fill('qwzxjv kvwqzt')]),
    'many names of cards': fill(Array(10).fill('charizard pikachu lightning bolt sol ring')),
    'a title and much of another': fill([
      '1999 Pokemon Base Set Charizard Holo 4/102 PSA 9',
      'Magic Lightning Bolt M11 149 foil NM Yugioh Dark Magician LOB-005 1st edition',
      'One Piece Roronoa Zoro OP01-025 parallel super rare',
    ]),
    'numbers and words of sets': fill(SET_WORDS.map((word, i) => `${word} ${i}/${100 + i} #${i}`)),
  };

  for (const [what, q] of Object.entries(INPUTS)) {
    it(`of ${what} takes less than ${LIMIT_MS} ms`, async () => {
      await assertQuick({ q, sort: 'relevance', limit: 100, offset: 0 });
    });
  }

  for (const sort of SEARCH_SORTS) {
    it(`of one letter, which a fifth of all cards match, by ${sort} takes less than ${LIMIT_MS} ms`, async () => {
      await assertQuick({ q: 's', sort, limit: 100, offset: 0 });
    });
  }

  it(`of one letter in one rarity takes less than ${LIMIT_MS} ms`, async () => {
    await assertQuick({ q: 's', rarity: 'Rare', sort: 'relevance', limit: 100, offset: 0 });
  });

  async function assertQuick(query: SearchQuery): Promise<void> {
    const ms = await paced(() => index.search(query), { runs: 10 });
    assert.ok(ms < LIMIT_MS, `${ms} ms`);
  }
});

describe('committing a new set', () => {
  it('of 300 cards to the whole catalogue blocks for less than 20 ms', async () => {
    let round = 0;
    const ms = await paced(() => index.commit(), {
      runs: 5,
      before: () => {
        for (let i = 0; i < 300; i++) index.add(newCard(round, i));
        round++;
      },
    });
    assert.equal(found('Brandnew Card').length, 5);
    assert.ok(ms < 20, `${ms} ms`);
  });
});

function newCard(round: number, i: number): Card {
  const set = {
    rowId: 1e9 + round,
    id: `mtg-new-${round}`,
    game: 'mtg',
    code: `N${round}`,
    name: `New ${round}`,
    releaseDate: null,
  } as const;
  return {
    rowId: cards.length + 1 + round * 300 + i,
    id: `mtg-n${round}-brandnew-card-${i}`,
    set,
    name: `Brandnew Card ${round} ${i}`,
    number: String(i),
    rarity: null,
    image: null,
    printings: [],
  };
}
