import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Day } from '../../../src/domain/day.ts';
import { LocalPrices } from '../../../src/domain/local-prices.ts';
import type { Rates } from '../../../src/domain/rates.ts';
import { printTree } from '../../../src/search/query/print.ts';
import { type QueryContext, readQuery } from '../../../src/search/query/query.ts';
import {
  COMPARISONS,
  joinTrees,
  NUMBER_FIELDS,
  type NumberField,
  TEXT_FIELDS,
  type Tree,
} from '../../../src/search/query/tree.ts';
import { WITHOUT_NAMES } from './brute-force.ts';

/** A catalogue without names, in which every value is known. */
const TODAY = 20_000 as Day;
const RATES: Rates = [
  { currency: 'EUR', day: TODAY, dollarsPerUnit: 1.1 },
  { currency: 'GBP', day: TODAY, dollarsPerUnit: 1.25 },
  { currency: 'JPY', day: TODAY, dollarsPerUnit: 0.0065 },
];
const CONTEXT: QueryContext = { ...WITHOUT_NAMES, local: new LocalPrices('USD', RATES, TODAY) };

function read(q: string, context: Partial<QueryContext> = {}) {
  return readQuery(q, { ...CONTEXT, ...context });
}

/** Returns what a query means as a query: its text, its condition and its order. */
function meaningOf(q: string): string {
  const { text, condition, sort } = read(q);
  const order = sort && `sort:${sort}`;
  const parts = [text.replace(/\s+/g, ' '), condition && printTree(condition), order];
  return parts.filter((part) => part).join(' | ');
}

function assertMeanings(expected: Readonly<Record<string, string>>): void {
  const read = Object.fromEntries(Object.keys(expected).map((q) => [q, meaningOf(q)]));
  assert.deepEqual(read, expected);
}

const FACT = fc.nat(99_999);

const NUMBERS: Readonly<Partial<Record<NumberField, fc.Arbitrary<number>>>> = {
  price: fc.nat(1_000_000_000),
  year: fc.integer({ min: 1990, max: 2100 }),
  date: fc.nat(40_000),
  number: fc.nat(99_999),
  rarity: fc.nat(3),
  change1d: percent(),
  change7d: percent(),
  change30d: percent(),
};

function percent(): fc.Arbitrary<number> {
  return fc.integer({ min: -999, max: 9999 }).map((tenths) => tenths / 10 + 0);
}

const VALUES = [
  'base set',
  'a-b',
  'X:1',
  "farfetch'd",
  'ピカチュウ',
  'or',
  '100%',
  '$5 (x)',
  'été',
];
const words = fc
  .array(fc.constantFrom('charizard', 'or', 'not', 'under', '20', 'v', 'ピカチュウ'), {
    minLength: 1,
    maxLength: 3,
  })
  .map((all): Tree => ({ kind: 'words', words: all.join(' ') }));
const textTest = fc
  .record({ field: fc.constantFrom(...TEXT_FIELDS), isWhole: fc.boolean(), value: value() })
  .map(({ field, isWhole, value }): Tree => {
    return { kind: 'text', field, operator: isWhole ? '=' : ':', value };
  });
const otherPrinting = value().map((value): Tree => {
  return { kind: 'text', field: 'printing', operator: '!=', value };
});
const numberTest = fc.constantFrom(...NUMBER_FIELDS).chain((field) => {
  const operator = fc.constantFrom(...COMPARISONS.filter((one) => one !== '=' || isNumeric(field)));
  return fc.tuple(operator, NUMBERS[field] ?? FACT).map(([operator, value]): Tree => {
    return { kind: 'number', field, operator, value };
  });
});
const { tree } = fc.letrec<{ tree: Tree; group: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    words,
    textTest,
    otherPrinting,
    numberTest,
    tie('group'),
    tie('tree').map((of): Tree => (of.kind === 'not' ? of : { kind: 'not', of })),
  ),
  group: fc
    .record({
      kind: fc.constantFrom('all' as const, 'any' as const),
      of: fc.array(tie('tree'), { minLength: 2, maxLength: 3 }),
    })
    .map(({ kind, of }) => joinTrees(kind, of) ?? { kind: 'words', words: 'x' }),
}));

function value(): fc.Arbitrary<string> {
  return fc.constantFrom(...VALUES);
}

/** `number=4` and `rarity=rare` are tests of texts. */
function isNumeric(field: NumberField): boolean {
  return field !== 'number' && field !== 'rarity';
}

/** Counts the parts of a condition, because a query may only have some. */
function countParts(tree: Tree): number {
  if (tree.kind === 'not') return 1 + countParts(tree.of);
  if (tree.kind !== 'all' && tree.kind !== 'any') return 1;
  return tree.of.reduce((sum, part) => sum + 1 + countParts(part), 0);
}

describe('a condition', () => {
  it('is read as the same condition after it was printed', () => {
    fc.assert(
      fc.property(tree, (condition) => {
        fc.pre(countParts(condition) < 16);
        const printed = printTree(condition);
        const { condition: again, problems } = read(printed);
        assert.deepEqual(again, condition, printed);
        assert.deepEqual(problems, [], printed);
      }),
      { numRuns: 2000 },
    );
  });

  it('is printed with days, amounts and percent as people write them', () => {
    const test = (field: NumberField, value: number) =>
      printTree({ kind: 'number', field, operator: '>=', value });
    assert.equal(test('price', 12_345), 'price>=123.45');
    assert.equal(test('date', 18_000 as Day), 'date>=2019-04-14');
    assert.equal(test('change7d', -20), 'change7d>=-20%');
    assert.equal(test('rarity', 2), 'rarity>=rare');
  });
});

describe('a query', () => {
  it('excludes with a minus, or with words', () => {
    assertMeanings({
      'charizard -vmax': 'charizard | -"vmax"',
      'charizard not gx': 'charizard | -"gx"',
      'charizard NOT (gx or v)': 'charizard | -("gx" OR "v")',
      'sol ring without foil': 'sol ring | printing!=foil',
      'sol ring -foil': 'sol ring | printing!=foil',
      'pikachu without full art': 'pikachu | -"full art"',
      'pikachu -set:promo': 'pikachu | -set:promo',
      'dragon -"red-eyes"': 'dragon | -"red eyes"',
      'mew -vmax set:"XY - Evolutions"': 'mew | -"vmax" set:"XY - Evolutions"',
    });
  });

  it('has phrases, alternatives and groups', () => {
    assertMeanings({
      '"base set" charizard': '"base set" charizard | "base set"',
      'charizard or blastoise': '"charizard" OR "blastoise"',
      'mew OR lightning bolt': '"mew" OR "lightning" "bolt"',
      '(mew OR mewtwo) set:base': '("mew" OR "mewtwo") set:base',
      'name:mew AND set:base': 'mew | name:mew set:base',
      '((mew))': '((mew))',
    });
  });

  it('names fields as Scryfall and the Pokémon TCG API do', () => {
    assertMeanings({
      's:lea cn:161': 'set:lea number:161',
      'e:lea r>=rare': 'set:lea rarity>=rare',
      '!"mew  ex" s:lea': 'mew ex | name="mew ex" set:lea',
      '!name:mew set.id:base1': 'mew | name=mew set:base1',
      'usd>=100 year:[1999 TO *]': 'price>=100.00 year>=1999',
      'number:[1 TO 5}': 'number>=1 number<=5',
      'order:usd mew': 'mew | sort:price_desc',
      'tcgplayer:85637': 'id:tcgplayer:85637',
      'usd >= 100 mew': 'mew | price>=100.00',
      'r!=common mew': 'mew | -rarity:common',
    });
  });

  it('has amounts, changes and orders in words', () => {
    assertMeanings({
      'charizard under $20': 'charizard | price<20.00',
      'charizard below 5 dollars': 'charizard | price<5.00',
      'smoochum < 10': 'smoochum | price<10.00',
      'charizard between 10 and 20': 'charizard | price>=10.00 price<=20.00',
      'charizard $10-$20': 'charizard | price>=10.00 price<=20.00',
      'charizard 20 dollars or less': 'charizard | price<=20.00',
      'charizard over €50': 'charizard | price>55.00',
      'charizard at least $1,250.50': 'charizard | price>=1250.50',
      'cheapest charizard': 'charizard | sort:price_asc',
      'most expensive lugia': 'lugia | sort:price_desc',
      'lugia lowest price first': 'lugia | sort:price_asc',
      'newest pikachu': 'pikachu | sort:newest',
      'most expensive First Aid': 'First Aid | sort:price_desc',
      'charizard up 20% this week': 'charizard | change7d>=20%',
      'charizard dropped by 5.5% today': 'charizard | change1d<=-5.5%',
      'charizard up 20% in 30 days': 'charizard | change30d>=20%',
      'umbreon $500+': 'umbreon | price>=500.00',
      'umbreon 50-100 dollars': 'umbreon | price>=50.00 price<=100.00',
      'umbreon 5 to 10 dollars': 'umbreon | price>=5.00 price<=10.00',
      'umbreon max $20': 'umbreon | price<=20.00',
      'mew that cost less than 10 dollars': 'mew | price<10.00',
      'charizard up this week': 'charizard | change7d>0%',
      'charizard down today': 'charizard | change1d<0%',
      'cheapest mtg cards': 'game:mtg | sort:price_asc',
      'newest cards': 'sort:newest',
      'most valuable pokemon cards under $50': 'game:pokemon price<50.00 | sort:price_desc',
      'mew not under $5': 'mew | -price<5.00',
      'mew -(lugia under $5)': 'mew | -("lugia" price<5.00)',
      'mew or lugia under $5': '("mew" OR "lugia") price<5.00',
    });
  });

  it('has amounts of any currency, converted by the rate of the day', () => {
    assertMeanings({
      'charizard over €50': 'charizard | price>55.00',
      'charizard under £20': 'charizard | price<25.00',
      'charizard under 5000 yen': 'charizard | price<32.50',
      'charizard ¥5,000+': 'charizard | price>=32.50',
      'charizard £10-£20': 'charizard | price>=12.50 price<=25.00',
      'charizard 10 to 20 pounds': 'charizard | price>=12.50 price<=25.00',
      'charizard between 20 pounds and 10 euros': 'charizard | price>=11.00 price<=25.00',
      'charizard eur<20': 'charizard | price<22.00',
      'charizard gbp>=20': 'charizard | price>=25.00',
      'charizard jpy:[1000 TO 5000]': 'charizard | price>=6.50 price<=32.50',
      'charizard price<20€': 'charizard | price<22.00',
      'charizard price<£20': 'charizard | price<25.00',
      'charizard price<20usd': 'charizard | price<20.00',
      'charizard us$20 or less': 'charizard | price<=20.00',
    });
  });

  it('has amounts without a currency in the one in which prices are shown', () => {
    const inYen = { local: new LocalPrices('JPY', RATES, TODAY) };
    const meaning = (q: string) => {
      const { condition } = read(q, inYen);
      return condition && printTree(condition);
    };
    assert.equal(meaning('charizard under 5000'), 'price<5000.00');
    assert.equal(meaning('charizard price<5000'), 'price<5000.00');
    assert.equal(meaning('charizard between 1000 and 5k'), 'price>=1000.00 price<=5000.00');
    assert.equal(meaning('charizard under $65'), 'price<10000.00');
    assert.equal(meaning('charizard usd<65'), 'price<10000.00');
    assert.equal(meaning('charizard under €65'), 'price<11000.00');
  });

  it('means what the table of docs/search.md says', () => {
    const [, section = ''] = readFileSync('docs/search.md', 'utf8').split('\n## Operators\n');
    const rows = section.split('\n').filter((line) => line.startsWith('| `'));
    const examples = rows.slice(
      0,
      rows.findIndex((row) => row.startsWith('| `name`')),
    );
    assert.ok(examples.length >= 10);
    for (const row of examples) {
      const [q = '', ...parts] = Array.from(row.matchAll(/`([^`]+)`/g), ([, text = '']) => text);
      assert.equal(meaningOf(q), parts.join(' | '), q);
    }
  });

  it('stays as it is without operators', () => {
    const plain = [
      ...[
        'Fire // Ice',
        '+2 Mace',
        'Who/What/When/Where/Why',
        'X-23',
        '-',
        ':',
        'Summon: Primal Odin',
      ],
      ...['B.F.M. (Big Furry Monster)', 'Charizard (Base', 'Wall of Bone <7ED>', 'K9-ØØ', '4/102'],
      ...[
        'Kalitas - 99 - Zendikar',
        'Charizard -Holo- 4/102',
        'Flamecast Wheel!',
        'R & D',
        '100% foo',
      ],
    ];
    for (const q of plain) assert.deepEqual(read(q), { text: q, filters: [], problems: [] }, q);
  });

  it('reads words such as "not" as words where a name has them', () => {
    const names = ['not of', 'fact or fiction', 'fact or', 'sink below', 'trick or', 'or treat'];
    const isInText = (words: readonly string[]) => names.includes(words.join(' '));
    for (const q of ['x not of this', 'fact or fiction y', 'sink below 2020', 'trick or treat z']) {
      assert.equal(read(q, { isInText }).condition, undefined, q);
    }
    const isInName = (words: readonly string[]) => ['s p', 'type null'].includes(words.join(' '));
    for (const q of ['S:P Little Knight', 'type:null 12']) {
      assert.deepEqual(read(q, { isInName }), { text: q, filters: [], problems: [] });
    }
    for (const q of ['rey up to $20', 'rey more than 20']) {
      const isUsual = (words: readonly string[]) =>
        ['up to', 'more than'].includes(words.join(' '));
      assert.equal(read(q, { isInText: isUsual }).text, 'rey', q);
    }
    assert.deepEqual(read('"Ach! Hans, Run!"', { isName: () => true }).filters, []);
    assert.deepEqual(read('maxx "c" worth', { isQuoted: (text) => text === 'c' }).filters, []);
    assert.deepEqual(read('die not to', { areInName: () => true }).filters, []);
  });

  it('says where each filter was typed', () => {
    const q = 'charizard under $20 -vmax cheapest';
    const { filters } = read(q);
    assert.deepEqual(
      filters.map(({ from, to, typed, means }) => [q.slice(from, to) === typed, typed, means]),
      [
        [true, 'under $20', 'price<20.00'],
        [true, '-vmax', '-"vmax"'],
        [true, 'cheapest', 'sort:price_asc'],
      ],
    );
  });
});

describe('a malformed part of a query', () => {
  const problemsOf = (q: string, context: Partial<QueryContext> = {}) =>
    read(q, context).problems.map(({ from, to, typed, message, suggestion = '' }) => {
      assert.equal(q.slice(from, to), typed);
      return `${typed} | ${message} | ${suggestion}`;
    });

  it('is reported with its place and a suggestion, and read as words', () => {
    assert.deepEqual(problemsOf('"base set mew'), [
      '" | This quotation mark is not closed. | "base set mew"',
    ]);
    assert.deepEqual(problemsOf('mew rarety:rare'), [
      'rarety: | No field is called rarety. | rarity:rare',
    ]);
    assert.deepEqual(problemsOf('mew set:'), ['set: | A value is missing after set:. | ']);
    assert.deepEqual(problemsOf('mew usd>=much'), ['usd>=much | much is not an amount. | ']);
    assert.deepEqual(problemsOf('mew set>5'), ['set>5 | A set has no order. | set:5']);
    assert.deepEqual(problemsOf('(mew set:base'), ['( | This bracket is not closed. | ']);
    assert.equal(read('mew usd>=much').text, 'mew usd>=much');
  });

  it('is reported if it asks for a fact that the search does not keep', () => {
    const query = read('o:draw evolvesfrom:pichu pikachu banned:standard');
    assert.equal(query.text, 'pikachu');
    assert.equal(query.condition, undefined);
    assert.deepEqual(
      query.problems.map(({ message }) => message),
      ['texts of cards', 'evolutions', 'bans'].map(
        (what) => `Cardprice does not know ${what} yet.`,
      ),
    );
    const { local } = WITHOUT_NAMES;
    for (const bound of ['over €50', 'eur<50', 'price>€50', 'between 5 and 50 euros']) {
      const [noRate] = problemsOf(`mew ${bound}`, { local });
      assert.match(noRate ?? '', /\| No exchange rate from EUR to US dollars is known for /, bound);
      assert.equal(read(`mew ${bound}`, { local }).condition, undefined, bound);
    }
  });

  it('takes no longer than 5 ms, whatever it is', () => {
    const hostile = [
      `${'('.repeat(100)}mew${')'.repeat(100)}`,
      '-('.repeat(1000),
      '"'.repeat(5000),
      'a OR '.repeat(1000),
      'set:'.repeat(1250),
      'under $'.repeat(700),
      'price:[* TO '.repeat(400),
      'https://www.tcgplayer.com/'.repeat(190),
      '%20'.repeat(1600),
      `x:${'a.'.repeat(2000)}`,
      '-a'.repeat(2500),
      `${'1'.repeat(2500)}.${'1'.repeat(2500)}`,
      'not '.repeat(240),
      `between ${'9'.repeat(300)} and ${'9,'.repeat(300)}`,
    ];
    for (const q of hostile.flatMap((long) => [long, long.slice(0, 1000)])) {
      // The fastest of some rounds: others collect garbage and compile.
      const rounds = Array.from({ length: 5 }, () => {
        const start = process.cpuUsage();
        read(q);
        const { user, system } = process.cpuUsage(start);
        return user + system;
      });
      const fastest = Math.min(...rounds);
      assert.ok(fastest < 5000, `${fastest / 1000} ms for ${q.slice(0, 30)}`);
    }
  });

  it('never throws, and its parts lie in the text', () => {
    const pieces = [
      '(',
      ')',
      '"',
      '-',
      'or',
      'not',
      'set:',
      'base',
      '[1 TO',
      '*]',
      '>',
      '<5',
      '€',
      '%',
    ];
    const typed = fc.array(fc.constantFrom(...pieces, ' '), { maxLength: 30 });
    fc.assert(
      fc.property(typed, (all) => {
        const q = all.join('');
        const { filters, problems } = read(q);
        for (const { from, to, typed } of [...filters, ...problems]) {
          assert.equal(q.slice(from, to), typed);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
