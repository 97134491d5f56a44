import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Cell, waitingCells } from '../../src/commands/bulk/cells.ts';
import type { ColumnKind } from '../../src/commands/bulk/columns.ts';
import { GroupBuilder } from '../../src/commands/bulk/outputs.ts';

const COLUMNS: Readonly<Record<string, readonly [ColumnKind, fc.Arbitrary<Cell>]>> = {
  amounts: ['amount', fc.integer({ min: 0, max: 1_000_000_000 })],
  days: ['day', fc.integer({ min: 0, max: 100_000 })],
  moments: ['moment', fc.integer({ min: 0, max: 8_640_000_000_000 })],
  flags: ['flag', fc.boolean()],
  texts: ['text', fc.string({ unit: 'grapheme', maxLength: 40 })],
  'repeated texts': ['text', fc.constantFrom('', 'é', 'Common', '東京')],
};

describe('cells that wait for their group', () => {
  for (const [name, [kind, cell]] of Object.entries(COLUMNS)) {
    it(`come out as they went in: ${name}`, () => {
      const groups = fc.array(fc.array(fc.option(cell), { maxLength: 600 }), { maxLength: 3 });
      fc.assert(
        fc.property(groups, (all) => {
          const column = waitingCells(kind, 600);
          for (const cells of all) {
            for (const one of cells) column.push(one);
            assert.equal(column.length, cells.length);
            assert.deepEqual(column.values(), cells);
            column.clear();
          }
        }),
        { numRuns: 30 },
      );
    });
  }

  it('take the memory of a repeated text once', () => {
    const column = waitingCells('text', 100);
    for (let i = 0; i < 100; i += 1) column.push(i % 2 === 0 ? 'Near Mint' : 'Damaged');
    assert.equal(column.bytes, 'Near MintDamaged'.length);
  });
});

describe('a group of rows', () => {
  it('is full with 20,000 rows', () => {
    const group = new GroupBuilder('prices');
    const rows = Array.from({ length: 20_001 }, (_, i) => ({ id: `card-${i}`, market: i }));
    assert.deepEqual(group.add(rows), rows.slice(20_000));
    assert.ok(group.isFull);
    assert.equal(group.take().group.num_rows, 20_000n);
    assert.equal(group.size, 0);
  });

  it('is full earlier if its texts are large', () => {
    const group = new GroupBuilder('prices');
    const rows = Array.from({ length: 6 }, (_, i) => ({ graded: `${i}`.repeat(2 ** 20) }));
    assert.deepEqual(group.add(rows.slice(0, 4)), []);
    assert.ok(!group.isFull);
    group.add(rows.slice(4));
    assert.ok(group.isFull);
  });
});
