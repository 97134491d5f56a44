import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { BitReader, BitWriter } from '../../src/history/bits.ts';

/** Bytes that a reader may look at beyond the last code. */
const SPARE = 4;

/** Reads what a writer has written. */
function reader(writer: BitWriter): BitReader {
  const { buffer, byteOffset, length } = writer.finish(SPARE);
  return new BitReader(new DataView(buffer, byteOffset, length), 0);
}

describe('bits', () => {
  const numbers = fc.array(fc.integer({ min: 0, max: 2 ** 31 - 2 ** 15 - 1 }), { maxLength: 400 });

  it('are read as the numbers that were written, by the same order', () => {
    fc.assert(
      fc.property(numbers, fc.nat(15), (all, order) => {
        const writer = new BitWriter();
        for (const number of all) writer.expGolomb(number, order);
        const read = reader(writer);
        for (const number of all) assert.equal(read.expGolomb(order), number);
      }),
      // A writer that grows without need takes 16 MB for each smaller example.
      { endOnFailure: true },
    );
  });

  it('take as many bytes as they fill', () => {
    for (const [count, bytes] of [
      [1, 1],
      [8, 1],
      [9, 2],
      [32, 4],
      [33, 5],
    ] as const) {
      const writer = new BitWriter();
      for (let bit = 0; bit < count; bit += 1) writer.bits(1, 1);
      assert.equal(writer.finish(0).length, bytes, `${count} bits`);
      writer.clear();
      assert.equal(writer.finish(0).length, 0);
    }
  });

  it('are at most 16 MB', () => {
    const writer = new BitWriter();
    const write = (bytes: number) => {
      for (let written = 0; written < bytes; written += 4) writer.bits(1, 32);
    };
    write(2 ** 24 - 8);
    assert.throws(() => write(8), RangeError);
  });
});
