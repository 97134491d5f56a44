import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { meantPrinting } from '../../src/domain/card.ts';

describe('meantPrinting', () => {
  const meant: readonly (readonly [written: string, known: readonly string[], meant: string])[] = [
    ['Foil', ['Normal', 'Foil', 'Cold Foil'], 'Foil'],
    ['1st Edition', ['1st Edition', '1st Edition Holofoil'], '1st Edition'],
    ['1st Edition', ['Unlimited Holofoil', '1st Edition Holofoil'], '1st Edition Holofoil'],
    ['Unlimited', ['Unlimited Holofoil', '1st Edition Holofoil'], 'Unlimited Holofoil'],
    ['reverse holofoil', ['Normal', 'Reverse Holofoil'], 'Reverse Holofoil'],
    ['Holofoil', ['1st Edition Holofoil', 'Reverse Holofoil'], '1st Edition Holofoil'],
    ['Cold Foil', ['Unlimited Edition Normal', '1st Edition Cold Foil'], '1st Edition Cold Foil'],
    ['Holofoil', ['Normal', 'Cold Foil'], 'Cold Foil'],
    ['Foil', ['Normal', 'Cold Foil'], 'Cold Foil'],
    ['Cold Foil', ['Holofoil'], 'Holofoil'],
    ['Foil', ['Normal', 'Rainbow Foil'], 'Rainbow Foil'],
    ['Foil', ['Holofoil'], 'Holofoil'],
    ['1st Edition Foil', ['1st Edition Normal', '1st Edition Cold Foil'], '1st Edition Cold Foil'],
  ];
  for (const [written, known, expected] of meant) {
    it(`${written} of a card with ${known.join(', ')} is ${expected}`, () => {
      assert.equal(meantPrinting(written, known), expected);
    });
  }

  const doubtful: readonly (readonly [written: string, known: readonly string[]])[] = [
    ['1st Edition', ['1st Edition Normal', '1st Edition Rainbow Foil']],
    ['1st Edition', ['Unlimited', 'Limited']],
    ['Limited', ['Unlimited']],
    ['Holofoil', ['Unlimited Holofoil', '1st Edition Holofoil']],
    ['Holofoil', ['Normal', 'Reverse Holofoil']],
    ['Reverse Holofoil', ['Normal', 'Holofoil']],
    ['Foil', ['Normal', 'Holofoil', 'Reverse Holofoil']],
    ['Foil', ['Normal', 'Cold Foil', 'Rainbow Foil']],
    ['Foil', ['Normal', 'Etched']],
    ['Cold Foil', ['Normal', 'Rainbow Foil']],
    ['Unlimited Foil', ['1st Edition Normal', '1st Edition Cold Foil']],
    ['Foil', ['Normal']],
    ['Normal', ['Foil']],
    ['Foil', ['Unspecified']],
    ['★', ['Normal']],
    ['Foil', []],
  ];
  for (const [written, known] of doubtful) {
    it(`${written} of a card with ${known.join(', ') || 'none'} is left as it is`, () => {
      assert.equal(meantPrinting(written, known), written);
    });
  }
});
