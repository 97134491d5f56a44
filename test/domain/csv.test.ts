import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import Papa from 'papaparse';
import { type CsvCell, csvLine } from '../../src/domain/csv.ts';

/** Reads lines of CSV with a library that shares no code with the writer. */
function parsed(text: string): string[][] {
  const { data, errors } = Papa.parse<string[]>(text.slice(0, -1), {
    delimiter: ',',
    newline: '\n',
  });
  assert.deepEqual(errors, []);
  return data;
}

const DANGEROUS = '=+-@\t\r\n＝＋－＠';

/** Texts that often begin like formulas, and contain what CSV quotes. */
const text = fc
  .tuple(
    fc.constantFrom('', ...DANGEROUS),
    fc.string({ unit: fc.constantFrom(...'a1 .-\',"\r\n=') }),
  )
  .map((parts) => parts.join(''));
const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
const cell: fc.Arbitrary<CsvCell> = fc.oneof(text, number, fc.boolean(), fc.constant(null));
const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { minLength: 1 });

const shown = (value: CsvCell) => String(value ?? '');

describe('CSV', () => {
  it('has the same cells when it is read, except for the apostrophe of formulas', () => {
    fc.assert(
      fc.property(rows, (table) => {
        const read = parsed(table.map((cells) => csvLine(cells)).join(''));
        const plain = read.map((cells, row) =>
          cells.map((value, column) => {
            const isEscaped = value === `'${shown(table[row]?.[column])}`;
            return isEscaped ? value.slice(1) : value;
          }),
        );
        assert.deepEqual(
          plain,
          table.map((cells) => cells.map(shown)),
        );
      }),
    );
  });

  it('has no text that begins like a formula', () => {
    fc.assert(
      fc.property(rows, (table) => {
        for (const value of parsed(table.map((cells) => csvLine(cells)).join('')).flat()) {
          const isNumber = value !== '' && Number.isFinite(Number(value)) && value.trim() === value;
          assert.ok(isNumber || !DANGEROUS.includes(value[0] ?? 'none'), JSON.stringify(value));
        }
      }),
    );
  });

  it('leaves every text as it is when it is raw', () => {
    fc.assert(
      fc.property(rows, (table) => {
        const read = parsed(table.map((cells) => csvLine(cells, { raw: true })).join(''));
        assert.deepEqual(
          read,
          table.map((cells) => cells.map(shown)),
        );
      }),
    );
  });

  const CELLS: readonly (readonly [CsvCell, string])[] = [
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', `"'\r=1"`],
    ['＝1+1', "'＝1+1"],
    ['-1+1', "'-1+1"],
    ['-5.20', '-5.20'],
    ['-5', '-5'],
    [-5.2, '-5.2'],
    [-1e-7, '-1e-7'],
    ['Lim-Dûl', 'Lim-Dûl'],
    ['a "b", c', '"a ""b"", c"'],
    [' padded ', '" padded "'],
    [true, 'true'],
    [null, ''],
    [undefined, ''],
  ];
  for (const [value, written] of CELLS) {
    it(`writes ${JSON.stringify(value)} as ${JSON.stringify(written)}`, () => {
      assert.equal(csvLine([value]), `${written}\n`);
    });
  }
});
