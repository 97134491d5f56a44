import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Program, run, temporaryFolder } from '../support/cli.ts';
import { megabytesOf, NODES } from '../support/nodes.ts';
import { startRegistry } from '../support/registry.ts';

interface LockedPackage {
  readonly dev?: boolean;
  readonly engines?: { readonly node?: string };
  integrity?: string;
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const lock: { packages: Record<string, LockedPackage> } = JSON.parse(
  readFileSync('package-lock.json', 'utf8'),
);

/** What the libraries of the image may take. */
const MOST_MEGABYTES = 40;

describe('a checkout without the build tools', () => {
  const folder = temporaryFolder();
  // What `npm start` runs, without npm in between, which would outlive a signal to end it.
  const [, ...start] = `${manifest.scripts.start} --port 0`.split(' ');

  before(async () => {
    for (const path of ['package.json', '.npmrc', 'bin', 'src', 'data']) copy(path);
    // The registry of the tests packs its tarballs again, so their checksums differ.
    for (const locked of Object.values(lock.packages)) delete locked.integrity;
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
    const registry = await startRegistry();
    after(() => registry.close());
    const own = ['--registry', registry.url, '--cache', join(folder, 'cache')];
    const command = ['npm', 'ci', '--omit=dev', '--no-audit', '--no-fund', ...own];
    const { code, out, err } = await run([], { command, cwd: folder });
    assert.equal(code, 0, `${out}${err}`);
    // With GNU find, as in the image.
    if (process.platform === 'linux') await leaveOut();
  });

  /** Leaves out what the image leaves out: nothing of it is needed. */
  async function leaveOut(): Promise<void> {
    const dockerfile = readFileSync('deploy/Dockerfile', 'utf8');
    const [, steps = ''] = /^RUN (rm -rf node_modules(?:.*\\\n)*.*)$/m.exec(dockerfile) ?? [];
    const { code, err } = await run([], { command: ['sh', '-ec', steps], cwd: folder });
    assert.deepEqual([code, err], [0, '']);
    assert.ok(!existsSync(join(folder, 'node_modules/fastify/test')), 'the steps were recognised');
    assert.ok(existsSync(join(folder, 'node_modules/fastify/LICENSE')));
  }

  it('installs nothing that only builds need', () => {
    for (const tool of ['vite', 'typescript', 'node']) {
      assert.ok(!existsSync(join(folder, 'node_modules', tool)), tool);
    }
  });

  it('has small libraries once what the image leaves out is gone', {
    skip: process.platform !== 'linux',
  }, () => {
    const libraries = megabytesOf(join(folder, 'node_modules'));
    assert.ok(libraries < MOST_MEGABYTES, `${libraries} MB`);
  });

  for (const node of NODES) {
    it(`starts, and serves the pages once they are brought from elsewhere, with ${node}`, async () => {
      rmSync(join(folder, 'web'), { recursive: true, force: true });
      const program = new Program(start, { command: [node], cwd: folder });
      const url = await program.listening();
      assert.equal((await fetch(`${url}/readyz`)).status, 200);
      assert.equal((await fetch(url)).status, 503);
      cpSync('test/fixtures/pages', join(folder, 'web/dist'), { recursive: true });
      assert.equal((await fetch(url)).status, 200);
      program.send('SIGINT');
      await program.ended();
    });
  }

  it('answers an older Node by one line, however it is started', async () => {
    const wanted = manifest.engines.node.replace('>=', '');
    const line =
      `cardprice: Node ${wanted} or newer is needed; this is 20.20.2. ` +
      'Download it from https://nodejs.org.\n';
    const env = { NODE_OPTIONS: `--import ${older('20.20.2')}` };
    const direct = [process.execPath, 'bin/cardprice.js', 'serve'];
    for (const command of [['npm', 'start', '--silent'], direct]) {
      const outcome = await run([], { command, cwd: folder, env });
      assert.deepEqual(outcome, { code: 1, out: '', err: line });
    }
  });

  function copy(path: string): void {
    cpSync(path, join(folder, path), { recursive: true });
  }
});

it('asks for a Node that every library works with', () => {
  const own = oldest(manifest.engines.node);
  const shipped = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && !dev);
  const newer = shipped.filter(([, { engines }]) => isNewer(oldest(engines?.node ?? ''), own));
  assert.deepEqual(newer, []);
});

/** A module that makes the program believe that it runs on another version of Node. */
function older(version: string): string {
  const versions = `{value:{...process.versions,node:${JSON.stringify(version)}}}`;
  const module = `Object.defineProperty(process,"versions",${versions})`;
  return `data:text/javascript,${encodeURIComponent(module)}`;
}

/** The numbers of a range's last alternative, such as `^20 || >=22.19`; none for no range. */
function oldest(range: string): number[] {
  const last = range.split('||').at(-1) ?? '';
  return (last.match(/\d+/g) ?? []).map(Number);
}

/** Whether a version comes after another; parts that are left out count as 0. */
function isNewer(version: readonly number[], than: readonly number[]): boolean {
  const differing = [0, 1, 2].find((part) => (version[part] ?? 0) !== (than[part] ?? 0));
  return differing !== undefined && (version[differing] ?? 0) > (than[differing] ?? 0);
}
