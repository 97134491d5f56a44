import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Spool } from '../../src/lib/spool.ts';
import { FeedFolder } from '../support/feeds.ts';

const MB = 1024 * 1024;

describe('a spool', () => {
  const { folder } = new FeedFolder();

  it('returns each record by its place, in any order and as often as asked', () => {
    const text = fc.string({ unit: 'binary', maxLength: 50 });
    const record = fc.tuple(text, fc.integer({ min: 0, max: 60_000 }));
    fc.assert(
      fc.property(fc.array(record, { maxLength: 60 }), (all) => {
        const spool = new Spool(folder);
        const records = all.map(([some, times]) => some.toWellFormed().repeat(times));
        const places = records.map((one) => spool.add(Buffer.from(one)));
        for (const order of [places.toReversed(), places]) {
          for (const place of order)
            assert.equal(spool.read(place).toString(), records[places.indexOf(place)]);
        }
        spool.close();
      }),
      { numRuns: 30 },
    );
  });

  it('takes records that are larger than what it keeps in memory', () => {
    const spool = new Spool(folder);
    const places = ['a', 'b', 'c'].map((letter) => spool.add(Buffer.alloc(9 * MB, letter)));
    assert.deepEqual(
      places.map((place) => spool.read(place).toString().slice(-2)),
      ['aa', 'bb', 'cc'],
    );
    spool.close();
  });

  it('leaves no file behind, even while it is open', () => {
    const spool = new Spool(folder);
    for (let count = 0; count < 10; count += 1) spool.add(Buffer.alloc(MB));
    assert.deepEqual(readdirSync(folder), []);
    spool.close();
  });

  it('needs no folder for a few megabytes', () => {
    const spool = new Spool('/nowhere');
    const place = spool.add(Buffer.alloc(3 * MB));
    assert.equal(spool.read(place).length, 3 * MB);
    assert.throws(() => spool.add(Buffer.alloc(2 * MB)), { code: 'ENOENT' });
    spool.close();
  });
});
