import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';

/** Imports that break the order of the layers, planted in a copy of the layout. */
const FORBIDDEN: readonly (readonly [string, string])[] = [
  ['src/domain/planted.ts', '../store/connect.ts'],
  ['src/history/planted.ts', '../store/connect.ts'],
  ['src/sources/planted/read.ts', '../../store/connect.ts'],
  ['src/store/planted.ts', '../catalog/catalog.ts'],
  ['src/catalog/planted.ts', '../accounts/gate.ts'],
  ['src/accounts/planted.ts', '../catalog/catalog.ts'],
  ['src/ingest/planted.ts', '../sources/tcgcsv/read.ts'],
  ['src/ingest/planted-too.ts', '../sync/run.ts'],
  ['src/sync/planted.ts', '../catalog/catalog.ts'],
  ['src/sync/settings.ts', '../config.ts'],
  ['src/http/v1/planted.ts', '../../ingest/run.ts'],
  ['src/http/planted-too.ts', '../sync/run.ts'],
  ['src/http/planted.ts', '../commands/serve.ts'],
  ['src/accounts/settings.ts', '../config.ts'],
  ['src/http/pages.ts', '../dashboard/pages.ts'],
  ['src/accounts/pages.ts', '../dashboard/schemas.ts'],
  ['src/dashboard/planted.ts', '../ingest/run.ts'],
  ['src/dashboard/calls/planted.ts', '../../sources/registry.ts'],
  ['src/dashboard/planted-too.ts', '../commands/serve.ts'],
  ['src/dashboard/planted-web.ts', '../../web/src/api.ts'],
  ['src/domain/planted-web.ts', '../../web/src/api.ts'],
  ['src/commands/planted-web.ts', '../../web/src/api.ts'],
];

const ALLOWED: readonly (readonly [string, string])[] = [
  ['src/catalog/honest.ts', '../store/connect.ts'],
  ['src/ingest/honest.ts', '../sources/source.ts'],
  ['src/sync/honest.ts', '../ingest/run.ts'],
  ['src/dashboard/honest.ts', '../http/app.ts'],
  ['src/commands/honest.ts', '../ingest/run.ts'],
  ['src/commands/honest-too.ts', '../dashboard/index.ts'],
];

/** What the pages have of the program at run time; of all else they know the types. */
const SHARED_WITH_PAGES = /^src\/(domain\/|dashboard\/pages\.ts$)/;

const LINTER = resolve('node_modules/.bin/biome');

describe('import rules', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cardprice-layers-'));
  let findings = '';

  before(() => {
    copyFileSync('biome.json', join(folder, 'biome.json'));
    for (const [file, imported] of [...FORBIDDEN, ...ALLOWED]) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), `import '${imported}';\n`);
    }
    const options = ['lint', '--vcs-enabled=false', '--reporter=github', '--max-diagnostics=none'];
    findings = spawnSync(LINTER, options, { cwd: folder, encoding: 'utf8' }).stdout;
  });

  after(() => rmSync(folder, { recursive: true }));

  for (const [file, imported] of FORBIDDEN) {
    test(`${file} may not import ${imported}`, () => assert.ok(isFound(findings, file), findings));
  }

  for (const [file, imported] of ALLOWED) {
    test(`${file} may import ${imported}`, () => assert.ok(!isFound(findings, file), findings));
  }
});

test('the pages take only what is pure of the program, besides types', () => {
  const files = readdirSync('web/src', { recursive: true, encoding: 'utf8' });
  const taken = files.filter((file) => /\.tsx?$/.test(file)).flatMap(valuesTaken);
  assert.ok(taken.length > 0);
  for (const path of taken) assert.match(path, SHARED_WITH_PAGES);
});

/** The modules of `src` of which a file of the pages imports more than types. */
function valuesTaken(file: string): string[] {
  const text = readFileSync(join('web/src', file), 'utf8');
  const imports = text.matchAll(/^(?:import|export)\s+(?!type\b)[^;]*?'(?:\.\.\/)+(src\/[^']+)'/gm);
  return [...imports].flatMap(([, path = '']) => path);
}

/** Whether the linter, which ran over everything, objects to an import in `file`. */
function isFound(findings: string, file: string): boolean {
  return findings
    .split('\n')
    .some((line) => line.includes('noRestrictedImports') && line.includes(`/${file},`));
}
