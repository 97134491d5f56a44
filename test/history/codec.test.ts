import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import type { Day } from '../../src/domain/day.ts';
import { type Cents, MAX_CENTS } from '../../src/domain/money.ts';
import {
  DamagedBlock,
  decodeBlock as decode,
  encodeBlock,
  LAST_DAY,
} from '../../src/history/codec.ts';
import type { BlockDay } from '../../src/history/provenance.ts';
import { history } from './arbitraries.ts';
import { V1_BLOCKS } from './v1-blocks.ts';

const ROW_ID = 5_000_000_123;

/** Decodes a block, and keeps the provenances as numbers. */
function decodeBlock(block: Uint8Array, rowId: number, from?: Day, to?: Day): BlockDay[] {
  return decode(block, rowId, (number) => number, from, to);
}

function on(day: number, market: number | null, high: number | null = market): BlockDay {
  return {
    day: day as Day,
    market: market as Cents | null,
    low: null,
    mid: market as Cents | null,
    high: high as Cents | null,
    provenance: 1,
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
    const windowOf = (days: BlockDay[], from: number, to: number): BlockDay[] =>
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
    const repeated = days.with(1, { ...on(20_455, 253, 400), provenance: 2 });
    const [block, other] = [days, repeated].map((all) => {
      return Buffer.from(encodeBlock(all, 4711 * 256 + 79)).toString('hex');
    });
    assert.equal(block, '024fe620294bcee7d4fab21a4222a420c3074365');
    assert.equal(other, '024fe620294b534a0ee7d4fab21a4222a420fbd1e6f1');
  });

  it('gives all days of a provenance the same object', () => {
    const days = [1, 2, 1].map((provenance, at) => ({ ...on(at, 250), provenance }));
    const known = [{}, { source: 'a' }, { source: 'b' }];
    const found = decode(encodeBlock(days, ROW_ID), ROW_ID, (number) => known[number]);
    assert.equal(found[0]?.provenance, known[1]);
    assert.equal(found[1]?.provenance, known[2]);
    assert.equal(found[2]?.provenance, known[1]);
  });

  it('spends a byte on a single provenance, and little on a day that differs', () => {
    const days = Array.from({ length: 256 }, (_, at) => on(20_000 + at, 250 + (at % 7)));
    const differing = (at: number) => days.with(at, { ...on(20_000 + at, 250), provenance: 2 });
    const plain = encodeBlock(days, ROW_ID).length;
    const none = days.map((one) => ({ ...one, provenance: 0 }));
    assert.ok(plain - encodeBlock(none, ROW_ID).length <= 1);
    for (const at of [1, 100, 255]) {
      assert.ok(encodeBlock(differing(at), ROW_ID).length - plain <= 4, `${at}`);
    }
  });

  it('of version 1 is decoded with unknown provenances', () => {
    for (const { rowId, hex, days } of V1_BLOCKS) {
      const unknown = days.map((one) => ({ ...one, provenance: 0 }));
      assert.deepEqual(decodeBlock(Buffer.from(hex, 'hex'), rowId), unknown);
      const [from, to] = [20_455, 20_500] as Day[];
      assert.deepEqual(
        decodeBlock(Buffer.from(hex, 'hex'), rowId, from, to),
        unknown.filter(({ day }) => day >= 20_455 && day <= 20_500),
      );
    }
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
      [{ ...on(1, 1), provenance: -1 }],
      [{ ...on(1, 1), provenance: 0x10000 }],
      [{ ...on(1, 1), provenance: 1.5 }],
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

  it('is detected in a block of version 1', () => {
    for (const { rowId, hex } of V1_BLOCKS) {
      const block = Buffer.from(hex, 'hex');
      for (let at = 0; at < block.length; at += 1) {
        const other = Buffer.from(block);
        other.writeUInt8(block.readUInt8(at) ^ 1, at);
        damaged(other, rowId);
        damaged(block.subarray(0, at), rowId);
      }
    }
  });

  it('is detected when bytes were added, or the block belongs to another row', () => {
    const block = encodeBlock([on(20_000, 250)], ROW_ID);
    damaged(Buffer.concat([block, Buffer.of(0)]));
    damaged(block, ROW_ID + 1);
    damaged(block, 1);
  });

  it('is detected when the checksum matches but the content is invalid', () => {
    fc.assert(
      fc.property(fc.constantFrom(1, 2), fc.uint8Array({ maxLength: 60 }), (version, bytes) => {
        const block = withChecksum([version, ...bytes]);
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
    for (const version of [0, 3]) {
      const other = withChecksum([version, ...block.subarray(1, -4)]);
      assert.throws(() => decodeBlock(other, 0), new RegExp(`its version ${version} is not known`));
    }
  });

  function withChecksum(bytes: readonly number[]): Buffer {
    const checksum = Buffer.alloc(4);
    checksum.writeUInt32BE(crc32(Buffer.from(bytes)));
    return Buffer.concat([Buffer.from(bytes), checksum]);
  }
});
