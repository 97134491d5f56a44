/** `cardprice import <source>` and `cardprice sources`, with a few sources that stand for all. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { buildProgram } from '../../src/commands/cli.ts';
import { FEED_SOURCES } from '../../src/sources/registry.ts';
import { type Outcome, run, temporaryFolder } from '../support/cli.ts';
import { FeedFolder } from '../support/feeds.ts';
import { FIXTURE } from '../support/tcgcsv.ts';

const SWU = 'test/fixtures/swu-db/SOR.json';

/** An operator whose database has the cards of the TCGCSV fixture. */
class Shop {
  readonly folder = temporaryFolder();
  readonly #env = { CARDPRICE_DATABASE: join(this.folder, 'cards.db') };

  async stock(): Promise<void> {
    const { code, err } = await this.import('tcgcsv', FIXTURE);
    assert.equal(code, 0, err);
  }

  async import(...args: readonly string[]): Promise<Outcome> {
    return this.run('import', ...args);
  }

  async run(...args: readonly string[]): Promise<Outcome> {
    return run(args, { env: this.#env });
  }
}

/** A card of SWU-DB that is in the catalogue. */
function luke(change: object = {}): object {
  return {
    Set: 'SOR',
    Number: '005',
    Name: 'Luke Skywalker',
    Subtitle: 'Faithful Friend',
    VariantType: 'Normal',
    MarketPrice: '2.81',
    LowPrice: '2.75',
    ...change,
  };
}

describe('cardprice import <source>', () => {
  const shop = new Shop();
  before(() => shop.stock());

  test('prints a summary of the import', async () => {
    const location = new FeedFolder().write('SOR.json', [luke(), luke({ Number: '999' })]);
    const { code, out, err } = await shop.import('swu-db', location, '--observed', '2026-01-29');
    assert.equal(code, 0, err);
    assert.match(out, /^Imported swu-db as observed on 2026-01-29T00:00:00Z in \d+\.\d s$/m);
    assert.match(out, /^Cards {5}2: 1 matched, 1 not$/m);
    assert.match(out, /^Unmatched 1 × unknown card$/m);
    assert.match(out, /^Prices {4}1 observed, \d+ changed what is served$/m);
    assert.match(out, /^To list the unmatched cards, import again with --report unmatched\.csv$/m);
  });

  test('reads the same file once, unless --again demands it', async () => {
    const location = new FeedFolder().write('SOR.json', [luke({ MarketPrice: '2.82' })]);
    const args = ['swu-db', location, '--observed', '2026-01-30'];
    await shop.import(...args);
    const second = await shop.import(...args);
    assert.match(second.out, /^Nothing new: swu-db as observed on 2026-01-30T00:00:00Z/);
    const again = await shop.import(...args, '--again', '--json');
    const { unchanged, cards, observedAt } = JSON.parse(again.out);
    assert.deepEqual([unchanged, cards, observedAt], [false, 1, '2026-01-30T00:00:00Z']);
  });

  test('lists the unmatched references of a file, also of a file that was read before', async () => {
    const unknown = luke({ Number: '999', Name: '=HYPERLINK("x")', VariantType: 'Showcase' });
    const location = new FeedFolder().write('SOR.json', [luke(), unknown]);
    const report = join(shop.folder, 'unmatched.csv');
    const written = [
      [[], `,"'=HYPERLINK(""x"") - Faithful Friend",`],
      [['--raw'], ',"=HYPERLINK(""x"") - Faithful Friend",'],
    ] as const;
    for (const [flags, name] of written) {
      const args = ['swu-db', location, '--report', report, ...flags];
      const { code, out, err } = await shop.import(...args);
      assert.equal(code, 0, err);
      assert.match(out, /^Report {4}unmatched cards: .*unmatched\.csv$/m);
      const [head, row, ...more] = readFileSync(report, 'utf8').split('\n');
      assert.equal(
        head,
        'source_key,game,set_code,set,number,name,variant,rarity,reason,candidates',
      );
      assert.match(row ?? '', /^SOR\/999\/Showcase,swu,SOR,,999,/);
      assert.ok(row?.includes(`${name}Showcase,,unknown`), row);
      assert.deepEqual(more, ['']);
    }
  });

  test('names broken records, imports the others and ends with 3', async () => {
    const broken = luke({ Number: '002', MarketPrice: 'free' });
    const location = new FeedFolder().write('SOR.json', [luke(), broken]);
    const { code, out, err } = await shop.import('swu-db', location, '--observed', '2026-01-31');
    assert.equal(code, 3);
    assert.match(out, /^Cards {5}1: 1 matched, 0 not$/m);
    const name = 'SOR 002 Luke Skywalker - Faithful Friend';
    assert.ok(err.includes(`Skipped   ${name}: market "free" cannot be a price\n`), err);
  });

  test('reads the further files of a source', async () => {
    const card = { id: 'base1-4', name: 'Charizard', supertype: 'Pokémon', number: '4' };
    const location = new FeedFolder().write('base1.json', [card]);
    const sets = 'test/fixtures/pokemontcg/sets.json';
    const { code, out, err } = await shop.import('pokemontcg', location, '--sets', sets, '--json');
    assert.equal(code, 0, err);
    assert.equal(JSON.parse(out).matched, 1);
  });

  const refused: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['a missing file', ['swu-db', '/no/such/file'], /cannot be read: ENOENT/],
    ['another source’s file', ['lorcast', SWU], /SOR\.json: it is not a page of cards of the Lor/],
    ['an invalid day', ['swu-db', SWU, '--observed', 'today'], /"today" is not a day/],
    ['an unwritable report', ['swu-db', SWU, '--report', '/no/such/r.csv'], /cannot be written/],
    ['an invalid grade', ['pricecharting', SWU, '--grade', 'x=y'], /such as any_9=psa_9/],
    ['an unknown game', ['justtcg', SWU, '--game', 'chess'], /no game "chess"/],
  ];
  for (const [what, args, message] of refused) {
    test(`refuses ${what}`, async () => {
      const { code, out, err } = await shop.import(...args);
      assert.deepEqual([code, out], [1, '']);
      assert.match(err, message);
      assert.ok(!existsSync('/no'));
    });
  }

  test('has a command for every source of the registry, with flags for its further files', async () => {
    const [imports] = (await buildProgram('', ['import'])).commands;
    for (const { name, files = {} } of FEED_SOURCES) {
      const command = imports?.commands.find((one) => one.name() === name);
      const flags = command?.options.map(({ long }) => long) ?? [];
      for (const file of Object.keys(files)) assert.ok(flags.includes(`--${file}`), name);
    }
  });
});

describe('cardprice sources', () => {
  const shop = new Shop();
  before(async () => {
    await shop.stock();
    await shop.import('swu-db', SWU, '--observed', '2026-01-28');
  });

  test('prints a table of what each source gives, for which games, and its last import', async () => {
    const { code, out } = await shop.run('sources');
    assert.equal(code, 0);
    const lines = out.split('\n');
    assert.ok(
      lines.every((line) => line.length <= 100),
      out,
    );
    const today = '\\d{4}-\\d{2}-\\d{2}';
    assert.match(out, /^SOURCE +GAMES +GIVES +LAST IMPORT +OBSERVED$/m);
    assert.match(out, new RegExp(`^swu-db +swu +market listings +${today} +2026-01-28$`, 'm'));
    assert.match(out, /^fab-cube +fab +catalogue +never$/m);
    assert.ok(out.indexOf('tcgcsv') < out.indexOf('swu-db'), 'believed first, listed first');
  });

  test('prints all of it as JSON', async () => {
    const { out } = await shop.run('sources', '--json');
    const sources = JSON.parse(out) as { name: string }[];
    const { lastImport, ...swu } = sources.find(({ name }) => name === 'swu-db') as never as {
      lastImport: string;
    };
    assert.match(lastImport, /^\d{4}-\d{2}-\d{2}T.*Z$/);
    assert.deepEqual(swu, {
      name: 'swu-db',
      summary: 'Cards of Star Wars: Unlimited with prices of TCGplayer.',
      countsAs: 'swu-db',
      games: ['swu'],
      gives: ['market', 'listings'],
      freshDays: 7,
      files: [],
      address: 'https://api.swu-db.com',
      observedAt: '2026-01-28T00:00:00Z',
    });
  });
});

describe('cardprice import ecb', () => {
  const HISTORY = 'test/fixtures/ecb/eurofxref-hist.csv';

  test('imports exchange rates from a file, once', async () => {
    const shop = new Shop();
    await shop.stock();
    const first = await shop.import('ecb', HISTORY);
    assert.equal(first.code, 0, first.err);
    assert.match(first.out, /^Imported ecb up to 2026-01-28 in /);
    assert.match(first.out, /Rates {5}11 read, 11 new or changed\n/);
    const again = await shop.import('ecb', HISTORY, '--json');
    assert.equal(JSON.parse(again.out).ratesChanged, 0);
    const { out } = await shop.run('sources');
    assert.match(out, /ecb +rates +\d{4}-\d{2}-\d{2} +2026-01-28/);
  });

  test('names a file that is missing or of somebody else', async () => {
    const shop = new Shop();
    const missing = await shop.import('ecb', join(shop.folder, 'nothing.xml'));
    assert.notEqual(missing.code, 0);
    assert.match(missing.err, /There is no .*nothing\.xml\./);
    const wrong = await shop.import('ecb', SWU);
    assert.match(wrong.err, /SOR\.json is not a file of exchange rates of the ECB\./);
  });
});
