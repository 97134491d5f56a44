import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type FieldTest,
  type LuceneFields,
  parseLucene,
  QueryFault,
} from '../../../src/search/query/lucene.ts';
import { compileLucene } from '../../../src/search/query/lucene-matcher.ts';
import { joinTrees, type Tree } from '../../../src/search/query/tree.ts';
import { paced } from '../../support/pace.ts';
import { HOSTILE_LUCENE } from './hostile.ts';

const FIELDS: LuceneFields = {
  fields: new Set(['name', 'hp', 'types', 'set', 'attacks', 'number']),
  wordFields: ['name', 'set.name'],
  keywords: new Set(['number']),
};

/** Writes a tree with all of its brackets. */
function print(tree: Tree<FieldTest>): string {
  if (tree.kind === 'not') return `-${print(tree.of)}`;
  if (tree.kind !== 'field') {
    return `(${tree.of.map(print).join(tree.kind === 'any' ? ' OR ' : ' ')})`;
  }
  const { field, isExact, value, range } = tree;
  const open = range?.isLowOpen ? '{' : '[';
  const close = range?.isHighOpen ? '}' : ']';
  const written = range ? `${open}${range.low} TO ${range.high}${close}` : `"${value}"`;
  return `${isExact ? '!' : ''}${field}:${written}`;
}

function meaningOf(q: string): string {
  return print(parseLucene(q, FIELDS));
}

function faultOf(q: string): string {
  try {
    return `read as ${meaningOf(q)}`;
  } catch (error) {
    assert.ok(error instanceof QueryFault, String(error));
    return error.message;
  }
}

const value = fc.constantFrom('venusaur v', 'char*', 'a?c', 'OR', '(x)', 'à', String.raw`\"`);
const end = fc.constantFrom('*', '1', '150', '2020/01/01', 'b');
const test = fc
  .record({
    field: fc.constantFrom('name', 'hp', 'set.name', 'attacks.convertedEnergyCost'),
    isExact: fc.boolean(),
    value,
    range: fc.option(
      fc.record(
        { low: end, high: end, isLowOpen: fc.boolean(), isHighOpen: fc.boolean() },
        { noNullPrototype: true },
      ),
      { nil: undefined },
    ),
  })
  .map(({ range, value, ...others }): Tree<FieldTest> => {
    return { kind: 'field', ...others, range, value: range ? '' : value };
  });
const { tree } = fc.letrec<{ tree: Tree<FieldTest>; group: Tree<FieldTest> }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    test,
    tie('group'),
    tie('tree').map((of): Tree<FieldTest> => (of.kind === 'not' ? of : { kind: 'not', of })),
  ),
  group: fc
    .tuple(fc.constantFrom('all' as const, 'any' as const), test, fc.array(tie('tree')))
    .map(([kind, first, others]) => {
      return joinTrees<FieldTest>(kind, [first, ...others.slice(0, 2)]) ?? first;
    }),
}));

describe('a query in the language of Lucene', () => {
  it('is read as the tree that was written', () => {
    fc.assert(
      fc.property(tree, (written) => {
        const read = parseLucene(print(written), FIELDS);
        assert.deepEqual(read, written);
      }),
    );
  });

  it('joins conditions by AND, which may be left out and binds closer than OR', () => {
    assert.equal(meaningOf('name:a hp:1 OR types:b'), '((name:"a" hp:"1") OR types:"b")');
    assert.equal(meaningOf('name:a AND hp:1 && types:b'), '(name:"a" hp:"1" types:"b")');
    assert.equal(meaningOf('name:a || hp:1'), '(name:"a" OR hp:"1")');
    assert.equal(meaningOf('name:a (hp:1 OR hp:2)'), '(name:"a" (hp:"1" OR hp:"2"))');
  });

  it('excludes by a minus and by NOT', () => {
    assert.equal(meaningOf('name:a -types:b'), '(name:"a" -types:"b")');
    assert.equal(meaningOf('NOT (types:b OR -hp:1)'), '-(types:"b" OR -hp:"1")');
    assert.equal(meaningOf('-NOT name:a'), 'name:"a"');
  });

  it('marks exact values by an exclamation mark', () => {
    assert.equal(meaningOf('!name:mew -!name:"mew ex"'), '(!name:"mew" -!name:"mew ex")');
  });

  it('has ranges with open and closed ends, and comparisons', () => {
    assert.equal(meaningOf('hp:[1 TO 5} hp:{* TO 9]'), '(hp:[1 TO 5} hp:{* TO 9])');
    assert.equal(meaningOf('hp:[ 1   TO  5 ]'), 'hp:[1 TO 5]');
    assert.equal(meaningOf('hp:>=150 hp:<200'), '(hp:[150 TO *] hp:{* TO 200})');
  });

  it('takes a field in front of a group for all of the group', () => {
    assert.equal(meaningOf('types:(fire OR -water)'), '(types:"fire" OR -types:"water")');
    assert.equal(
      meaningOf('types:(fire hp:1) x'),
      '(types:"fire" hp:"1" (name:"x" OR set.name:"x"))',
    );
  });

  it('looks for words without a field in some fields', () => {
    assert.equal(meaningOf('charizard'), '(name:"charizard" OR set.name:"charizard")');
  });

  it('keeps signs in values: hyphens, apostrophes, colons, dots and escapes', () => {
    for (const value of ['base1-4', "farfetch'd", 'a:b', 'Mr.', String.raw`\(x\)`, 'é&x']) {
      assert.equal(meaningOf(`name:${value}`), `name:"${value}"`);
    }
  });

  it('is refused with what is wrong with it', () => {
    const value = (at: number, found: string) => {
      return `A value is expected at character ${at}, in place of ${found}.`;
    };
    const expected = {
      '(name:a': 'This bracket is not closed.',
      'name:a)': value(7, '")"'),
      '()': 'A pair of brackets has nothing in it.',
      'name:()': 'A pair of brackets has nothing in it.',
      'name:': value(6, 'the end'),
      'name:""': value(6, '""""'),
      'name:"a': value(6, '""a"'),
      'hp:[1 TO': value(4, '"[1 TO"'),
      'hp:[1 2]': value(4, '"[1 2]"'),
      'hp:[TO 2]': value(4, '"[TO 2]"'),
      'name:a OR': value(8, '"OR"'),
      'OR name:a': value(1, '"OR name:a"'),
      'name:a AND': value(8, '"AND"'),
      '(name:a OR )': value(9, '"OR )"'),
      'color:red': 'There is no field color.',
      '': 'It is empty.',
      '  ': 'It is empty.',
    };
    for (const [q, message] of Object.entries(expected)) {
      assert.equal(faultOf(q), message, q);
    }
  });

  it('is refused in 5 ms where it is long, deep, or made to take time', async () => {
    for (const q of HOSTILE_LUCENE) {
      assert.doesNotMatch(faultOf(q), /^read as/, q.slice(0, 40));
      const ms = await paced(() => faultOf(q), { runs: 5 });
      assert.ok(ms < 5, `${q.slice(0, 40)} took ${ms} ms`);
    }
  });

  it('is read or refused, whatever it is', () => {
    const piece = fc.constantFrom(
      ...'()[]{}"\\!-: *?',
      'name:',
      'hp:',
      ' TO ',
      ' OR ',
      ' AND ',
      'a',
      '1',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const q = pieces.join('');
        const read = faultOf(q);
        if (read.startsWith('read as ')) meaningOf(read.slice('read as '.length));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a condition in the language of Lucene', () => {
  const finds = (q: string, record: object) =>
    compileLucene(parseLucene(q, FIELDS), FIELDS)(record);

  it('has wildcards for any letters and any letter', () => {
    const letters = (from: string) => fc.array(fc.constantFrom(...from), { maxLength: 12 });
    fc.assert(
      fc.property(letters('ab*?'), letters('ab'), (pattern, text) => {
        fc.pre(pattern.length > 0 && text.length > 0);
        const source = pattern.join('').replaceAll('*', '.*').replaceAll('?', '.');
        const record = { name: text.join(''), number: text.join('') };
        const isMatch = new RegExp(`^${source}$`).test(text.join(''));
        for (const q of ['name:', '!name:', 'number:']) {
          assert.equal(finds(q + pattern.join(''), record), isMatch, q + pattern.join(''));
        }
      }),
    );
  });

  it('takes no longer for many wildcards than for one', () => {
    const pattern = 'a*'.repeat(2000);
    const start = performance.now();
    assert.equal(finds(`name:${pattern}b`, { name: 'a'.repeat(2000) }), false);
    assert.ok(performance.now() - start < 500);
  });

  it('compares words without case and accents, and keywords as a whole', () => {
    assert.ok(finds('name:"pokemon center"', { name: ['x', "The POKÉMON Center's"] }) === false);
    assert.ok(finds('name:"pokemon center"', { name: 'The POKÉMON Center' }));
    assert.ok(finds(String.raw`name:"\"dark\" x"`, { name: '"Dark" X' }));
    assert.ok(finds('number:tg-1', { number: 'TG-1' }));
    assert.ok(!finds('number:1', { number: 'TG-1' }));
  });

  it('compares numbers as numbers and dates as dates', () => {
    const hp = (q: string, value: string | number) => finds(`hp:${q}`, { hp: value });
    assert.ok(hp('[9 TO 100]', '30') && hp('>=30', 30) && !hp('>30', 30) && hp('{* TO 30.5}', 30));
    assert.ok(!hp('[1 TO 100]', '30+') && !hp('[1 TO 100]', 'x'));
    assert.ok(hp('[2020 TO 2020]', '2020/11/13') && hp('[2020-11 TO 2020/11]', '2020/11/13'));
    assert.ok(
      !hp('{2020/11 TO *]', '2020/11/13') && hp('[* TO 2020-11-13]', '2020/11/13 16:20:00'),
    );
    assert.ok(hp('[b TO d]', 'Cx') && !hp('[b TO c]', 'cx'));
  });

  it('finds a value in any member of a list, and in any part of a field', () => {
    const record = {
      attacks: [
        { name: 'Spin', cost: ['Fire'] },
        { name: 'Bite', cost: [] },
      ],
    };
    assert.ok(finds('attacks.name:bite attacks.cost:fire attacks:* attacks:spin', record));
    assert.ok(!finds('attacks.text:* OR attacks.name.x:* OR hp:*', record));
  });
});
