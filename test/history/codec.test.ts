import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import type { Day } from '../../src/domain/day.ts';
import { type Cents, MAX_CENTS } from '../../src/domain/money.ts';
import type { DayPrices } from '../../src/domain/price.ts';
import { DamagedBlock, decodeBlock, encodeBlock, LAST_DAY } from '../../src/history/codec.ts';
import { history } from './arbitraries.ts';

const ROW_ID = 5_000_000_123;

function on(day: number, market: number | null, high: number | null = market): DayPrices {
  return {
    day: day as Day,
    market: market as Cents | null,
    low: null,
    mid: market as Cents | null,
    high: high as Cents | null,
  };
}

describe('a block', () => {
  it('decodes to the days that were encoded', () => {
    fc.assert(
      fc.property(history, fc.nat(), (days, rowId) => {
        assert.deepEqual(decodeBlock(encodeBlock(days, rowId), rowId), days);
      }),
    );
  });

  it('decodes the days of any window', () => {
    const windowOf = (days: DayPrices[], from: number, to: number): DayPrices[] =>
      days.filter(({ day }) => day >= from && day <= to);
    const bound = fc.integer({ min: 19_990, max: 20_160 });
    fc.assert(
      fc.property(history, bound, bound, (days, from, to) => {
        const found = decodeBlock(encodeBlock(days, ROW_ID), ROW_ID, from as Day, to as Day);
        assert.deepEqual(found, windowOf(days, from, to));
      }),
    );
  });

  it('encodes prices that become unknown and known again, at both bounds of prices and days', () => {
    const days = [
      on(0, 0, MAX_CENTS),
      on(1, MAX_CENTS, 0),
      on(2, null, 0),
      on(3, null, null),
      on(4, MAX_CENTS, 0),
      on(LAST_DAY, 0, MAX_CENTS),
    ];
    assert.deepEqual(decodeBlock(encodeBlock(days, ROW_ID), ROW_ID), days);
  });

  it('is small when no price changes', () => {
    const days = Array.from({ length: 256 }, (_, index) => on(20_000 + index, 499));
    assert.ok(encodeBlock(days, ROW_ID).length <= 22);
  });

  it('has the bytes that docs/history-format.md shows', () => {
    const days = [on(20_454, 250, 400), on(20_455, 253, 400), on(20_457, 253, null)];
    const block = Buffer.from(encodeBlock(days, 4711 * 256 + 79));
    assert.equal(block.toString('hex'), '014fe620294bdcfa9f5643484454840a565c57');
  });

  it('rejects days and prices that it cannot hold', () => {
    for (const days of [
      [],
      [on(-1, 1)],
      [on(LAST_DAY + 1, 1)],
      [on(1, -1)],
      [on(1, MAX_CENTS + 1)],
      [on(1, 2.5)],
      [on(2, 1), on(1, 1)],
      [on(1, 1), on(1, 2)],
    ]) {
      assert.throws(() => encodeBlock(days, ROW_ID), RangeError);
    }
    assert.deepEqual(decodeBlock(encodeBlock([on(1, 1)], ROW_ID), ROW_ID), [on(1, 1)]);
  });
});

describe('damage to a block', () => {
  const damaged = (block: Uint8Array, rowId = ROW_ID): void => {
    assert.throws(() => decodeBlock(block, rowId), DamagedBlock);
  };

  it('is detected when any byte differs', () => {
    fc.assert(
      fc.property(history, fc.nat(), fc.integer({ min: 1, max: 255 }), (days, at, mask) => {
        const block = Buffer.from(encodeBlock(days, ROW_ID));
        block.writeUInt8(block.readUInt8(at % block.length) ^ mask, at % block.length);
        damaged(block);
      }),
    );
  });

  it('is detected when the end is missing', () => {
    fc.assert(
      fc.property(history, fc.nat(), (days, length) => {
        const block = encodeBlock(days, ROW_ID);
        damaged(block.subarray(0, length % block.length));
      }),
    );
  });

  it('is detected when bytes were added, or the block belongs to another row', () => {
    const block = encodeBlock([on(20_000, 250)], ROW_ID);
    damaged(Buffer.concat([block, Buffer.of(0)]));
    damaged(block, ROW_ID + 1);
    damaged(block, 1);
  });

  it('is detected when the checksum matches but the content is invalid', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const block = withChecksum([1, ...bytes]);
        try {
          for (const { day } of decodeBlock(block, 0)) assert.ok(day <= LAST_DAY);
        } catch (error) {
          assert.ok(error instanceof DamagedBlock, String(error));
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('is reported when the version is unknown', () => {
    const block = encodeBlock([on(20_000, 250)], 0);
    const newer = withChecksum([2, ...block.subarray(1, -4)]);
    assert.throws(() => decodeBlock(newer, 0), /its version 2 is not known/);
  });

  function withChecksum(bytes: readonly number[]): Buffer {
    const checksum = Buffer.alloc(4);
    checksum.writeUInt32BE(crc32(Buffer.from(bytes)));
    return Buffer.concat([Buffer.from(bytes), checksum]);
  }
});
