import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type ColumnsOf, decodeColumns, encodeColumns } from '../../src/lib/columns.ts';

const SCHEMA = { ids: 'integers', texts: 'texts', others: 'integers' } as const;
type Columns = ColumnsOf<typeof SCHEMA>;

const integers = fc.int32Array({ maxLength: 50 });
const texts = fc.array(fc.string({ unit: 'binary' }), { maxLength: 20 });
const columns = fc.tuple(integers, texts, integers).map(([ids, some, others]): Columns => {
  return { ids, texts: some, others };
});

function encode(all: Columns): Buffer {
  return Buffer.concat([...encodeColumns(SCHEMA, all)]);
}

describe('columns', () => {
  it('are read as they were written, with any content', () => {
    fc.assert(
      fc.property(columns, (all) => {
        assert.deepEqual(decodeColumns(SCHEMA, encode(all)), all);
      }),
    );
  });

  it('may be longer than a chunk, or exactly as long', () => {
    for (const length of [4095, 4096, 4097, 8192, 20_000]) {
      const texts = Array.from({ length }, (_, i) => `ピカチュウ ${i} \ud800`);
      const all = { ids: Int32Array.from(texts.keys()), texts, others: new Int32Array() };
      assert.deepEqual(decodeColumns(SCHEMA, encode(all)), all);
    }
  });

  it('are refused when they are cut off anywhere, or when more follows', () => {
    fc.assert(
      fc.property(columns, fc.nat(), (all, at) => {
        const bytes = encode(all);
        assert.throws(() => decodeColumns(SCHEMA, bytes.subarray(0, at % bytes.length)));
        assert.throws(() => decodeColumns(SCHEMA, Buffer.concat([bytes, Buffer.alloc(4)])));
      }),
    );
  });

  it('are refused, or read as columns, when they are any other bytes', () => {
    const words = fc.uint32Array({ maxLength: 40 });
    fc.assert(
      fc.property(words, (made) => {
        const bytes = Buffer.from(made.buffer, made.byteOffset, made.byteLength);
        try {
          const { ids, texts } = decodeColumns(SCHEMA, bytes);
          assert.ok(ids instanceof Int32Array);
          assert.ok(texts.every((text) => typeof text === 'string'));
        } catch (error) {
          assert.ok(error instanceof Error && !(error instanceof assert.AssertionError));
        }
      }),
    );
  });

  it('are refused without making room for items that are not there', () => {
    const huge = Buffer.from(Uint32Array.of(0xffffffff, 0, 0).buffer);
    assert.throws(() => decodeColumns(SCHEMA, huge), /fewer items than were announced/);
  });

  it('of texts are refused when they hold something else', () => {
    const json = Buffer.from('[1, 2]  ');
    const words = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer);
    const bytes = Buffer.concat([words(0, 2, json.length), json, words(0)]);
    assert.throws(() => decodeColumns(SCHEMA, bytes), /something other than texts/);
  });
});
