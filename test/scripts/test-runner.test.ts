import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../support/cli.ts';

/** Runs `npm test -- FILE` with a test file of this text. */
function runTests(text: string, env: Record<string, string> = {}) {
  const file = join(temporaryFolder(), 'own.test.ts');
  writeFileSync(file, `import { describe, it } from 'node:test';\n${text}`);
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
  const startedAt = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/test.ts', file], {
    encoding: 'utf8',
    env: { ...inherited, ...env },
  });
  return { status, stdout, stderr, ms: performance.now() - startedAt };
}

test('A test that blocks its process is named while it hangs', () => {
  const hang = "it('spins', () => { const end = Date.now() + 3000; while (Date.now() < end); });";
  const text = `describe('a suite', () => { it('ends', () => {}); ${hang} });`;
  const { stderr, status } = runTests(text, { TEST_SLOW_MS: '1000' });
  assert.match(stderr, /Running for \d s: .*own\.test\.ts: a suite > spins/);
  assert.doesNotMatch(stderr, /ends/);
  assert.equal(status, 0);
});

test('A process that stays alive after its tests is ended, and counts as failed', () => {
  const text = "it('leaves a timer', () => { setInterval(() => {}, 1000); });";
  const { stderr, status } = runTests(text, { TEST_SLOW_MS: '500', TEST_TIMEOUT_MS: '1500' });
  assert.match(stderr, /Process \d+ runs no test and does not end\./);
  assert.equal(status, 1);
});

test('A failed test sets the exit code, and one without PostgreSQL does not wait for it', () => {
  const { status, ms } = runTests("it('fails', () => { throw new Error('no'); });");
  assert.equal(status, 1);
  // It takes half a second on an idle machine, and PostgreSQL takes three.
  assert.ok(ms < 10_000, `${ms} ms`);
});
