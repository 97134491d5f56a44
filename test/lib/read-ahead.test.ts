import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAhead } from '../../src/lib/read-ahead.ts';

/** Yields the items, noting which it has made and whether its consumer let it clean up. */
function source(items: readonly number[], failsAt?: number) {
  const seen = { made: [] as number[], isClosed: false };
  async function* make() {
    try {
      for (const item of items) {
        if (item === failsAt) throw new Error(`no ${item}`);
        seen.made.push(item);
        yield item;
      }
    } finally {
      seen.isClosed = true;
    }
  }
  return { seen, ahead: readAhead(make()) };
}

async function all(items: AsyncIterable<number>): Promise<number[]> {
  const read: number[] = [];
  for await (const item of items) read.push(item);
  return read;
}

describe('Reading ahead', () => {
  it('yields all items in their order', async () => {
    assert.deepEqual(await all(source([]).ahead), []);
    assert.deepEqual(await all(source([1, 2, 3]).ahead), [1, 2, 3]);
  });

  it('makes only the next item while one is worked on', async () => {
    const { seen, ahead } = source([1, 2, 3, 4]);
    assert.equal((await ahead.next()).value, 1);
    await new Promise(setImmediate);
    assert.deepEqual(seen.made, [1, 2]);
  });

  it('throws what making an item throws, after the items before it', async () => {
    const { ahead } = source([1, 2, 3], 3);
    const read: number[] = [];
    const reading = (async () => {
      for await (const item of ahead) read.push(item);
    })();
    await assert.rejects(reading, /no 3/);
    assert.deepEqual(read, [1, 2]);
  });

  it('lets the source clean up when the consumer ends early', async () => {
    const { seen, ahead } = source([1, 2, 3], 2);
    for await (const item of ahead) {
      assert.equal(item, 1);
      break;
    }
    assert.equal(seen.isClosed, true);
  });
});
