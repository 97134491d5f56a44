import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { eventually, Program, run, temporaryFolder } from '../support/cli.ts';
import { megabytesOf, NODES } from '../support/nodes.ts';
import { startRegistry } from '../support/registry.ts';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

/** What an install may take (docs/deploying.md has the figures), without Node. */
const MOST_MEGABYTES = { tarball: 4, installed: 100 };

describe('the package', () => {
  const folder = temporaryFolder();
  const tarball = join(folder, `cardprice-${manifest.version}.tgz`);
  before(async () => {
    await must('npm', 'pack', '--pack-destination', folder);
    const registry = await startRegistry();
    after(() => registry.close());
    const own = ['--registry', registry.url, '--cache', join(folder, 'cache'), '--prefix', folder];
    const offline = ['--no-audit', '--no-fund', '--no-update-notifier', '--ignore-scripts'];
    await must('npm', 'install', ...own, ...offline, tarball);
  });

  it('contains the compiled program and the starter catalogue, and nothing else', async () => {
    const listed = (await must('tar', '-tf', tarball)).trim().split('\n');
    const paths = listed.map((path) => path.replace(/^package\//, ''));
    for (const file of ['dist/main.js', 'dist/unpack.js', 'dist/docs/commands.md']) {
      assert.ok(paths.includes(file), file);
    }
    assert.deepEqual(
      paths.filter((path) => /^dist\/(?!docs\/\w[\w-]*\.md$).*(?<!\.js)$/.test(path)),
      [],
    );
    for (const game of ['pokemon', 'fab']) assert.ok(paths.includes(`data/starter/${game}.jsonl`));
    for (const file of globSync('data/words/*')) assert.ok(paths.includes(file), file);
    const declared: string[] = [...manifest.files, 'package.json'];
    const isDeclared = (path: string) => {
      return declared.some((part) => `${path}/`.startsWith(`${part}/`) || matchesGlob(path, part));
    };
    assert.deepEqual(
      paths.filter((path) => !isDeclared(path)),
      [],
    );
  });

  it('is small, and so is what it installs', () => {
    assert.ok(statSync(tarball).size < MOST_MEGABYTES.tarball * 1e6);
    const installed = megabytesOf(join(folder, 'node_modules'));
    assert.ok(installed < MOST_MEGABYTES.installed, `${installed} MB`);
  });

  for (const node of NODES) {
    // The machine's own Node may be an older one, so the program is not started by its link in
    // .bin.
    const command = [node, join(folder, 'node_modules/.bin/cardprice')];

    it(`knows its version and its commands once it is installed, with ${node}`, async () => {
      const version = await run(['--version'], { command, cwd: folder });
      assert.deepEqual(version, { code: 0, out: `${manifest.version}\n`, err: '' });
      const help = await run(['--help'], { command, cwd: folder });
      assert.match(help.out, /^Usage: cardprice .*\n {2}start .*\n {2}serve /s);
    });

    it(`starts with the starter catalogue from any folder, with ${node}`, async () => {
      const cwd = temporaryFolder();
      const program = new Program(['start', '--port', '0'], { command, cwd });
      await assertServes(program);
      const { code, err } = await program.send('SIGINT').ended();
      assert.deepEqual({ code, err }, { code: 0, err: '' });
      assert.ok(readdirSync(cwd).includes('cardprice.db'));
    });
  }
});

/** Asserts that a demo shows a key, and answers it. */
async function assertServes(program: Program): Promise<void> {
  const url = await program.listening();
  assert.equal((await fetch(`${url}/readyz`)).status, 200);
  // The keys are printed once it listens.
  await eventually(() => program.out.includes('cp_live_'));
  const [key = ''] = /cp_live_\S+/.exec(program.out) ?? [];
  const found = await fetch(`${url}/v1/search?q=charizard`, { headers: { 'x-api-key': key } });
  assert.match(await found.text(), /"id":"pokemon-bs-charizard-004"/);
  for (const path of ['/docs/', '/docs/guide', '/docs/pricing']) {
    assert.equal((await fetch(url + path)).status, 200);
  }
  await assertBuiltWhole(url);
}

/** Asserts what a build has lost before: a check by decoding, and the order of libraries. */
async function assertBuiltWhole(url: string): Promise<void> {
  assert.equal((await fetch(`${url}/cards/%zz`)).status, 404);
  const { origin } = Object.assign(new URL(url), { hostname: 'localhost' });
  const options = await fetch(`${origin}/dashboard/sign-in/passkey-options`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: '{}',
  });
  assert.match(await options.text(), /"rpId":"localhost"/);
}

/** Runs a command that must succeed, and returns what it printed. */
async function must(...command: readonly string[]): Promise<string> {
  const { code, out, err } = await run([], { command });
  assert.equal(code, 0, `${command.join(' ')}: ${out}${err}`);
  return out;
}

it('has no module that looks for a file next to itself that the package does not have', () => {
  const sources = globSync('src/**/*.ts');
  const looking = sources.filter((path) => readFileSync(path, 'utf8').includes('import.meta.'));
  // The first one reads all files next to it. The last one has its own file in the package
  // as well: scripts/bundle.config.ts.
  const allowed = [
    'src/catalog/program.ts',
    'src/lib/package-file.ts',
    'src/sources/tcgcsv-archive/unpack.ts',
  ];
  assert.deepEqual(looking.sort(), allowed);
});
