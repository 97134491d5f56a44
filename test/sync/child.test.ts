import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { SyncChild } from '../../src/sync/child.ts';
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

/** The program of Linux by which a process may run only on idle processors. */
const CAN_IDLE = spawnSync('chrt', ['--idle', '0', process.execPath, '--version']).status === 0;

/** SCHED_IDLE of Linux: field 41 of /proc/PID/stat, the 39th after the name of the program. */
const IDLE_POLICY = '5';

/** Says when it runs, and ends when it is told to. */
const RUNNING =
  'process.on("SIGTERM", () => process.exit(0)); console.log("running"); setInterval(() => {}, 9999)';

describe('A process that may run only when nothing else wants the processor', () => {
  it('does so where the system can do that, and runs in any case', async () => {
    let pid = 0;
    const running = Promise.withResolvers<void>();
    const child = new SyncChild({
      command: [process.execPath, '-e', RUNNING],
      env: process.env,
      onlyIdle: true,
      onStart: (started) => {
        pid = started;
        cleanUp(() => isRunning(pid) && process.kill(pid, 'SIGKILL'));
      },
      onOutput: () => running.resolve(),
    });
    const ended = child.run();
    await running.promise;
    if (CAN_IDLE) await eventually(() => policyOf(pid) === IDLE_POLICY);
    process.kill(pid, 'SIGTERM');
    assert.deepEqual(await ended, { code: 0, signal: null, out: 'running\n', err: '' });
  });
});

function policyOf(pid: number): string | undefined {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[38];
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
