import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { Type } from 'typebox';
import type { OpenFeed } from '../../../src/sources/contract/feed.ts';
import { BadRecord } from '../../../src/sources/io/json.ts';
import { openJsonRecords } from '../../../src/sources/kit/json-records.ts';
import { EMPTY_REFERENCE } from '../../../src/sources/kit/observations.ts';
import { compileParser, parseCents, parseDayPrefix } from '../../../src/sources/kit/schema.ts';
import { FeedFolder, feedOptions, MODIFIED, readFeed } from '../../support/feeds.ts';
import { NOW } from '../../support/tcgcsv.ts';

/** A source whose records are card numbers. Odd numbers are left out. */
const open: OpenFeed = (location, options) => {
  return openJsonRecords(location, options, {
    name: 'toy',
    games: ['swu'],
    description: 'a list of toys',
    version: 1,
    parse: compileParser(Type.Object({ toy: Type.Integer() })),
    label: ({ toy }) => `toy ${toy}`,
    adapt({ toy }) {
      if (toy < 0) throw new BadRecord('less than nothing');
      if (toy % 2 === 1) return { items: [], skipped: ['odd'] };
      const card = {
        ...EMPTY_REFERENCE,
        externalId: String(toy),
        game: 'swu',
        name: `Toy ${toy}`,
      } as const;
      return { items: [{ card, observations: [] }] };
    },
  });
};

function toys(count: number): { toy: number }[] {
  return Array.from({ length: count }, (_, toy) => ({ toy }));
}

describe('records', () => {
  for (const [what, content] of [
    ['a list', toys(3)],
    ['the data of an answer', { page: 1, data: toys(3) }],
    ['the results of an answer', { total: [3], results: toys(3) }],
  ] as const) {
    test(`are read as ${what}`, async () => {
      const { items, skipped } = await readFeed(open, new FeedFolder().write('x.json', content));
      assert.deepEqual([items.length, skipped], [2, { odd: 1 }]);
    });
  }

  test('may be a single record', async () => {
    const { items } = await readFeed(open, new FeedFolder().write('x.json', { toy: 2 }));
    assert.equal(items.length, 1);
  });

  test('come in batches of some hundred, with the progress', async () => {
    const files = new FeedFolder();
    files.write('1.json', toys(2000));
    files.write('2.json.gz', gzipSync(JSON.stringify([{ toy: 5000 }])));
    const feed = await open(files.folder, feedOptions());
    const sizes: number[] = [];
    let done = 0;
    for await (const batch of feed.batches()) {
      sizes.push(batch.items.length);
      assert.ok(batch.done >= done);
      done = batch.done;
    }
    assert.deepEqual(sizes, [250, 250, 250, 250, 1]);
    assert.equal(done, feed.total);
  });

  test('that are broken are named by their label or their position', async () => {
    const content = [{ toy: 'x' }, { toy: -1 }, ...toys(1), null];
    const location = new FeedFolder().write('x.json', content);
    const { items, broken } = await readFeed(open, location);
    assert.equal(items.length, 1);
    assert.deepEqual(broken, [
      { name: 'x.json, record 1', reason: 'toy must be integer, but is "x"' },
      { name: 'toy -1', reason: 'less than nothing' },
      { name: 'x.json, record 4', reason: 'must be object' },
    ]);
  });

  test('that are broken are left out as long as they are few, and the import is refused then', async () => {
    const read = (bad: number) => {
      const content = [...toys(20), ...Array<object>(bad).fill({ toy: '\u001b[2J' })];
      return readFeed(open, new FeedFolder().write('x.json', content));
    };
    assert.equal((await read(5)).broken.length, 5);
    await assert.rejects(read(6), {
      name: 'OperatorError',
      message:
        /x\.json is not imported: 6 of 26 rows are bad, more than 20 %; the first is \P{Cc}*$/u,
    });
  });

  const refused: readonly (readonly [string, string | object, RegExp])[] = [
    ['no list', { toys: [] }, /x\.json: it is not a list of toys: must have required properties/],
    ['an empty list', [], /it is not a list of toys: /],
    ['no JSON', 'toys', /it is neither an object nor an array/],
    ['half a list', '[{"toy":1},{"to', /x\.json: it breaks off in the middle\.$/],
    ['nothing', '', /breaks off/],
    [
      'other records',
      Array(1000).fill({ toy: 'no' }),
      /x\.json: it is not a list of toys: toy must/,
    ],
    ['bytes that are packed by halves', gzipSync('[]').subarray(0, 12), /cannot be read/],
  ];
  for (const [what, content, message] of refused) {
    test(`are refused from a file with ${what}`, async () => {
      const location = new FeedFolder().write('x.json', content);
      await assert.rejects(readFeed(open, location), { name: 'OperatorError', message });
    });
  }

  test('are refused from a folder without any, and from a missing location', async () => {
    const files = new FeedFolder();
    files.write('notes.txt', '');
    const message = /has no files that end in \.json\.$/;
    await assert.rejects(readFeed(open, files.folder), { name: 'OperatorError', message });
    const missing = join(files.folder, 'x.json');
    await assert.rejects(readFeed(open, missing), { name: 'OperatorError', message: /ENOENT/ });
  });

  test('are as of the newest modification time, or the day in a name', async () => {
    const files = new FeedFolder();
    files.write('1.json', toys(1), MODIFIED - 1000);
    files.write('2.json', toys(1), MODIFIED);
    assert.equal((await open(files.folder, feedOptions())).observedAt, MODIFIED);
    const dated = files.write('toys-2026-01-20.json', toys(1));
    const { observedAt } = await open(dated, feedOptions());
    assert.equal(observedAt, Date.parse('2026-01-20T00:00:00Z'));
  });

  test('are refused when their moment is in the future', async () => {
    const location = new FeedFolder().write('x.json', toys(1), NOW + 3 * 86_400_000);
    const message = /a modification time in the future\. Add the real day: --observed/;
    await assert.rejects(open(location, feedOptions()), { name: 'OperatorError', message });
  });

  test('are of one game', async () => {
    const location = new FeedFolder().write('x.json', toys(1));
    const message = 'toy has no cards of mtg, only of swu.';
    await assert.rejects(open(location, feedOptions({ games: ['mtg'] })), { message });
    assert.ok(await open(location, feedOptions({ games: ['mtg', 'swu'] })));
  });
});

describe('an amount', () => {
  test('of whole cents is parsed exactly, as a number and as text', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000_000 }), (whole) => {
        assert.equal(parseCents(whole / 100), whole);
        assert.equal(parseCents((whole / 100).toFixed(2)), whole);
      }),
    );
  });

  test('of zero is unknown', () => {
    for (const none of [null, undefined, '', 0, '0', '0.00', '0.001'])
      assert.equal(parseCents(none), null);
  });

  test('is refused when it is anything else', () => {
    const words = ['-1', '1,50', '1.234,5', '$5', '1e3', ' 1', '1.', '.5', 'NaN', '10000001', 'x'];
    for (const bad of [...words, -0.01, Number.NaN, Infinity, 10_000_001]) {
      assert.throws(() => parseCents(bad), BadRecord, String(bad));
    }
  });
});

test('days are parsed with dashes and slashes, and any text after them', () => {
  const days = ['2026-01-28', '2026/01/28', '2026-01-28T20:05:12Z', '2026/01/28 15:12:00'];
  assert.equal(new Set(days.map(parseDayPrefix)).size, 1);
  for (const none of ['', '28.01.2026', '2026-02-30', '2026/1/2'])
    assert.equal(parseDayPrefix(none), undefined);
});
