import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { foldWords } from '../../../src/domain/text.ts';
import type { Understood } from '../../../src/search/index.ts';
import { problemsOf, readingsOf, withoutWords } from '../../../web/src/search/readings.ts';

const NOTHING: Understood = {
  name: null,
  set: null,
  number: null,
  rarity: null,
  printing: null,
  treatment: null,
  year: null,
  language: null,
  game: null,
  condition: null,
  grade: null,
  ignored: [],
};

describe('The readings of a query', () => {
  it('are the parts beyond the name, each removable', () => {
    const understood = { ...NOTHING, name: 'charizrd', set: 'base set', number: '4/102' };
    assert.deepEqual(readingsOf(understood, 'Charizrd Base Set 4/102'), [
      { label: 'set', words: 'base set', rest: 'Charizrd 4/102' },
      { label: 'number', words: '4/102', rest: 'Charizrd Base Set' },
    ]);
  });

  it('begin with the words that were left out', () => {
    const understood = { ...NOTHING, name: 'elsa', grade: 'psa 9', ignored: ['xyzzy', 'card'] };
    assert.deepEqual(readingsOf(understood, 'xyzzy elsa psa 9 card'), [
      { label: 'Not understood', words: 'xyzzy card', rest: 'elsa psa 9' },
      { label: 'grade', words: 'psa 9', rest: 'xyzzy elsa card' },
    ]);
  });

  it('include filters, orders and malformed parts, removable where they were typed', () => {
    const q = 'cheapest charizard artist:arita -vmax';
    const understood = {
      ...NOTHING,
      name: 'charizard',
      filters: [
        { typed: 'cheapest', from: 0, to: 8, means: 'sort:price_asc' },
        { typed: '-vmax', from: 32, to: 37, means: '-"vmax"' },
      ],
      problems: [
        {
          typed: 'artist:arita',
          from: 19,
          to: 31,
          message: 'Cardprice does not know artists yet.',
        },
      ],
    };
    assert.deepEqual(readingsOf(understood, q), [
      { label: 'Not understood', words: 'artist:arita', rest: 'cheapest charizard -vmax' },
      { label: 'order', words: 'cheapest', rest: 'charizard artist:arita -vmax' },
      { label: 'filter', words: '-vmax', rest: 'cheapest charizard artist:arita' },
    ]);
    assert.deepEqual(problemsOf(understood), ['Cardprice does not know artists yet.']);
  });

  it('show the words of an alias, which nobody typed, without removing them', () => {
    const understood = {
      ...NOTHING,
      name: 'umbreon vmax',
      set: 'evolving skies',
      ignored: ['215'],
    };
    assert.deepEqual(readingsOf({ ...understood, condition: 'nm' }, 'moonbreon NM'), [
      { label: 'name', words: 'umbreon vmax', rest: undefined },
      { label: 'set', words: 'evolving skies', rest: undefined },
      { label: 'condition', words: 'nm', rest: 'moonbreon' },
    ]);
  });
});

describe('Removing words from a text', () => {
  it('keeps everything else as typed', () => {
    assert.equal(withoutWords('CharIzard  Base Set 4/102', 'base set'), 'CharIzard 4/102');
    assert.equal(withoutWords('Charizard - Base Set - 4/102', 'base set'), 'Charizard - 4/102');
    assert.equal(withoutWords('4x Bolt (M11) #149', 'm11'), '4x Bolt #149');
    assert.equal(withoutWords('  “Elsa”, enchanted!', 'enchanted'), '  “Elsa');
    assert.equal(withoutWords('psa 10', 'psa 10'), '');
  });

  it('compares words as searches fold them', () => {
    assert.equal(withoutWords('Charizard POKÉMON', 'pokemon'), 'Charizard');
    assert.equal(withoutWords('Zekrom Black & White', 'black and white'), 'Zekrom');
    assert.equal(withoutWords('Charizard 004/0102', '004/102'), 'Charizard');
    assert.equal(withoutWords('Luffy OP01-025 foil', 'op01-025'), 'Luffy foil');
    assert.equal(withoutWords('D/D/D common', 'ddd'), 'common');
    assert.equal(withoutWords('リザードンSR', 'sr'), 'リザードン');
    assert.equal(withoutWords('リザードン sr', 'リザアドン'), 'sr');
  });

  it('also removes words that are not next to each other', () => {
    assert.equal(withoutWords('base charizard SET', 'base set'), 'charizard');
    assert.equal(withoutWords('xyzzy charizard foo', 'xyzzy foo'), 'charizard');
  });

  it('removes the last of equal words', () => {
    assert.equal(withoutWords('Light of Forbidden Light', 'light'), 'Light of Forbidden');
    assert.equal(withoutWords('Light 4 Forbidden Light', 'forbidden light'), 'Light 4');
  });

  it('refuses words that the text does not have', () => {
    for (const words of ['evolving skies', 'moon', 'breon', 'umbreon moonbreon', '', ' ', '!']) {
      assert.equal(withoutWords('moonbreon', words), undefined, words);
    }
    assert.equal(withoutWords('a b', 'b a'), undefined);
    assert.equal(withoutWords('', 'a'), undefined);
  });

  it('never removes other words, with any separator', () => {
    fc.assert(
      fc.property(parts, ({ words, separators, isRemoved }) => {
        const text = words.map((word, i) => word + separators[i]).join('');
        const removed = words.filter((_, i) => isRemoved[i]);
        const kept = words.filter((_, i) => !isRemoved[i]);
        fc.pre(removed.length > 0);
        const rest = withoutWords(text, foldWords(removed.join(' ')).join(' '));
        assert.notEqual(rest, undefined);
        assert.deepEqual(foldWords(rest ?? ''), foldWords(kept.join(' ')));
        for (const word of kept) assert.ok(rest?.includes(word), word);
      }),
    );
  });

  it('leaves exactly the other words of any text, or refuses', () => {
    fc.assert(
      fc.property(anyText, fc.nat(), fc.nat({ max: 3 }), (text, from, more) => {
        const words = foldWords(text);
        fc.pre(words.length > 0);
        const start = from % words.length;
        const removed = words.slice(start, start + 1 + more);
        const rest = withoutWords(text, removed.join(' '));
        if (rest === undefined) return;
        const left = foldWords(rest);
        assert.equal(left.length, words.length - removed.length);
        assert.deepEqual([...left, ...removed].sort(), words.sort());
        assert.ok(isSubsequence([...rest.replaceAll(/\s/g, '')], [...text]));
      }),
    );
  });
});

const WORDS = [
  'Base',
  'SET',
  "Farfetch'd",
  'Flabébé',
  '４',
  '102',
  'ﬁre',
  'ピカチュウ',
  'σ',
  'x1',
  '9.5',
];
const SEPARATORS = [' ', '  ', ' - ', ', ', ' (', ') ', ' #', '!? ', '\t', ' “', '” ', '/ '];

/** Different words, what follows each, and which are removed. */
const parts = fc.record({
  words: fc.shuffledSubarray(WORDS, { minLength: 1 }),
  separators: fc.array(fc.constantFrom(...SEPARATORS), { minLength: 11, maxLength: 11 }),
  isRemoved: fc.array(fc.boolean(), { minLength: 11, maxLength: 11 }),
});

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(...'aA4/-& ;amp#’★ー&リsr()é♀ \n'), maxLength: 40 }),
);

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let at = -1;
  return part.every((sign) => {
    at = whole.indexOf(sign, at + 1);
    return at >= 0;
  });
}
