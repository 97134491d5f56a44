import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { expand, ImageAddresses } from '../../src/catalog/image-address.ts';

const piece = fc.constantFrom('https://cards.example/', '/', '7', '42', '042', '1e5', '_', '.jpg');
const address = fc.oneof(
  fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary' }),
  fc.constant(null),
);

it('Every address of an image comes back as it was', () => {
  fc.assert(
    fc.property(fc.array(address), (all) => {
      const addresses = new ImageAddresses();
      const compact = all.map((each) => addresses.compact(each));
      assert.deepEqual(compact.map(expand), all);
    }),
  );
});

it('Addresses that differ in a number share the rest', () => {
  const addresses = new ImageAddresses();
  const of = (id: number) => addresses.compact(`https://cards.example/${id}_in_1000x1000.jpg`);
  assert.equal(of(1).template, of(42346).template);
  assert.equal(of(42346).number, 42346);
});
