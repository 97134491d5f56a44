import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { before, describe, it } from 'node:test';
import { temporaryFolder } from '../support/cli.ts';
import { examplesIn, startExampleService } from '../support/examples.ts';

/** Installs the TypeScript client as its users do, and runs the examples of its README. */

const README = readFileSync('clients/typescript/README.md', 'utf8');

/** What the examples print, each after the first. */
const OUTPUTS = [
  '',
  'true Charizard\ntrue\n',
  "Charizard [ 'no-such-card' ]\nmatched 2 lorcana-tfc-elsa-spirit-of-winter-207\n",
  '',
  'CARD_NOT_FOUND 404\ntrue\n',
  '8\n',
  'true\n',
  '101\n',
];

const folder = temporaryFolder();
const { run } = await startExampleService();

const npm = (...args: readonly string[]) => execFileSync('npm', args, { cwd: folder });

/** Returns what the compiler objects to in the examples, as a project that resolves modules so. */
function compile(files: readonly string[], ...options: readonly string[]): string {
  const types = ['--typeRoots', resolve('node_modules/@types'), '--types', 'node'];
  const args = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', ...types, ...options];
  try {
    return execFileSync('tsc', [...args, ...files], { cwd: folder, encoding: 'utf8' });
  } catch (error) {
    return String((error as { stdout: string }).stdout);
  }
}

/** Reads a list of several pages. */
const PAGES = `const ids = new Set<string>();
for await (const { id } of client.listCardsOfSet('pokemon-base-set', { limit: 30 })) ids.add(id);
console.log(ids.size);
`;

describe('The packed TypeScript client', () => {
  const [definition = '', ...others] = examplesIn(README, 'ts');
  const programs = [definition, ...[...others, PAGES].map((text) => definition + text)];
  const files = programs.map((_, index) => `example-${index}.ts`);

  before(() => {
    npm('pack', '--silent', resolve('clients/typescript'));
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    const [archive = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
    npm('install', '--silent', '--offline', '--no-audit', `./${archive}`);
    for (const [index, text] of programs.entries())
      writeFileSync(join(folder, files[index] ?? ''), text);
  });

  it('holds its modules, their types and its README', () => {
    const installed = join(folder, 'node_modules/@cardprice/client');
    assert.deepEqual(readdirSync(installed).sort(), ['README.md', 'dist', 'package.json']);
    const modules = readdirSync(join(installed, 'dist')).filter((name) => name.endsWith('.js'));
    for (const name of modules) {
      assert.ok(readdirSync(join(installed, 'dist')).includes(name.replace(/js$/, 'd.ts')), name);
    }
  });

  it('has types for projects of Node.js and of bundlers', () => {
    assert.equal(compile(files, '--module', 'nodenext'), '');
    const bundler = ['--module', 'esnext', '--moduleResolution', 'bundler', '--target', 'es2022'];
    assert.equal(compile(files, ...bundler), '');
  });

  it('has types that refuse what the API does not have', () => {
    const wrong = `${definition}await client.listSets({ gmae: 'mtg' });\ncard.prices.market.toFixed();\n`;
    writeFileSync(join(folder, 'wrong.ts'), wrong);
    const errors = compile(['wrong.ts'], '--module', 'nodenext').match(/error TS\d+/g);
    assert.deepEqual(errors, ['error TS2353', 'error TS18047']);
  });

  it('has examples that print what they promise', async () => {
    const outputs: string[] = [];
    // One after the other, because one of them compares quotas.
    for (const file of files) outputs.push(await run(process.execPath, [join(folder, file)]));
    const [first = ''] = outputs;
    assert.match(first, /^Elsa - Spirit of Winter 740\.04\n$/);
    assert.deepEqual(
      outputs.map((output) => output.replace(first, '')),
      OUTPUTS,
    );
  });
});
