import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { Program } from './support/cli.ts';

/** Runs a test file with this body, and returns all that it prints. */
async function runTest(body: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'cardprice-failing-'));
  after(() => rmSync(folder, { recursive: true }));
  const support = (name: string) => new URL(`support/${name}.ts`, import.meta.url).href;
  const file = join(folder, 'failing.test.mjs');
  writeFileSync(
    file,
    `import { after, it } from 'node:test';
    import { Program } from '${support('cli')}';
    import { cleanUp } from '${support('cleanup')}';
    import { createDatabase } from '${support('engines')}';
    ${body}`,
  );
  // Without the variable that tells the runner of this file, it is a separate run.
  const env = { NODE_TEST_CONTEXT: '' };
  const command = [process.execPath, '--test-reporter=tap', file];
  const { out, err } = await new Program([], { command, env }).ended();
  return out + err;
}

describe('The end of a test', () => {
  it('ends what the test started although it failed, and what it cleans up fails', async () => {
    const out = await runTest(`
      it('fails', async () => {
        const { remove } = await createDatabase('SQLite');
        after(() => { remove(); throw new Error('the database is in use') });
        const command = [process.execPath, '-e', 'console.log(process.pid); setInterval(() => {}, 9)'];
        const program = new Program([], { command });
        while (!program.out) await new Promise((done) => setTimeout(done, 10));
        console.error('process', program.out.trim(), '.');
        throw new Error('something is wrong');
      });`);
    assert.match(out, /not ok 1 - fails/);
    assert.match(out, /something is wrong/);
    const pid = Number(/process (\d+) \./.exec(out)?.[1]);
    assert.throws(() => process.kill(pid, 0), /ESRCH/);
  });

  it('ends the last thing first, goes on when one fails, and tells the error', async () => {
    const out = await runTest(`
      it('passes', () => {
        cleanUp(() => console.error('ended 1.'));
        cleanUp(() => { throw new Error('2 cannot end') });
        cleanUp(() => console.error('ended 3.'));
      });`);
    assert.deepEqual(out.match(/ended \d/g), ['ended 3', 'ended 1']);
    assert.match(out, /not ok 1 - passes/);
    assert.match(out, /2 cannot end/);
  });
});
