import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  collectorPart,
  compacted,
  compareNumbers,
  hyphenated,
  numberForms,
  readCollectorNumber,
  readCollectorNumbers,
  repeatsNumber,
} from '../../src/domain/collector-number.ts';

const text = fc.string({ unit: 'grapheme' });
const digits = fc.integer({ min: 1, max: 9999 });
const zeros = fc.integer({ min: 0, max: 4 }).map((count) => '0'.repeat(count));

describe('readCollectorNumber', () => {
  it('separates the words of the number from the total of its set', () => {
    assert.deepEqual(readCollectorNumber('004/102'), { words: ['004'], total: '102' });
    assert.deepEqual(readCollectorNumber('OP01-025'), { words: ['op01', '025'], total: '' });
    assert.deepEqual(readCollectorNumber('TG12/TG030'), { words: ['tg12'], total: 'tg30' });
    assert.deepEqual(readCollectorNumber('SVP 085'), { words: ['svp', '085'], total: '' });
    assert.deepEqual(readCollectorNumber('—'), { words: [], total: '' });
  });

  it('reads any text in any case', () => {
    fc.assert(
      fc.property(text, (any) => {
        const { words, total } = readCollectorNumber(any);
        assert.ok(words.every((word) => word !== '' && !/[\s/-]/.test(word)));
        assert.doesNotMatch(total, /[\s/-]/);
      }),
    );
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Z]{0,4}\d{1,4}$/), (number) => {
        assert.deepEqual(readCollectorNumber(number), readCollectorNumber(number.toLowerCase()));
      }),
    );
  });
});

describe('readCollectorNumbers', () => {
  it('reads both numbers of a card that bears two', () => {
    assert.deepEqual(readCollectorNumbers('099/102 & 100/102').map(hyphenated), ['99', '100']);
    assert.deepEqual(readCollectorNumbers('101/102 + 102/102').map(hyphenated), ['101', '102']);
    assert.deepEqual(readCollectorNumbers('4/102').map(hyphenated), ['4']);
  });
});

describe('collectorPart', () => {
  it('is what stands before the slash, as printed', () => {
    assert.equal(collectorPart('004/102'), '004');
    assert.equal(collectorPart('OP01-025'), 'OP01-025');
  });
});

describe('hyphenated and compacted', () => {
  it('drop zeros in front of each word and join the words', () => {
    const number = readCollectorNumber('SVP 085');
    assert.deepEqual([hyphenated(number), compacted(number)], ['svp-85', 'svp85']);
  });

  it('never join digits of two words to one number', () => {
    const number = readCollectorNumber('OP01-025');
    assert.deepEqual([hyphenated(number), compacted(number)], ['op1-25', 'op1-25']);
    fc.assert(
      fc.property(digits, digits, (a, b) => {
        assert.equal(compacted(readCollectorNumber(`${a}-${b}`)), `${a}-${b}`);
      }),
    );
  });

  it('are the same with any leading zeros and any total', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z]{0,3}$/),
        zeros,
        digits,
        digits,
        (code, pad, own, of) => {
          const padded = readCollectorNumber(`${code}${pad}${own}/${of}`);
          const bare = readCollectorNumber(`${code}${own}`);
          assert.equal(hyphenated(padded), hyphenated(bare));
          assert.equal(compacted(padded), compacted(bare));
        },
      ),
    );
  });
});

describe('numberForms', () => {
  it('lists a number with and without the code of its set', () => {
    assert.deepEqual(numberForms('SVP 085', 'svp'), ['svp85', '85']);
    assert.deepEqual(numberForms('OP01-016', 'op1'), ['op1-16', '16']);
    assert.deepEqual(numberForms('OP10-016', 'op1'), ['op10-16']);
    assert.deepEqual(numberForms('TG01/TG30', 'sit'), ['tg1']);
  });

  it('lists both numbers of a card that bears two, and none where nothing is printed', () => {
    assert.deepEqual(numberForms('099/102 & 100/102', ''), ['99', '100']);
    assert.deepEqual(numberForms('?', ''), []);
    assert.deepEqual(numberForms(null, ''), []);
  });

  it('lists no empty form, for any text and code', () => {
    fc.assert(
      fc.property(text, fc.stringMatching(/^[a-z0-9]{0,4}$/), (number, code) => {
        assert.ok(numberForms(number, code).every((form) => form !== ''));
      }),
    );
  });
});

describe('compareNumbers', () => {
  const cases: readonly (readonly [string | null, string | null, string])[] = [
    ['004/102', '4', 'same'],
    ['100/102', '099/102 & 100/102', 'same'],
    ['M10-146', '146', 'near'],
    ['123p', '123', 'near'],
    [null, '4', 'near'],
    ['74a', '75', 'other'],
    ['TG01', 'TG02', 'other'],
  ];
  for (const [one, other, expected] of cases) {
    it(`finds ${one ?? 'no number'} and ${other} ${expected}`, () => {
      assert.equal(compareNumbers(one, other), expected);
    });
  }

  it('is the same in either order, and every number is the same as itself', () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        assert.equal(compareNumbers(one, other), compareNumbers(other, one));
        assert.notEqual(compareNumbers(one, one), 'other');
      }),
    );
  });
});

describe('repeatsNumber', () => {
  it('takes the number, or its last part, with and without zeros and total', () => {
    for (const [repeated, number] of [
      ['72', '072/132'],
      ['190/165', '190/165'],
      ['25', 'OP01-025'],
      ['200', 'SVP 200'],
      ['!', '!/28'],
    ] as const) {
      assert.equal(repeatsNumber(repeated, number), true, `${repeated} of ${number}`);
    }
  });

  it('accepts no other number, and none with an additional sign', () => {
    assert.equal(repeatsNumber('DP05', 'DP06'), false);
    assert.equal(repeatsNumber('#1', '1/30'), false);
  });
});
