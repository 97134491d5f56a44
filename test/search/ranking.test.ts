import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Documents } from '../../src/search/documents.ts';
import { makeName } from '../../src/search/fields.ts';
import { InvertedIndex } from '../../src/search/inverted-index.ts';
import { type PrintMatch, rankOf } from '../../src/search/ranking.ts';
import { readSentence } from '../../src/search/sentence.ts';

/** Returns the rank of a name. `edits` and `prints` describe how each word matches. */
function rank(
  q: string,
  text: string,
  edits: readonly number[] = [],
  prints: readonly (PrintMatch | undefined)[] = [],
): number {
  const query = readSentence(q, new InvertedIndex(new Documents()));
  const name = makeName(text, 0, (term) => term);
  const byName = query.terms.map(({ text: word }, i) => {
    const isIn = name.folded.includes(word);
    const match = { text: word, isWhole: name.terms.includes(word), edits: edits[i] ?? 0 };
    return isIn ? match : undefined;
  });
  return rankOf(query, name, byName, prints);
}

describe('the rank of a name', () => {
  it('is better the more of the name the query covers', () => {
    const ranks = [
      rank('sol ring', 'Sol Ring'),
      rank('sol ring', 'Sol Ring (Borderless)'),
      rank('sol ring', 'Sol Rings'),
      rank('sol rin', 'Sol Ringer'),
      rank('sol ring', 'Sol Ring of Fire'),
      rank('ring sol', 'Sol Ring'),
      rank('ring sol', 'Sol Ring of Fire'),
      rank('ring so', 'Sol Ring'),
    ];
    assert.deepEqual(
      ranks,
      [...new Set(ranks)].toSorted((a, b) => a - b),
    );
  });

  it('counts a missing last letter from five typed letters on', () => {
    assert.ok(rank('rotom', 'Rotomi') < rank('rotom', 'Rotomix'));
    assert.equal(rank('roto', 'Rotom'), rank('roto', 'Rotomi'));
  });

  it('is worse the more letters were corrected in all words', () => {
    const [none, one, two] = [
      [0, 0],
      [1, 0],
      [1, 1],
    ].map((edits) => {
      return rank('sol ring', 'Sol Ring', edits);
    });
    assert.ok(none !== undefined && one !== undefined && two !== undefined);
    assert.ok(none < one && one < two);
    assert.equal(rank('sol ring', 'Sol Ring', [2, 0]), two);
  });

  it('is the better one of a word that is in the name and printed on the card', () => {
    assert.equal(rank('mew 151', 'Mew', [], ['code', 'number']), rank('mew', 'Mew'));
    const printed = rank('mew 151', 'Arcanine', [], ['code', 'number']);
    assert.equal(rank('mew 151', 'Lugia & Mew', [], ['code', 'number']), printed);
    assert.ok(printed < rank('mew', 'Lugia & Mew'));
  });

  it('is worse with a number of another total, and with only a code', () => {
    const same = rank('sol 4', 'Sol', [], [undefined, 'number']);
    assert.ok(same < rank('sol 4', 'Sol', [], [undefined, 'number of another total']));
    assert.ok(same < rank('sol 4', 'Sol', [], [undefined, 'code']));
  });
});
