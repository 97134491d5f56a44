import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/cli.ts';

const CHILD = new URL('../../src/sync/child.ts', import.meta.url).href;

/** A sync that runs until its parent ends. */
const SYNC = `import { endWithParent } from '${CHILD}';
  endWithParent();
  setInterval(() => {}, 1000);`;

/** A service that starts it, and prints its process id. */
const SERVICE = `import { SyncChild } from '${CHILD}';
  const command = [process.execPath, '--input-type=module-typescript', '-e', process.argv[1]];
  await new SyncChild({ command, env: process.env, onStart: console.log }).run();`;

/** Starts a service with `by` more niceness than this process. Returns it with its sync. */
async function serviceWithSync(by: number) {
  const node = [process.execPath, '--input-type=module-typescript', '-e', SERVICE, SYNC];
  const service = spawn('nice', ['-n', String(by), ...node], { stdio: ['ignore', 'pipe', 2] });
  cleanUp(() => service.kill('SIGKILL'));
  assert.ok(service.stdout);
  const [line] = await once(createInterface({ input: service.stdout }), 'line');
  const sync = Number(line);
  cleanUp(() => isRunning(sync) && process.kill(sync, 'SIGKILL'));
  return { service, sync };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('A sync started by a service', () => {
  it('runs at a niceness ten higher than that of its service', async () => {
    for (const by of [0, 3, 15, 19]) {
      const { service, sync } = await serviceWithSync(by);
      const own = getPriority(Number(service.pid));
      assert.equal(getPriority(sync), Math.min(own + 10, 19), `nice -n ${by}`);
    }
  });

  it('ends when the service is killed', async () => {
    const { service, sync } = await serviceWithSync(0);
    assert.ok(isRunning(sync));
    service.kill('SIGKILL');
    await eventually(() => !isRunning(sync));
  });
});
