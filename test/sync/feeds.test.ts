import assert from 'node:assert/strict';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ECB } from '../../src/sources/ecb.ts';
import { findFeedSource } from '../../src/sources/registry.ts';
import { openStore } from '../../src/store/connect.ts';
import { feedSource, quotesSource, ratesSource } from '../../src/sync/feeds.ts';
import type { SyncSource } from '../../src/sync/source.ts';
import { tcgcsvSource } from '../../src/sync/tcgcsv.ts';
import { temporaryFolder } from '../support/cli.ts';
import { SyncBed } from '../support/syncing.ts';
import { FIXTURE } from '../support/tcgcsv.ts';
import {
  type Answer,
  cut,
  drip,
  file,
  halfPacked,
  hangUp,
  packed,
  redirect,
  status,
  Upstream,
  wrongLength,
} from '../support/upstream.ts';

const EVENING = Date.parse('2026-01-28T21:30:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const RAGAVAN = 'Ragavan, Nimble Pilferer';
const SET_LIST = readFileSync('test/fixtures/mtgjson/SetList.json', 'utf8');

const shared = mkdtempSync(join(tmpdir(), 'cardprice-feeds-'));
after(() => rmSync(shared, { recursive: true }));
const filled = join(shared, 'filled.db');

before(async () => {
  const store = await openStore(filled);
  const outcome = await new SyncBed(store, EVENING).only(tcgcsvSource(FIXTURE));
  assert.equal(outcome.outcome, 'imported');
  await store.close();
});

/** A database with the cards of the fixture, on the evening of their prices. */
async function bedOfTest(): Promise<SyncBed> {
  const location = join(temporaryFolder(), 'test.db');
  copyFileSync(filled, location);
  const store = await openStore(location);
  after(() => store.close());
  return new SyncBed(store, EVENING);
}

/** Writes a file that was made on the evening. */
function writeDated(path: string, content: string): void {
  writeFileSync(path, content);
  utimesSync(path, new Date(EVENING), new Date(EVENING));
}

/** A source of the registry, read from another location. */
function registered(name: string, location?: string, apiKey?: string): SyncSource {
  const found = findFeedSource(name);
  assert.ok(found, name);
  return feedSource({ name, open: found.open, remote: found.remote, location, apiKey });
}

/** Scryfall's bulk file, with Ragavan at a price. */
function bulk(usd: string): string {
  const card = {
    object: 'card',
    id: 'a9738cda-adb1-47fb-9f4c-ecd930228c4d',
    name: RAGAVAN,
    set: 'mh2',
    set_name: 'Modern Horizons 2',
    collector_number: '138',
    rarity: 'mythic',
    finishes: ['nonfoil', 'foil'],
    digital: false,
    tcgplayer_id: 91011632,
    prices: { usd, usd_foil: null, usd_etched: null, eur: null, eur_foil: null },
  };
  return `[\n${JSON.stringify(card)}\n]\n`;
}

/** Scryfall's list of bulk files, which names one of a moment. */
function listing(url: string, updated: string, name = 'bulk.json'): string {
  const download = `${url}/files/${name}`;
  const bulks = [
    { type: 'rulings', updated_at: updated, download_uri: `${url}/rulings` },
    { type: 'default_cards', updated_at: updated, download_uri: download },
  ];
  return JSON.stringify({ object: 'list', data: bulks });
}

/** Scryfall, with Ragavan at $38.10, and a database that was synced with it. */
async function syncedWithScryfall() {
  const bed = await bedOfTest();
  const upstream = await Upstream.open();
  upstream.on('/bulk-data', file(listing(upstream.url, '2026-01-28T09:00:00Z')));
  upstream.on('/files/bulk.json', packed(bulk('38.10')));
  const source = registered('scryfall', upstream.url);
  const first = await bed.only(source);
  assert.equal(first.outcome, 'imported', String(first.error));
  assert.equal(await bed.priceFrom('scryfall', RAGAVAN), 3810);
  assert.deepEqual(upstream.paths(), ['/bulk-data', '/files/bulk.json']);
  bed.now += DAY;
  /** The next day's file. */
  const next = (...answers: readonly Answer[]) => {
    upstream.on('/bulk-data', file(listing(upstream.url, '2026-01-29T09:00:00Z')));
    upstream.on('/files/bulk.json', ...answers);
  };
  return { bed, upstream, source, next };
}

const DAMAGED: readonly (readonly [string, Answer, RegExp])[] = [
  ['is refused', status(403), /answered 403 \(the source refuses us\)\.$/],
  [
    'is missing',
    status(404),
    /^There is no .*\/files\/bulk\.json \(404\)\. Has the source moved\?$/,
  ],
  ['fails', status(500), /answered 500, 5 times\.$/],
  [
    'wants to be left alone',
    status(429, { 'retry-after': '7200' }),
    /answered 429 and asks to be left alone until 2026-01-29T23:30:00Z\.$/,
  ],
  ['is not answered', hangUp, /cannot be reached: .*, 5 times\.$/],
  ['is cut', cut(bulk('1.00')), /broke off after \d+ bytes: .*, 5 times\.$/],
  ['trickles', drip, /is too slow: \d+ bytes so far, 5 times\.$/],
  ['promises too much', wrongLength(bulk('1.00'), 9), /broke off after \d+ bytes/],
  ['promises too little', wrongLength(bulk('1.00'), -9), /ends in the middle/],
  ['is half a file', file(bulk('1.00').slice(0, 200)), /ends in the middle, after 200 bytes\.$/],
  ['is half a packed file', halfPacked(bulk('1.00')), /is damaged: its packing says/],
  ['is a page', file('<html>Sorry</html>'), /is a page for people/],
  ['leads in a circle', redirect('/files/bulk.json'), /redirects too many times\.$/],
  ['is of another shape', file('[\n{"card":"Ragavan"}\n]'), /cannot be read as Scryfall's/],
  [
    'is of cards that nobody knows',
    file(bulk('1.00').replaceAll(/Ragavan|91011632|mh2|138/g, '7')),
    /^None of the 1 cards of scryfall is known here/,
  ],
];

describe('a downloaded file that', () => {
  for (const [what, answer, words] of DAMAGED) {
    it(`${what} leaves the source’s prices as they are, and is downloaded again later`, async () => {
      const { bed, upstream, source, next } = await syncedWithScryfall();
      next(answer);
      const { outcome, error } = await bed.only(source);
      assert.equal(outcome, 'failed');
      assert.match(String(error), words);
      assert.equal(await bed.priceFrom('scryfall', RAGAVAN), 3810);
      assert.deepEqual(readdirSync(bed.folder), []);

      upstream.on('/files/bulk.json', packed(bulk('39.20')));
      bed.now += DAY;
      const fixed = await bed.only(source);
      assert.equal(fixed.outcome, 'imported', String(fixed.error));
      assert.equal(await bed.priceFrom('scryfall', RAGAVAN), 3920);
    });
  }

  it('fails with a transient error is retried', async () => {
    const { bed, source, next } = await syncedWithScryfall();
    const slower = status(429, { 'retry-after': '20' });
    next(status(500), cut(bulk('1.00')), slower, hangUp, packed(bulk('39.20')));
    assert.equal((await bed.only(source)).outcome, 'imported');
    assert.equal(await bed.priceFrom('scryfall', RAGAVAN), 3920);
    assert.deepEqual(bed.waits, [1000, 2000, 20_000, 8000]);
  });
});

describe('a source with a listing', () => {
  it('that names a machine of our own network is not followed there', async () => {
    const bed = await bedOfTest();
    const inside = (await Upstream.open()).otherwise(packed(bulk('1.00')));
    const mirror = await Upstream.open();
    mirror.on('/bulk-data', file(listing(inside.url, '2026-01-28T09:00:00Z')));
    const { outcome, error } = await bed.only(registered('scryfall', mirror.url));
    assert.equal(outcome, 'failed');
    assert.match(
      String(error),
      /\/files\/bulk\.json is not requested: 127\.0\.0\.1 is not a public/,
    );
    assert.deepEqual(inside.asked, []);
  });

  for (const [path, words] of [
    [
      'http://cards.example/bulk.json',
      /lists http:\/\/cards\.example\/bulk\.json, which is not enc/,
    ],
    ['file:///etc/passwd', /lists something that is not the address of a file\.$/],
    ['https://', /lists something that is not the address of a file\.$/],
  ] as const) {
    it(`that is encrypted does not lead to ${path}`, async () => {
      const bed = await bedOfTest();
      const { open } = findFeedSource('scryfall') ?? assert.fail();
      const main = { path, saveAs: 'cards.json', maxBytes: 100 };
      const remote = {
        base: 'https://cards.example',
        pauseMs: 0,
        content: { kind: 'files', main },
      } as const;
      const source = feedSource({ name: 'scryfall', open, remote });
      const { error, requests } = await bed.only(source);
      assert.match(String(error), words);
      assert.equal(requests, 0);
    });
  }

  it('that names a known version costs one request', async () => {
    const { bed, upstream, source } = await syncedWithScryfall();
    const { outcome, requests } = await bed.only(source);
    assert.deepEqual([outcome, requests], ['unchanged', 1]);
    assert.deepEqual(upstream.paths(), ['/bulk-data']);
  });

  it('answers conditional requests, and sends only what has changed', async () => {
    const { bed, upstream, source } = await syncedWithScryfall();
    const list = listing(upstream.url, '2026-01-29T09:00:00Z');
    upstream.on('/bulk-data', file(list, { etag: '"2"' }));
    await bed.only(source);
    upstream.paths();
    assert.equal((await bed.only(source)).outcome, 'unchanged');
    assert.equal(upstream.asked[0]?.headers['if-none-match'], '"2"');
  });

  it('remembers the validator of a listing that names the same version', async () => {
    const { bed, upstream, source } = await syncedWithScryfall();
    upstream.on('/bulk-data', file(listing(upstream.url, '2026-01-28T09:00:00Z'), { etag: '"2"' }));
    await bed.only(source);
    upstream.paths();
    await bed.only(source);
    assert.equal(upstream.asked[0]?.headers['if-none-match'], '"2"');
  });

  it('that gives a known file another version changes nothing, and it is downloaded once', async () => {
    const { bed, upstream, source, next } = await syncedWithScryfall();
    next(packed(bulk('38.10')));
    assert.equal((await bed.only(source)).outcome, 'unchanged');
    assert.equal(upstream.paths().length, 2);
    assert.equal((await bed.only(source)).outcome, 'unchanged');
    assert.equal(upstream.paths().length, 1);
  });

  it('that goes back to an older file changes nothing', async () => {
    const { bed, upstream, source } = await syncedWithScryfall();
    upstream.on('/bulk-data', file(listing(upstream.url, '2026-01-20T09:00:00Z')));
    upstream.on('/files/bulk.json', packed(bulk('11.00')));
    await bed.only(source);
    assert.equal(await bed.priceFrom('scryfall', RAGAVAN), 3810);
  });

  for (const text of ['{"data":[]}', '[]', '{"data":', '<html>']) {
    it(`that answers ${text} fails with a clear error`, async () => {
      const { bed, upstream, source } = await syncedWithScryfall();
      upstream.on('/bulk-data', file(text));
      const { outcome, error } = await bed.only(source);
      assert.equal(outcome, 'failed');
      assert.match(
        String(error),
        /Scryfall (does not answer as it used to|no longer lists its default_cards)/,
      );
    });
  }
});

describe('a source of files', () => {
  const prices = JSON.stringify({
    meta: { date: '2026-01-28', version: '5.2.2+20260128' },
    data: {
      'uuid-of-ragavan': {
        paper: {
          tcgplayer: { retail: { normal: { '2026-01-28': 37.5 } }, buylist: {}, currency: 'USD' },
        },
      },
    },
  });
  const identifiers = JSON.stringify({
    meta: { date: '2026-01-28', version: '5.2.2+20260128' },
    data: {
      'uuid-of-ragavan': {
        uuid: 'uuid-of-ragavan',
        name: RAGAVAN,
        setCode: 'MH2',
        number: '138',
        rarity: 'mythic',
        language: 'English',
        finishes: ['nonfoil', 'foil'],
        availability: ['paper'],
        identifiers: { tcgplayerProductId: '91011632' },
      },
    },
  });

  it('downloads further files only when the main one is new', async () => {
    const bed = await bedOfTest();
    const upstream = (await Upstream.open())
      .on('/AllPricesToday.json.gz', file(prices, { etag: '"1"' }))
      .on('/AllIdentifiers.json.gz', file(identifiers))
      .on('/SetList.json.gz', file(SET_LIST));
    const source = registered('mtgjson', upstream.url);
    const first = await bed.only(source);
    assert.equal(first.outcome, 'imported', String(first.error));
    assert.equal(await bed.priceFrom('mtgjson', RAGAVAN), 3750);
    assert.deepEqual(upstream.paths(), [
      '/AllPricesToday.json.gz',
      '/AllIdentifiers.json.gz',
      '/SetList.json.gz',
    ]);
    bed.now += DAY;
    assert.equal((await bed.only(source)).outcome, 'unchanged');
    assert.deepEqual(upstream.paths(), ['/AllPricesToday.json.gz']);
  });

  it('remembers the newest validator of a file whose content is the same', async () => {
    const bed = await bedOfTest();
    const upstream = (await Upstream.open())
      .on('/AllPricesToday.json.gz', file(prices, { etag: '"1"' }))
      .on('/AllIdentifiers.json.gz', file(identifiers))
      .on('/SetList.json.gz', file(SET_LIST));
    const source = registered('mtgjson', upstream.url);
    await bed.only(source);
    upstream.on('/AllPricesToday.json.gz', file(prices, { etag: '"2"' }));
    assert.equal((await bed.only(source)).outcome, 'unchanged');
    upstream.asked.length = 0;
    assert.equal((await bed.only(source)).outcome, 'unchanged');
    assert.deepEqual(
      upstream.asked.map(({ headers }) => headers['if-none-match']),
      ['"2"'],
    );
  });

  it('sends its API key to its own origin, and not to another port of the same host', async () => {
    const bed = await bedOfTest();
    const [own, other] = [await Upstream.open(), await Upstream.open()];
    own.on('/own.json', file('{}'));
    other.on('/other.json', file('{}'));
    const { open } = findFeedSource('mtgjson') ?? assert.fail();
    const fileAt = (path: string) => ({ path, saveAs: 'x.json', maxBytes: 100 });
    const further = { identifiers: fileAt(`${other.url}/other.json`) };
    const remote = {
      base: own.url,
      pauseMs: 0,
      key: { in: 'header', name: 'x-key', required: true },
      content: { kind: 'files', main: fileAt('own.json'), further },
    } as const;
    const source = feedSource({ name: 'mtgjson', open, remote, apiKey: 'secret' });
    const trustedOrigins = [own.url, other.url];
    const quick = { pauseMs: 0, sleep: async () => {} };
    await bed.only(source, { rules: { trustedOrigins, ...quick } });
    assert.equal(own.asked[0]?.headers['x-key'], 'secret');
    assert.deepEqual(
      other.asked.map(({ headers }) => headers['x-key']),
      [undefined],
    );
  });

  it('without conditional requests is downloaded, but the same file is not imported again', async () => {
    const bed = await bedOfTest();
    const upstream = (await Upstream.open())
      .on('/AllPricesToday.json.gz', packed(prices))
      .on('/AllIdentifiers.json.gz', packed(identifiers))
      .on('/SetList.json.gz', packed(SET_LIST));
    const source = registered('mtgjson', upstream.url);
    await bed.only(source);
    upstream.paths();
    bed.now += DAY;
    assert.equal((await bed.only(source)).outcome, 'unchanged');
    assert.deepEqual(upstream.paths(), ['/AllPricesToday.json.gz']);
    assert.equal((await bed.only(source, { again: true })).outcome, 'imported');
  });
});

describe('a source of pages', () => {
  const elsa = {
    id: 'crd_elsa',
    name: 'Elsa',
    version: 'Snow Queen',
    collector_number: '41',
    rarity: 'Uncommon',
    tcgplayer_id: 492705,
    set: { code: '1', name: 'The First Chapter' },
    prices: { usd: '0.21', usd_foil: '1.40' },
  };

  async function lorcast() {
    const bed = await bedOfTest();
    const sets = { results: [{ id: 'set_1', released_at: '2023-08-18' }, { id: 'set_2' }] };
    const upstream = (await Upstream.open())
      .on('/v0/sets', file(JSON.stringify(sets)))
      .on('/v0/sets/set_1/cards', file(JSON.stringify([elsa])))
      .on('/v0/sets/set_2/cards', file('[]'));
    return { bed, upstream, source: registered('lorcast', upstream.url) };
  }

  it('is read page by page, and not again before its interval has passed', async () => {
    const { bed, upstream, source } = await lorcast();
    const first = await bed.only(source);
    assert.equal(first.outcome, 'imported', String(first.error));
    assert.equal(await bed.priceFrom('lorcast', 'Elsa - Snow Queen'), 21);
    const pages = ['/v0/sets', '/v0/sets/set_1/cards', '/v0/sets/set_2/cards'];
    assert.deepEqual(upstream.paths(), pages);
    bed.now += 19 * HOUR;
    assert.deepEqual((await bed.only(source)).requests, 0);
    bed.now += HOUR;
    assert.equal((await bed.only(source)).outcome, 'unchanged');
    assert.deepEqual(upstream.paths(), pages);
    bed.now += HOUR;
    assert.deepEqual((await bed.only(source)).requests, 0);
  });

  for (const [what, answer, words] of [
    ['refused', status(403), /\/v0\/sets\/set_2\/cards answered 403/],
    ['missing', status(404), /^There is no .*\/v0\/sets\/set_2\/cards \(404\)/],
    ['not JSON', file('[{"id":'), /\/v0\/sets\/set_2\/cards no longer answers with JSON\./],
    ['of another shape', file('{"cards":[]}'), /^Lorcast does not answer as it used to: /],
  ] as const) {
    it(`with a page that is ${what} is not imported at all`, async () => {
      const { bed, upstream, source } = await lorcast();
      upstream.on('/v0/sets/set_2/cards', answer);
      const { outcome, error } = await bed.only(source);
      assert.equal(outcome, 'failed');
      assert.match(String(error), words);
      assert.equal(await bed.priceFrom('lorcast', 'Elsa - Snow Queen'), undefined);
    });
  }

  it('without items fails', async () => {
    const { bed, upstream, source } = await lorcast();
    upstream.on('/v0/sets', file('{"results":[]}'));
    assert.match(String((await bed.only(source)).error), /there is nothing on the pages\.$/);
  });
});

describe('a source with a key', () => {
  it('gets no request without it', async () => {
    const bed = await bedOfTest();
    const upstream = await Upstream.open();
    const { outcome, error } = await bed.only(registered('pricecharting', upstream.url));
    assert.equal(outcome, 'failed');
    assert.equal(
      error,
      'pricecharting wants a key: set CARDPRICE_SYNC_KEYS=pricecharting=YOUR_KEY.',
    );
    assert.deepEqual(upstream.asked, []);
  });

  it('gets it, and no other origin does', async () => {
    const bed = await bedOfTest();
    const upstream = (await Upstream.open()).otherwise(status(403));
    const guide = await bed.only(registered('pricecharting', upstream.url, 'SECRET-1'));
    const cards = await bed.only(registered('pokemontcg', upstream.url, 'SECRET-2'));
    const [first, second] = upstream.asked;
    assert.match(String(first?.path), /^\/price-guide\/download-custom\?.*\bt=SECRET-1$/);
    assert.equal(second?.headers['x-api-key'], 'SECRET-2');
    for (const { outcome, error } of [guide, cards]) {
      assert.equal(outcome, 'failed');
      assert.match(String(error), /answered 403/);
      assert.doesNotMatch(String(error), /SECRET|\?/);
    }
  });
});

describe('a location that the operator sets', () => {
  it('may be a file, which is imported when it has changed', async () => {
    const bed = await bedOfTest();
    const place = join(temporaryFolder(), 'bulk.json');
    writeDated(place, bulk('38.10'));
    const source = registered('scryfall', place);
    const first = await bed.only(source);
    assert.equal(first.outcome, 'imported', String(first.error));
    assert.equal((await bed.only(source)).outcome, 'unchanged');
    assert.equal((await bed.only(source, { again: true })).outcome, 'imported');
  });

  it('may be a folder', async () => {
    const bed = await bedOfTest();
    const place = join(temporaryFolder(), 'lorcast');
    mkdirSync(place);
    const set = { code: '1', name: 'The First Chapter' };
    const card = { id: 'crd_1', name: 'Elsa', collector_number: '41', tcgplayer_id: 492705, set };
    writeDated(join(place, '1.json'), JSON.stringify([{ ...card, prices: { usd: '0.21' } }]));
    const source = registered('lorcast', place);
    const first = await bed.only(source);
    assert.equal(first.outcome, 'imported', String(first.error));
    assert.equal((await bed.only(source)).outcome, 'unchanged');
  });

  it('may be the address of one file, with a key in it', async () => {
    const bed = await bedOfTest();
    const upstream = (await Upstream.open()).on('/guide.json', file(bulk('38.10')));
    const place = `${upstream.url}/guide.json?key=SECRET`;
    const first = await bed.only(registered('scryfall', place));
    assert.equal(first.outcome, 'imported', String(first.error));
    assert.deepEqual(upstream.paths(), ['/guide.json?key=SECRET']);
    upstream.on('/guide.json', status(500));
    assert.doesNotMatch(String((await bed.only(registered('scryfall', place))).error), /SECRET/);
  });

  it('that does not exist is named in the error', async () => {
    const bed = await bedOfTest();
    const { error } = await bed.only(registered('scryfall', '/no/such/file.json'));
    assert.match(String(error), /^\/no\/such\/file\.json of scryfall cannot be read: ENOENT/);
  });

  it('is required for a source without an address', async () => {
    const { error } = await (await bedOfTest()).only(quotesSource({ name: 'quotes' }));
    assert.equal(
      error,
      'quotes has no address: set the location of its file in CARDPRICE_SYNC_FROM.',
    );
  });

  it('may be a series of the operator’s own', async () => {
    const bed = await bedOfTest();
    const upstream = await Upstream.open();
    const quotes = 'card,date,market\nmtg-mh2-ragavan-nimble-pilferer-138,2026-01-28,41.00\n';
    upstream.on('/quotes.csv', file(quotes, { etag: '"1"' }));
    const source = quotesSource({ name: 'quotes', location: `${upstream.url}/quotes.csv` });
    const first = await bed.only(source);
    assert.equal(first.outcome, 'imported', String(first.error));
    assert.equal(await bed.priceFrom('quotes', RAGAVAN), 4100);
    assert.equal(await bed.priceOf(RAGAVAN), 4100);
    assert.equal((await bed.only(source)).outcome, 'unchanged');
  });
});

describe('exchange rates', () => {
  const HISTORY = readFileSync('test/fixtures/ecb/eurofxref-hist-90d.xml', 'utf8');

  it('are asked for at most every twelve hours, and imported if they are new', async () => {
    const bed = await bedOfTest();
    const upstream = await Upstream.open();
    upstream.on('/stats/eurofxref/eurofxref-hist-90d.xml', file(HISTORY, { etag: '"1"' }));
    const source = ratesSource({ ...ECB, location: upstream.url });
    const first = await bed.only(source);
    assert.equal(first.outcome, 'imported', String(first.error));
    assert.equal(first.counts?.parts, 9);
    bed.now += 11 * HOUR;
    const soon = await bed.only(source);
    assert.deepEqual([soon.outcome, soon.requests], ['unchanged', 0]);
    bed.now += HOUR;
    const later = await bed.only(source);
    assert.deepEqual([later.outcome, later.requests], ['unchanged', 1]);
  });

  it('that cannot be read change nothing, and are asked for again', async () => {
    const bed = await bedOfTest();
    const location = join(temporaryFolder(), 'rates.xml');
    writeFileSync(location, HISTORY.slice(0, -40));
    const source = ratesSource({ ...ECB, location });
    const broken = await bed.only(source);
    assert.equal(broken.outcome, 'failed');
    assert.match(broken.error ?? '', /rates\.xml is not a file of exchange rates of the ECB/);
    writeFileSync(location, HISTORY);
    assert.equal((await bed.only(source)).outcome, 'imported');
  });
});
