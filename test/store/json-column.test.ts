import assert from 'node:assert/strict';
import { it } from 'node:test';
import { RATES, readAmounts, writeAmounts } from '../../src/store/catalogue/json-columns.ts';
import { delistedPrintings, quarantinedObservation } from '../../src/store/quarantine/contents.ts';

it('writes a JSON column and reads it back, null for no amounts', () => {
  const rates = JSON.stringify([{ currency: 'EUR', day: 20_000, dollarsPerUnit: 1.1 }]);
  assert.equal(RATES.write(RATES.read(rates)), rates);
  assert.deepEqual(readAmounts('{"near_mint":120}'), { near_mint: 120 });
  assert.deepEqual(readAmounts(null), {});
  assert.equal(writeAmounts({}), null);
});

const DAMAGED: readonly (readonly [what: string, read: () => unknown, message: RegExp])[] = [
  [
    'cut off',
    () => RATES.read('[{"curr'),
    /^The column catalog_state\.rates holds damaged JSON: \[/,
  ],
  ['another kind', () => RATES.read('{}'), /catalog_state\.rates/],
  ['a missing member', () => RATES.read('[{"currency":"EUR","day":1}]'), /catalog_state\.rates/],
  ['fractions of cents', () => readAmounts('{"psa_10":1.5}'), /conditions or graded/],
  [
    'an observation without prices',
    () => quarantinedObservation({ rule: 'price-jump', observation: '{"days":1}' }),
    /quarantine\.observation/,
  ],
  [
    'a delisting without printings',
    () => delistedPrintings({ rule: 'mass-delisting', observation: '{}' }),
    /quarantine\.observation/,
  ],
];

for (const [what, read, message] of DAMAGED) {
  it(`refuses ${what}, with the name of the column`, () => assert.throws(read, { message }));
}
