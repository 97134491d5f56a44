import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  foldChunks,
  foldText,
  foldWords,
  matchLabels,
  withoutZeros,
} from '../../src/domain/text.ts';

/** Spellings of one text, which must all fold alike. */
const SAME: readonly (readonly [what: string, ...spellings: string[]])[] = [
  ['case', 'Charizard', 'CHARIZARD', 'charizard'],
  ['accents', 'Pokémon', 'Pokemon', 'Poke\u0301mon'],
  ['letters with no separable accent', 'Æther', 'Aether'],
  ['width', 'ＭＥＷ２', 'Mew2'],
  ['half-width kana', 'ﾋﾟｶﾁｭｳ', 'ピカチュウ'],
  ['quotes', "Farfetch'd", 'Farfetch’d', 'Farfetch‘d', 'Farfetch´d', 'Farfetchd'],
  ['dashes', 'Yu-Gi-Oh', 'Yu–Gi—Oh', 'Yu Gi Oh', 'YuGiOh'],
  ['slashes', 'D/D/D', 'D D D', 'DDD'],
  ['ampersand', 'Ace & Newgate', 'Ace and Newgate', 'Ace &amp; Newgate', 'Ace andamp; Newgate'],
  ['entities', 'Barrel &quot;Roll&quot;', 'Barrel "Roll"', 'Barrel &#34;Roll&#34;'],
  ['kana kind', 'ピカチュウ', 'ぴかちゅう'],
  ['long vowel marks', 'ウリムー', 'うりむう', 'ｳﾘﾑｰ'],
  ['long o', 'ホーオー', 'ほうおう'],
  ['middle dots', 'カプ・コケコ', 'カプコケコ'],
  ['Japanese pairs', 'ピカチュウ&ゼクロム', 'ピカチュウ＆ゼクロム', 'ピカチュウゼクロム'],
  ['sexes', 'Nidoran ♀', 'Nidoran F'],
  ['Greek letters', 'Charizard δ', 'Charizard Delta'],
  ['stars as words', 'Pikachu ★', 'Pikachu Star'],
  ['stars as ornament', 'Patch★Work', 'Patchwork'],
];

/** Texts that only look alike, and must not fold alike. */
const DIFFERENT: readonly (readonly [string, string])[] = [
  ['カ', 'ガ'],
  ['ハ', 'パ'],
  ['サー', 'サ'],
  ['74a', '74'],
  ['117★', '117'],
  ['Nidoran ♀', 'Nidoran ♂'],
];

describe('foldText', () => {
  for (const [what, ...spellings] of SAME) {
    it(`makes spellings the same that differ in ${what}`, () => {
      assert.equal(new Set(spellings.map(foldText)).size, 1, spellings.map(foldText).join(' ≠ '));
    });
  }

  for (const [a, b] of DIFFERENT) {
    it(`keeps ${a} apart from ${b}`, () => assert.notEqual(foldText(a), foldText(b)));
  }

  it('takes any text, and folding twice changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const once = foldText(text);
        assert.equal(foldText(once), once);
      }),
    );
  });

  it('leaves nothing of punctuation, emoji, control characters and lone surrogates', () => {
    assert.equal(foldText('!?*.,\u0000\u001f😀\ud800#"\'`'), '');
  });
});

describe('foldWords', () => {
  it('parts words at punctuation, but not at apostrophes', () => {
    assert.deepEqual(foldWords("Jack-o'-lantern"), ['jack', 'o', 'lantern']);
    assert.deepEqual(foldWords('Monkey.D.Luffy'), ['monkey', 'd', 'luffy']);
  });

  it('parts Japanese from other scripts', () => {
    assert.deepEqual(foldWords('ムウマージex'), ['ムウマアジ', 'ex']);
    assert.deepEqual(foldWords('ポケモンカード151'), ['ポケモンカアド', '151']);
  });
});

describe('foldChunks', () => {
  it('keeps the words between spaces together, and separates what follows a slash', () => {
    assert.deepEqual(foldChunks('Nami OP01-016 4/102'), [
      { words: ['nami'], afterSlash: [], typed: ['nami'] },
      { words: ['op01', '016'], afterSlash: [], typed: ['op01', '016'] },
      { words: ['4'], afterSlash: ['102'], typed: ['4'] },
    ]);
  });
});

describe('withoutZeros', () => {
  it('drops zeros in front of each number, and only there', () => {
    assert.deepEqual(['004', 'tg01', '100', '000', 'a'].map(withoutZeros), [
      '4',
      'tg1',
      '100',
      '0',
      'a',
    ]);
  });
});

describe('matchLabels', () => {
  it('ranks a whole label before its beginning, and that before a part', () => {
    const labels = ['Base Set', 'BS'];
    assert.deepEqual(
      ['bs', 'base', 'set', 'jungle', ''].map((part) => matchLabels(labels, part)),
      [0, 1, 2, undefined, undefined],
    );
  });
});
