import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  bracketsOf,
  facesOf,
  readSetName,
  withoutBrackets,
  withoutNumber,
  withoutNumberOfTotal,
} from '../../src/domain/card-name.ts';

const text = fc.string({ unit: 'grapheme' });
const word = fc.stringMatching(/^[A-Za-z]{1,8}$/);

describe('withoutBrackets', () => {
  it('drops text in brackets, unless nothing would be left', () => {
    assert.equal(withoutBrackets('Pack Hunt (Yellow)'), 'Pack Hunt');
    assert.equal(withoutBrackets('Champions Festival (Worlds 13) [Top 16]'), 'Champions Festival');
    assert.equal(withoutBrackets('シャルデド（デルタ種）'), 'シャルデド');
    assert.equal(withoutBrackets('(Hazmat Suit)'), '(Hazmat Suit)');
  });

  it('never leaves an empty name, and leaves names without brackets alone', () => {
    fc.assert(fc.property(text, (name) => assert.equal(withoutBrackets(name) === '', name === '')));
    fc.assert(fc.property(word, (name) => assert.equal(withoutBrackets(name), name)));
  });
});

describe('bracketsOf', () => {
  it('returns what stands in brackets, in its order', () => {
    assert.deepEqual(bracketsOf('Festival (Worlds 13) [Top 16]'), ['Worlds 13', 'Top 16']);
    assert.deepEqual(bracketsOf('シャルデド（デルタ種）'), ['デルタ種']);
    assert.deepEqual(bracketsOf('Pikachu'), []);
  });

  it('returns all of what withoutBrackets drops', () => {
    fc.assert(
      fc.property(word, fc.array(word, { maxLength: 4 }), (name, variants) => {
        const whole = [name, ...variants.map((variant) => `(${variant})`)].join(' ');
        assert.deepEqual([withoutBrackets(whole), bracketsOf(whole)], [name, variants]);
      }),
    );
  });
});

describe('facesOf', () => {
  it('returns the faces of a card, front first', () => {
    assert.deepEqual(facesOf('Fire // Ice'), ['Fire', 'Ice']);
    assert.deepEqual(facesOf('Pikachu'), ['Pikachu']);
  });
});

describe('withoutNumber', () => {
  const cases: readonly (readonly [name: string, number: string, bare: string])[] = [
    ['Kangaskhan ex - 190/165', '190/165', 'Kangaskhan ex'],
    ['Kangaskhan ex - 190/165 (Stamped)', '190/165', 'Kangaskhan ex (Stamped)'],
    ["Brock's Sandshrew (72)", '072/132', "Brock's Sandshrew"],
    ['Monkey.D.Luffy (024)', 'OP01-024', 'Monkey.D.Luffy'],
    ['Tropical Wind - DP05 (Worlds 07)', 'DP25', 'Tropical Wind - DP05 (Worlds 07)'],
    ['Fairy Energy (#2)', '2/30', 'Fairy Energy (#2)'],
    ['Unown (!)', '!/28', 'Unown'],
  ];
  for (const [name, number, bare] of cases) {
    it(`makes ${name}, ${number}, ${bare}`, () => assert.equal(withoutNumber(name, number), bare));
  }

  it('never leaves an empty name', () => {
    fc.assert(
      fc.property(text, text, (name, number) => {
        assert.equal(withoutNumber(name, number) === '', name === '');
      }),
    );
  });
});

describe('withoutNumberOfTotal', () => {
  it('drops any number with a total', () => {
    assert.equal(withoutNumberOfTotal('Ninetales -199/197'), 'Ninetales');
    assert.equal(withoutNumberOfTotal('Great Tusk - 097/162 - 2024'), 'Great Tusk - 2024');
    assert.equal(withoutNumberOfTotal('Ninetales - 199/197 (Stamped)'), 'Ninetales (Stamped)');
  });

  it('leaves faces and other slashes alone', () => {
    for (const name of ['Fire // Ice', 'D/D/D Headhunt', 'Pikachu']) {
      assert.equal(withoutNumberOfTotal(name), name);
    }
  });
});

describe('readSetName', () => {
  const cases: readonly (readonly [text: string, code: string, name: string])[] = [
    ['SV02: Paldea Evolved', 'SV02', 'Paldea Evolved'],
    ['SM - Team Up', 'SM', 'Team Up'],
    ['HS—Undaunted', 'HS', 'Undaunted'],
    ['SV8a: Terastal Festival ex', 'SV8a', 'Terastal Festival ex'],
    ['Base Set', '', 'Base Set'],
    ['Return to Ravnica', '', 'Return to Ravnica'],
    ['SV02: ', '', 'SV02: '],
  ];
  for (const [written, code, name] of cases) {
    it(`reads ${written}`, () => assert.deepEqual(readSetName(written), { code, name }));
  }

  it('takes nothing away but the code and what follows it, and never the whole name', () => {
    fc.assert(
      fc.property(text, (any) => {
        const { code, name } = readSetName(any);
        assert.ok(any.startsWith(code) && any.endsWith(name));
        assert.equal(name === '', any === '');
        assert.ok(code !== '' || name === any);
      }),
    );
  });
});
