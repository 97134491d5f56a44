import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parseChosenColumns } from '../../../src/commands/resolve/columns.ts';
import { OperatorError } from '../../../src/domain/errors.ts';
import { asksOf, readList } from '../../support/lists.ts';

const CHARIZARD = { name: 'Charizard', set: 'Base Set', number: '4' };

describe('the format of a file is detected from its content:', () => {
  const forms: readonly (readonly [string, string, unknown[]])[] = [
    ['CSV', 'name,set,number\nCharizard,Base Set,4\n', [CHARIZARD]],
    ['CSV of a spreadsheet in Europe', 'Name;Set;Number\nCharizard;Base Set;4\n', [CHARIZARD]],
    ['CSV that says its delimiter', 'sep=;\nName;Set;Number\nCharizard;Base Set;4\n', [CHARIZARD]],
    ['tabs', 'Name\tSet\tNumber\nCharizard\tBase Set\t4\n', [CHARIZARD]],
    ['a table after an empty line', '\nname,set,number\nCharizard,Base Set,4\n', [CHARIZARD]],
    ['a table of one column', 'Card Name\nCharizard\n', [{ name: 'Charizard' }]],
    ['JSON lines', '{"name":"Charizard","set":"Base Set","number":4}\n', [CHARIZARD]],
    ['a decklist', '4 Jace, the Mind Sculptor\n', [{ text: '4 Jace, the Mind Sculptor' }]],
    ['a title', 'Charizard, Base Set, 4/102', [{ text: 'Charizard, Base Set, 4/102' }]],
  ];
  for (const [form, content, expected] of forms) {
    test(form, async () => {
      assert.deepEqual(await asksOf(content), expected);
    });
  }

  test('otherwise by its name; --input-format overrides both', async () => {
    await assert.rejects(asksOf('a,b\n1,2\n', { name: 'cards.csv' }), /No column was recognised/);
    assert.deepEqual(await asksOf('a,b\n', { name: 'cards.txt' }), [{ text: 'a,b' }]);
    assert.deepEqual(await asksOf('name,set\n', { format: 'lines' }), [{ text: 'name,set' }]);
    assert.deepEqual(await asksOf('{"name":"x"}', { format: 'lines' }), [{ text: '{"name":"x"}' }]);
  });

  test('one JSON document is refused', async () => {
    for (const content of ['[\n{"name":"x"}\n]', '[{"name":"x"}]', '{\n"name": "x"}']) {
      await assert.rejects(readList(content), /a single JSON document\. Write one object per line/);
    }
  });
});

describe('columns that are not used', () => {
  const NOTE = 'If one of them identifies the card, see --columns.';

  test('are named once, except columns without a header', async () => {
    const { notes } = await readList(
      'No.,Name,Set,Edition,,Price paid\n4,Charizard,Base Set,,,1\n',
    );
    assert.deepEqual(notes.slice(1), [`Not used: "No.", "Edition", "Price paid". ${NOTE}`]);
  });

  test('are not named where all are used, nor in tables of known programs', async () => {
    for (const content of ['name,set\nA,B\n', 'ManaBox ID,Name,Misprint\n1,A,false\n', 'A\n']) {
      assert.equal((await readList(content)).notes.length, 1, content);
    }
  });
});

describe('rows', () => {
  test('that cannot be read are given back as they are written, and the rest is read', async () => {
    const { rows } = await readList('name,set\n"Bad,x\nPikachu,Jungle\nA,b,c\nMew,\n');
    assert.deepEqual(
      rows.map(({ line, cells, asks }) => [line, cells, 'status' in asks ? asks.status : 'asked']),
      [
        [2, ['"Bad,x'], 'unreadable'],
        [3, ['Pikachu', 'Jungle'], 'asked'],
        [4, ['A,b,c'], 'unreadable'],
        [5, ['Mew', ''], 'asked'],
      ],
    );
  });

  test('have the number of their first line, however many they have', async () => {
    const { rows } = await readList('name,note\nA,"one\ntwo"\nB,\n');
    assert.deepEqual(
      rows.map(({ line }) => line),
      [2, 4],
    );
  });

  test('without a card are distinguished', async () => {
    const asks = await asksOf('name,set,qty\n\n,,\n,Base Set,\nMew,,many\nMew,,2\n');
    assert.deepEqual(asks, [
      'empty: The line is empty.',
      'not_a_card: The row is empty.',
      'not_a_card: The row has neither a name nor an id nor a number.',
      'unreadable: The quantity "many" is not a whole number.',
      { name: 'Mew', quantity: 2 },
    ]);
  });

  test('and lines that are too long are refused with their length', async () => {
    const long = 'x'.repeat(10_000);
    assert.deepEqual(await asksOf(`4 Mew\n${long}\n`), [
      { text: '4 Mew' },
      'unreadable: The line has 10000 characters; at most 1000 are read.',
    ]);
    const longest = 'x'.repeat(1000);
    assert.deepEqual(await asksOf(`${longest}\n`), [{ text: longest }]);
    assert.deepEqual(await asksOf(`name,set\n${long},\n`), [
      'unreadable: A cell has 10000 characters; at most 1000 are read.',
    ]);
  });

  test('that say their delimiter are tables, so one of their columns must be known', async () => {
    await assert.rejects(asksOf('sep=;\nFarbe;Wert\nrot;4\n'), {
      message: /^No column was recognised as the card's name/,
    });
  });

  test('of JSON lines may be strings, and lines that are not JSON are reported', async () => {
    const { columns, rows } = await readList('{"name":"Mew","n":[1]}\n"4 Mew"\n\n{oops\n{"a":1}\n');
    assert.deepEqual(columns, ['name', 'n', 'text', 'a']);
    assert.deepEqual(rows[0]?.cells, ['Mew', '[1]', '', '']);
    assert.deepEqual(
      rows.map(({ asks }) => ('item' in asks ? asks.item : asks.status)),
      [{ name: 'Mew' }, { text: '4 Mew' }, 'empty', 'unreadable', 'unreadable'],
    );
  });

  test('are as many as the table has, with any content', async () => {
    const piece = fc.constantFrom('Mew', '"', ',', ' ', '\t', ';', '1', '\ufeff', 'é', '-1');
    const row = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(''));
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 8 }), async (written) => {
        const { rows } = await readList(`name,set\n${written.join('\n')}\n`, { format: 'csv' });
        const lines = rows.flatMap(({ cells, members }) => {
          return String(members?.text ?? cells.join('')).split('\n');
        });
        assert.equal(lines.length, written.length);
      }),
    );
  });
});

describe('--columns', () => {
  test('says what columns mean that are not known, and keeps the others', async () => {
    const chosen = parseChosenColumns('name=Karte, Titel,number=Nr.');
    const content = '"Karte, Titel",Nr.,Set\nCharizard,4,Base Set\n';
    assert.deepEqual(await asksOf(content, { name: 'cards.csv', chosen }), [CHARIZARD]);
  });

  test('is refused if it is malformed or names a missing column', async () => {
    for (const text of ['', 'name', 'nme=Title', 'name=', '=Title']) {
      assert.throws(() => parseChosenColumns(text), OperatorError, text);
    }
    const chosen = parseChosenColumns('name=Title');
    await assert.rejects(asksOf('name,set\nMew,\n', { chosen }), {
      message: 'There is no column "Title"; the columns are "name", "set".',
    });
  });
});
