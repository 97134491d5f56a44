import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Program, run } from '../support/cli.ts';

const COPIED = ['src', 'test', 'scripts', 'docs', 'bench', 'package.json', 'tsconfig.json'];
const LINKED = [
  'node_modules',
  'data',
  'web',
  'deploy',
  'bin',
  'README.md',
  'CHANGELOG.md',
  'biome.json',
  '.gitignore',
];

const EMAIL = 'shop@example.com';

/** Where the fixture of the new game belongs. */
const TREE = 'test/fixtures/tcgcsv';

/** Three cards of a set that no fixture has, as TCGCSV publishes them. */
const GROUP = 63_000_001;
const CARDS = [
  { productId: 63_100_001, name: 'Agumon', number: 'BT1-010', market: 1.25 },
  { productId: 63_100_002, name: 'Greymon', number: 'BT1-015', market: 0.4 },
  { productId: 63_100_003, name: 'WarGreymon', number: 'BT1-025', market: 12.5 },
];

describe('npm run new', () => {
  let folder = '';

  before(() => {
    folder = checkout();
    writeFixture(join(folder, TREE));
    for (const recipe of ['game digimon', 'endpoint decades', 'source tradehall']) {
      const { status, stderr } = inCopy('scripts/new.ts', ...recipe.split(' '));
      assert.equal(status, 0, stderr);
    }
  });

  after(() => rmSync(folder, { recursive: true }));

  const inCopy = (...parameters: readonly string[]) => {
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    return spawnSync(process.execPath, parameters, { cwd: folder, encoding: 'utf8', env });
  };

  it('writes code that compiles', { timeout: 300_000 }, () => {
    const tests = ['http/decades', 'http/openapi', 'sources/contract'];
    const include = ['src', 'bench', ...tests.map((test) => `test/${test}.test.ts`)];
    const config = { extends: './tsconfig.json', include };
    writeFileSync(join(folder, 'tsconfig.new.json'), JSON.stringify(config));
    const { status, stdout } = inCopy('node_modules/typescript/bin/tsc', '-p', 'tsconfig.new.json');
    assert.equal(status, 0, stdout);
  });

  it('writes an endpoint and a source that pass their tests', () => {
    const files = ['test/http/decades.test.ts', 'test/http/openapi.test.ts'];
    const { status, stdout } = inCopy('--test', ...files, 'test/sources/contract.test.ts');
    assert.equal(status, 0, stdout);
    assert.match(stdout, /tradehall/);
  });

  it('refuses a name that is taken, and one that is not a word', () => {
    for (const parameters of [['game', 'digimon'], ['game', 'Di-gi'], ['planet', 'earth'], []]) {
      assert.equal(inCopy('scripts/new.ts', ...parameters).status, 1, parameters.join(' '));
    }
  });

  it('writes a ninth game that is imported, found, listed, shown and resolved', async () => {
    const surroundings = {
      command: [process.execPath, join(folder, 'src/main.ts')],
      cwd: folder,
      env: { CARDPRICE_DATABASE: join(folder, 'prices.db'), CARDPRICE_PUBLIC: 'on' },
    };
    const imported = await run(['import', 'tcgcsv', TREE, '--game', 'digimon'], surroundings);
    assert.equal(imported.code, 0, imported.err);
    const account = ['account', 'create', '--email', EMAIL, '--plan', 'business'];
    assert.equal((await run(account, surroundings)).code, 0);
    const created = await run(['key', 'create', '--account', EMAIL], surroundings);
    const key = /cp_[\w-]+/.exec(created.out)?.[0] ?? assert.fail(created.out + created.err);
    const url = await new Program(['serve', '--port', '0'], surroundings).listening();
    const ask = async (path: string, body?: object): Promise<string> => {
      const headers = { 'x-api-key': key, 'content-type': 'application/json' };
      const init = body && { method: 'POST', body: JSON.stringify(body) };
      const answer = await fetch(`${url}${path}`, { headers, ...init });
      const text = await answer.text();
      assert.equal(answer.status, 200, `${path}: ${text}`);
      return text;
    };
    const dataOf = async <Data>(path: string, body?: object): Promise<Data> => {
      return (JSON.parse(await ask(path, body)) as { data: Data }).data;
    };
    const find = async (q: string) => {
      const [first] = await dataOf<Found[]>(`/v1/search?q=${encodeURIComponent(q)}`);
      return first ?? assert.fail(`nothing is found for ${q}`);
    };

    for (const q of [
      'agumon',
      'digimon card game agumon',
      'agumon bt1-010',
      'digimon tcg agumon',
    ]) {
      const { name, game } = await find(q);
      assert.deepEqual([name, game], ['Agumon', 'digimon'], q);
    }
    const { id, prices } = await find('wargreymon');
    assert.equal(prices.market, 12.5);
    assert.match(await ask(`/cards/${id}`), /<title>[^<]*WarGreymon/);
    const sets = await dataOf<{ setId: string; cardCount: number }[]>('/v1/sets?game=digimon');
    assert.deepEqual(
      sets.map(({ setId, cardCount }) => [setId, cardCount]),
      [['digimon-release-special-booster', 3]],
    );
    const items = ['Agumon BT1-010', { name: 'Agumon', game: 'digimon' }];
    const resolved = await dataOf<{ card: Found | null }[]>('/v1/resolve', { items });
    for (const { card } of resolved) assert.equal(card?.name, 'Agumon');
  });
});

interface Found {
  readonly id: string;
  readonly name: string;
  readonly game: string;
  readonly prices: { readonly market: number | null };
}

/** Copies the code of this checkout, which the test changes, and links the rest. */
function checkout(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cardprice-new-'));
  for (const name of COPIED) cpSync(name, join(folder, name), { recursive: true });
  for (const name of LINKED) symlinkSync(resolve(name), join(folder, name));
  return folder;
}

/** Adds one set of category 63 to a TCGCSV tree. */
function writeFixture(folder: string): void {
  const write = (path: string, results: readonly object[]) => {
    const content = { totalItems: results.length, success: true, errors: [], results };
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), JSON.stringify(content));
  };
  const group = { groupId: GROUP, name: 'Release Special Booster', abbreviation: 'BT1' };
  write('tcgplayer/63/groups', [
    { ...group, publishedOn: '2020-11-01T00:00:00', categoryId: 63, isSupplemental: false },
  ]);
  write(
    `tcgplayer/63/${GROUP}/products`,
    CARDS.map(({ productId, name, number }) => ({
      productId,
      name,
      cleanName: name,
      groupId: GROUP,
      categoryId: 63,
      extendedData: [{ name: 'Number', displayName: 'Number', value: number }],
    })),
  );
  write(
    `tcgplayer/63/${GROUP}/prices`,
    CARDS.map(({ productId, market }) => ({
      productId,
      marketPrice: market,
      lowPrice: market,
      midPrice: null,
      highPrice: null,
      directLowPrice: null,
      subTypeName: 'Normal',
    })),
  );
}
