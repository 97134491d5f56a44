import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type Asking, answerRows } from '../../../src/commands/resolve/answers.ts';
import { openList } from '../../../src/commands/resolve/open.ts';
import { type OutputFormat, writeAnswers } from '../../../src/commands/resolve/write.ts';
import type { Card } from '../../../src/domain/card.ts';
import { PLAIN_COPY } from '../../../src/domain/copy.ts';
import type { CsvOptions } from '../../../src/domain/csv.ts';
import type { Resolution } from '../../../src/resolve/item.ts';
import { BadRow, readCsv } from '../../../src/sources/io/csv.ts';

/** The only card, at Spark of Rebellion 5. */
const LUKE: Card = {
  rowId: 1,
  id: 'swu-sor-luke-skywalker-005',
  set: {
    rowId: 1,
    id: 'swu-spark-of-rebellion',
    game: 'swu',
    code: 'SOR',
    name: 'Spark of Rebellion',
    releaseDate: null,
  },
  name: 'Luke Skywalker',
  number: '005',
  rarity: null,
  image: null,
  printings: [],
};

/** Finds a card by its number, and is sure of it with its name. */
const KNOWS_LUKE: Asking = {
  resolve: async (items) => {
    return items.map(({ name, number }): Resolution => {
      if (number !== '005')
        return { status: 'unknown', candidates: [], candidateCount: 0, reasons: [] };
      const candidates = [{ card: LUKE, reasons: [] }];
      if (name !== LUKE.name) {
        return { status: 'ambiguous', candidates, candidateCount: 1, reasons: ['No name.'] };
      }
      const found = { card: LUKE, printing: null, quantity: 1, copy: PLAIN_COPY };
      return { status: 'matched', ...found, confidence: 1, reasons: [] };
    });
  },
  isCard: () => true,
};

/** Knows no card, and says what it was asked. */
const KNOWS_NONE: Asking = {
  resolve: async (items) => {
    return items.map(({ name, text }): Resolution => {
      return {
        status: 'unknown',
        candidates: [],
        candidateCount: 0,
        reasons: [name ?? text ?? ''],
      };
    });
  },
  isCard: (text) => !text.startsWith('//'),
};

async function answered(
  content: string,
  format: OutputFormat,
  asking = KNOWS_NONE,
  options: CsvOptions = {},
): Promise<string> {
  const input = { name: 'cards', bytes: Buffer.from(content) };
  const { rows, columns } = await openList(input, { chosen: new Map() });
  const written = writeAnswers(answerRows(rows, asking), columns, { ...options, format });
  return (await Array.fromAsync(written)).join('');
}

async function rowsOf(csv: string) {
  return Array.fromAsync(readCsv([Buffer.from(csv)]));
}

describe('answers', () => {
  test('follow the columns of their lines and rows, in order', async () => {
    const names = fc.array(fc.stringMatching(/^[a-z]{1,5}( [a-z]{1,5}|)$/), { maxLength: 900 });
    await fc.assert(
      fc.asyncProperty(names, async (cards) => {
        const content = `name,qty\n${cards.map((name) => `${name},\n\n`).join('')}`;
        const read = await rowsOf(await answered(content, 'csv'));
        assert.deepEqual(
          read.map((row) => (row instanceof BadRow ? row : [row.name, row['resolved.reasons']])),
          cards.map((name) => [name, name]),
        );
      }),
      { numRuns: 20, endOnFailure: true },
    );
  });

  test('keep columns without a name and of one name, and rows of any form', async () => {
    const content = 'name,,name,note\nMew,1,2,"a, ""b"""\n"Bad\nAbra\n';
    const [mew, bad, abra] = await rowsOf(await answered(content, 'csv'));
    assert.ok(mew && !(mew instanceof BadRow));
    assert.deepEqual(
      [mew.note, mew['resolved.status'], mew['resolved.line']],
      ['a, "b"', 'unknown', '2'],
    );
    assert.ok(bad && !(bad instanceof BadRow));
    assert.deepEqual([bad['resolved.status'], bad['resolved.line']], ['unreadable', '3']);
    assert.ok(abra && !(abra instanceof BadRow));
    const lines = (await answered(content, 'ndjson')).trimEnd().split('\n');
    const [first, second] = lines.map((line) => JSON.parse(line));
    assert.deepEqual(Object.keys(first).slice(0, 5), [
      'name',
      'column 2',
      'name2',
      'note',
      'resolved',
    ]);
    assert.equal(second.text, '"Bad');
    assert.match(second.resolved.reasons[0], /^Its quotation marks are wrong/);
  });

  const FORMULAS: readonly (readonly [CsvOptions, readonly RegExp[]])[] = [
    [{}, [/^name,cost,'=sum,/, /^'=1\+1,-5\.20,7,.*,'=1\+1,,$/, /^'@x,'-5\+3,7,/]],
    [{ raw: true }, [/^name,cost,=sum,/, /^=1\+1,-5\.20,7,.*,=1\+1,,$/, /^@x,-5\+3,7,/]],
  ];
  for (const [options, expected] of FORMULAS) {
    test(`to rows that look like formulas, written with ${JSON.stringify(options)}`, async () => {
      const content = 'name,cost,=sum\n=1+1,-5.20,7\n@x,-5+3,7\n';
      const lines = (await answered(content, 'csv', KNOWS_NONE, options)).split('\n');
      for (const [index, line] of expected.entries()) assert.match(lines[index] ?? '', line);
    });
  }

  test('of programs that name cards by set and number alone need no name', async () => {
    const swuDb = 'Set,CardNumber,Count,IsFoil\nSOR,005,0,False\nSOR,006,1,False\n';
    const [luke, none] = await rowsOf(await answered(swuDb, 'csv', KNOWS_LUKE));
    assert.ok(luke && none && !(luke instanceof BadRow) && !(none instanceof BadRow));
    assert.deepEqual(
      [luke['resolved.status'], luke['resolved.card'], luke['resolved.quantity']],
      ['matched', LUKE.id, '0'],
    );
    assert.match(luke['resolved.reasons'] ?? '', /identifies cards only by these\.$/);
    assert.equal(none['resolved.status'], 'unknown');
    const typed = await answered('set code,number\nSOR,005\n', 'csv', KNOWS_LUKE);
    assert.match(typed, /,ambiguous,.*No name\./);
  });

  test('distinguish comments from unknown cards in plain lines', async () => {
    const lines = (await answered('// mine\nMew\n\n', 'csv')).split('\n');
    assert.deepEqual(
      lines.slice(1, 4).map((line) => line.split(',').slice(0, 3)),
      [
        ['// mine', '1', 'not_a_card'],
        ['Mew', '2', 'unknown'],
        ['', '3', 'not_a_card'],
      ],
    );
  });

  test('get other names if the file has answers of an earlier run', async () => {
    const again = await answered(await answered('name\nMew\n', 'csv'), 'csv');
    const [head = ''] = again.split('\n');
    assert.ok(head.startsWith('name,resolved.line,'));
    assert.match(head, /,resolved2\.line,resolved2\.status,/);
    const json = await answered(await answered('{"name":"Mew"}\n', 'ndjson'), 'ndjson');
    assert.deepEqual(Object.keys(JSON.parse(json)), ['name', 'resolved', 'resolved2']);
  });

  test('of JSON lines are CSV with a column for every member', async () => {
    const csv = await answered('{"name":"Mew","n":1}\n{"name":"Abra","o":{"p":true}}\n', 'csv');
    const [mew, abra] = await rowsOf(csv);
    assert.ok(mew && abra && !(mew instanceof BadRow) && !(abra instanceof BadRow));
    assert.deepEqual([mew.name, mew.n, mew.o], ['Mew', '1', '']);
    assert.deepEqual([abra.name, abra.n, abra.o], ['Abra', '', '{"p":true}']);
  });
});
