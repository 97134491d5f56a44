import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Copy,
  conditionOptions,
  gradeOptions,
  priceOfCopy,
} from '../../../web/src/lists/copies.ts';
import { DETAILS } from './details.ts';

const RAW: Copy = { printing: 'Holofoil', condition: null, grade: null };
const [HOLO, FIRST] = DETAILS.printings;

function priceOf(copy: Partial<Copy>) {
  return priceOfCopy({ card: DETAILS, ...RAW, ...copy });
}

describe('The price of a picked copy', () => {
  it('is that of its grade or condition, or the market price', () => {
    assert.deepEqual(priceOf({}), { price: 453.86 });
    assert.deepEqual(priceOf({ condition: 'lightly_played' }), { price: 350.5 });
    assert.deepEqual(priceOf({ grade: 'psa_8' }), { price: 70 });
    assert.deepEqual(priceOf({ grade: 'bgs_9_5' }), { price: 200 });
  });

  it('is never that of another copy: there is none, with the reason', () => {
    for (const [copy, noPrice] of [
      [{ grade: 'psa_10' }, 'No source prices a PSA 10 of this printing.'],
      [{ condition: 'damaged' }, 'No source prices a damaged copy of this printing.'],
      [{ printing: '1st Edition Holofoil' }, 'No source reports a market price.'],
      [{ printing: 'Reverse Holofoil' }, 'The card has no such printing.'],
    ] as const) {
      assert.deepEqual(priceOf(copy), { price: null, noPrice });
    }
  });
});

describe('The choices of a printing', () => {
  it('are all conditions, with or without a price', () => {
    assert.deepEqual(
      conditionOptions(HOLO).map(({ label, price }) => [label, price]),
      [
        ['Near mint', 400],
        ['Lightly played', 350.5],
        ['Moderately played', null],
        ['Heavily played', null],
        ['Damaged', null],
      ],
    );
  });

  it('are the grades with a price, and the one of the line', () => {
    const labels = (picked: Copy['grade'], printing = HOLO) => {
      return gradeOptions(printing, picked).map(({ label, price }) => [label, price]);
    };
    const priced = [
      ['PSA 9', 90],
      ['BGS 9.5', 200],
      ['PSA 8', 70],
    ];
    assert.deepEqual(labels(null), priced);
    assert.deepEqual(labels('psa_9'), priced);
    assert.deepEqual(labels('psa_10'), [...priced, ['PSA 10', null]]);
    assert.deepEqual(labels(null, FIRST), []);
  });
});
