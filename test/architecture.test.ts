import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
];

const ALLOWED: readonly (readonly [string, string])[] = [
  ['src/catalog/honest.ts', '../store/connect.ts'],
  ['src/ingest/honest.ts', '../sources/source.ts'],
  ['src/sync/honest.ts', '../ingest/run.ts'],
  ['src/commands/honest.ts', '../ingest/run.ts'],
];

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

/** Whether the linter, which ran over everything, objects to an import in `file`. */
function isFound(findings: string, file: string): boolean {
  return findings
    .split('\n')
    .some((line) => line.includes('noRestrictedImports') && line.includes(`/${file},`));
}
