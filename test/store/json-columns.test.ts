import assert from 'node:assert/strict';
import { it } from 'node:test';
import { RATES, readAmounts, writeAmounts } from '../../src/store/catalogue/json-columns.ts';
import type { QuarantineRow } from '../../src/store/catalogue/schema.ts';
import { entryOf } from '../../src/store/quarantine/entries.ts';

it('writes a JSON column and reads it back, null for no amounts', () => {
  const rates = JSON.stringify([{ currency: 'EUR', day: 20_000, dollarsPerUnit: 1.1 }]);
  assert.equal(RATES.write(RATES.read(rates)), rates);
  assert.deepEqual(readAmounts('{"near_mint":120}'), { near_mint: 120 });
  assert.deepEqual(readAmounts(null), {});
  assert.equal(writeAmounts({}), null);
});

const ROW: QuarantineRow = {
  id: 1,
  source: 'tcgcsv',
  marketplace: 'tcgplayer',
  game: 'mtg',
  set_id: 1,
  card_id: 1,
  printing_id: 1,
  printing: 'Foil',
  rule: 'price-jump',
  detail: 'It jumped.',
  observation: null,
  external_id: null,
  observed_at: 0,
  quarantined_at: 0,
  decided_at: null,
  decision: null,
};

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
    () => entryOf({ ...ROW, observation: '{"days":1}' }),
    /quarantine\.observation/,
  ],
  [
    'a delisting without printings',
    () => entryOf({ ...ROW, rule: 'mass-delisting', observation: '{}' }),
    /quarantine\.observation/,
  ],
];

for (const [what, read, message] of DAMAGED) {
  it(`refuses ${what}, with the name of the column`, () => assert.throws(read, { message }));
}
