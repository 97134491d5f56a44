import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { cleanUp } from '../support/cleanup.ts';
import { temporaryFolder } from '../support/cli.ts';

const MODULE = pathToFileURL('src/store/backup/private-folder.ts').href;
const TMPDIR = temporaryFolder();

/** Starts a process that creates a private folder and waits; returns it with the folder. */
async function startHolder() {
  const program = `
    import { createPrivateFolder } from '${MODULE}';
    console.log(createPrivateFolder().path);
    setTimeout(() => {}, 1e6);`;
  const args = ['--input-type=module', '--eval', program];
  const child = spawn(process.execPath, args, { env: { ...process.env, TMPDIR } });
  cleanUp(() => child.kill('SIGKILL'));
  const [line] = await once(child.stdout, 'data');
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await once(child, 'exit');
  };
  return { path: String(line).trim(), end };
}

it('a private folder of a killed process is removed by the next one, of a living one it is not', async () => {
  const [killed, living] = [await startHolder(), await startHolder()];
  await killed.end('SIGKILL');
  assert.ok(existsSync(killed.path));
  await startHolder();
  assert.ok(!existsSync(killed.path));
  assert.ok(existsSync(living.path));
});

it('a private folder is removed when a signal ends its process', async () => {
  const { path, end } = await startHolder();
  await end('SIGTERM');
  assert.ok(!existsSync(path));
});
