import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { findCsvFiles, openTcgcsvCsv } from '../../src/sources/tcgcsv-csv/read.ts';
import { NOW } from '../support/tcgcsv.ts';

const HEAD = 'productId,name,categoryId,groupId,extNumber,subTypeName,marketPrice\r\n';

const GROUPS = JSON.stringify({
  success: true,
  errors: [],
  results: [604, 1374, 23821].map((groupId) => ({
    groupId,
    name: `Set ${groupId}`,
    abbreviation: 'S',
    publishedOn: '1999-01-09T00:00:00',
  })),
});

test('files are read in the order of their groups, not of their names', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tcgcsv-csv-test-'));
  try {
    await writeFile(join(folder, 'groups'), GROUPS);
    const groups = { a: '23821', b: 'no number', c: '604', d: '1374' };
    for (const [name, group] of Object.entries(groups)) {
      const row = `1,Bulbasaur,3,${group},1,Normal,1.00\r\n`;
      await writeFile(join(folder, `${name}ProductsAndPrices.csv`), HEAD + row);
    }
    const options = { sets: new Map(), observedAt: NOW, now: NOW };
    const { groups: read } = openTcgcsvCsv(await findCsvFiles(folder), options);
    const outcomes: string[] = [];
    for await (const one of read(() => undefined)) {
      outcomes.push(one.kind === 'read' ? one.group.set.name : one.name);
    }
    const broken = 'bProductsAndPrices.csv';
    assert.deepEqual(outcomes, ['Set 604', 'Set 1374', 'Set 23821', broken]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
