import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { editDistance } from '../../src/lib/edit-distance.ts';
import { areSimilar, misreadDigits, misreadLetters } from '../../src/search/misread.ts';

describe('the edit distance of two words', () => {
  const DISTANCES: readonly (readonly [one: string, other: string, edits: number])[] = [
    ['bolt', 'bolt', 0],
    ['', 'bolt', 4],
    ['bolt', 'blt', 1],
    ['bolt', 'boolt', 1],
    ['bolt', 'belt', 1],
    ['bolt', 'botl', 1],
    ['bolt', 'obtl', 2],
    // Two letters swapped, and the one between them left out.
    ['archangel', 'archanlg', 2],
    ['charizard', 'lizard', 4],
    ['x'.repeat(300), 'x'.repeat(298), 2],
  ];
  for (const [one, other, edits] of DISTANCES) {
    it(`is ${edits} for ${one.slice(0, 20)} and ${other.slice(0, 20)}`, () => {
      for (const limit of [edits, edits + 1, 5]) {
        assert.equal(editDistance(one, other, limit), edits);
        assert.equal(editDistance(other, one, limit), edits);
      }
      if (edits > 0) assert.ok(editDistance(one, other, edits - 1) >= edits);
    });
  }
});

describe('text that a machine misread', () => {
  const WORDS = { b0lt: 'bolt', li6htn1n6: 'lightnlng', m3wtw0: 'mewtwo', '58247': 'sb247' };
  for (const [read, printed] of Object.entries(WORDS)) {
    it(`has letters for digits: ${printed} for ${read}`, () => {
      assert.equal(misreadLetters(read), printed);
    });
  }

  const NUMBERS = {
    l49: '149',
    DTD2O4: 'DTD204',
    'i4/1O2': '14/102',
    'LOB-E005': 'LOB-E005',
    sol: 'sol',
  };
  for (const [read, printed] of Object.entries(NUMBERS)) {
    it(`has digits for letters in numbers: ${printed} for ${read}`, () => {
      assert.equal(misreadDigits(read), printed);
    });
  }

  const LOOKALIKES = [
    ['burn', 'bum'],
    ['oil', '011'],
    ['vvild', 'wi1d'],
    ['girl', 'gin'],
  ];
  for (const [one = '', other = ''] of LOOKALIKES) {
    it(`may look like another word: ${one} and ${other}`, () => {
      assert.ok(areSimilar([one], [other]));
      assert.ok(areSimilar([other], [one]));
    });
  }

  const OTHERS = [
    ['bolt', 'belch'],
    ['baby', 'baby 5'],
    ['nidoran f', 'nidoran m'],
    ['fury', 'fire'],
  ];
  for (const [one = '', other = ''] of OTHERS) {
    it(`is another name if it differs by more: ${one} and ${other}`, () => {
      assert.equal(areSimilar(one.split(' '), other.split(' ')), false);
    });
  }
});
