import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { IntegerMap } from '../../src/lib/integer-map.ts';

const LARGEST = 2 ** 31 - 2;
const key = fc.oneof(
  fc.nat(40),
  fc.nat(LARGEST),
  fc.nat(99).map((i) => i * 2 ** 24),
);

it('A map of integers has what a Map has', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fc.integer())), fc.array(key), (entries, others) => {
      const map = new IntegerMap();
      for (const [each, value] of entries) map.set(each, value);
      const expected = new Map(entries);
      for (const each of [...expected.keys(), ...others]) {
        assert.equal(map.get(each), expected.get(each));
      }
    }),
  );
});

it('A map of integers grows', () => {
  const map = new IntegerMap();
  for (let i = 0; i < 100_000; i++) map.set(i * 17, i + 1);
  for (let i = 0; i < 100_000; i += 97) assert.equal(map.get(i * 17), i + 1);
  assert.equal(map.get(1), undefined);
});
