import assert from 'node:assert/strict';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { OperatorError } from '../../src/domain/errors.ts';
import type { SyncRun } from '../../src/domain/sync.ts';
import { LineLog, ManualSync, type ManualSyncOptions } from '../../src/sync/manual.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually, temporaryFolder } from '../support/cli.ts';

const FOR_EVER = 'console.log("begun"); setInterval(() => {}, 1000);';

/** Syncs that each run `program`, a text of JavaScript, with the source as its argument. */
function syncsOf(program: string, more: Partial<ManualSyncOptions> = {}) {
  const ended: SyncRun[] = [];
  const syncs = new ManualSync({
    command: (source) => [process.execPath, '-e', program, source ?? 'all'],
    env: process.env,
    file: join(temporaryFolder(), 'sync'),
    clock: Date.now,
    requireFree: async () => {},
    incompleteCode: 3,
    isProgress: (line) => line.endsWith(' left'),
    onEnd: (run) => ended.push(run),
    onError: (error) => assert.fail(String(error)),
    ...more,
  });
  cleanUp(() => syncs.stop());
  const endOf = async (source: string | null = null): Promise<SyncRun> => {
    await syncs.start(source);
    await eventually(() => ended.length > 0);
    return (await syncs.read()) ?? assert.fail('the run was not kept');
  };
  return { syncs, ended, endOf };
}

describe('A sync that is started by hand', () => {
  it('keeps how it ended and what it printed, for every process', async () => {
    const file = join(temporaryFolder(), 'sync');
    const { syncs, endOf } = syncsOf('console.log(process.argv[1], "done")', { file });
    assert.equal(await syncs.read(), null);
    const { startedAt, endedAt, ...run } = await endOf('scryfall');
    assert.ok(endedAt !== null && endedAt >= startedAt);
    assert.deepEqual(run, { source: 'scryfall', state: 'succeeded', lines: ['scryfall done'] });
    assert.deepEqual(await syncsOf('', { file }).syncs.read(), await syncs.read());
  });

  it('ends as the program says', async () => {
    const ends = [
      ['process.exitCode = 3', 'incomplete', []],
      ['console.error("no network"); process.exitCode = 1', 'failed', ['no network']],
      ['process.kill(process.pid, "SIGKILL")', 'failed', ['The signal SIGKILL ended it.']],
    ] as const;
    for (const [program, state, lines] of ends) {
      const run = await syncsOf(program).endOf();
      assert.deepEqual([run.state, run.lines], [state, lines]);
    }
    const run = await syncsOf('', { command: () => ['/nowhere/cardprice'] }).endOf();
    assert.equal(run.state, 'failed');
    assert.match(String(run.lines), /ENOENT/);
  });

  it('keeps the last lines, shortened, without control characters', async () => {
    const program = `for (let line = 1; line <= 90; line++) console.log('line ' + line);
      console.log('\\u001b[31m' + 'x'.repeat(9999));
      process.stdout.write('unfinished \\u202e');`;
    const { lines } = await syncsOf(program).endOf();
    assert.equal(lines.length, 40);
    assert.equal(lines[0], 'line 53');
    assert.match(String(lines[37]), /^line 90$/);
    assert.match(String(lines[38]), /^\\u001b\[31mx{295}$/);
    assert.deepEqual(lines.slice(39), ['unfinished \\u202e']);
  });

  it('keeps one line of how far it is', async () => {
    const program = `console.error('1 of 9 sets, about 3 s left');
      console.error('2 of 9 sets, about 2 s left');`;
    assert.deepEqual((await syncsOf(program).endOf()).lines, ['2 of 9 sets, about 2 s left']);
  });

  it('keeps an unfinished line once', () => {
    const log = new LineLog(() => false);
    log.write('stdout', 'unfinished');
    log.end();
    log.write('stdout', 'next\n');
    log.end();
    assert.deepEqual(log.lines, ['unfinished', 'next']);
  });

  it('is the only one of its process, and of all that share its file', async () => {
    const file = join(temporaryFolder(), 'sync');
    const { syncs, ended } = syncsOf(FOR_EVER, { file });
    const clicks = await Promise.allSettled([syncs.start(null), syncs.start('scryfall')]);
    assert.deepEqual(
      clicks.map(({ status }) => status),
      ['fulfilled', 'rejected'],
    );
    const other = syncsOf('', { file }).syncs;
    await assert.rejects(other.start(null), OperatorError);
    await eventually(async () => (await other.read())?.lines[0] === 'begun');
    assert.equal((await other.read())?.state, 'running');
    assert.deepEqual(ended, []);
  });

  it('begins none while another process syncs', async () => {
    const requireFree = async () => Promise.reject(new OperatorError('Another sync is running.'));
    const { syncs } = syncsOf('', { requireFree });
    await assert.rejects(syncs.start(null), /Another sync is running/);
    assert.equal(await syncs.read(), null);
  });

  it('ends with its service, which does not start another', async () => {
    const { syncs, ended } = syncsOf(FOR_EVER);
    await syncs.start(null);
    await syncs.stop();
    assert.deepEqual(
      ended.map(({ state }) => state),
      ['interrupted'],
    );
    await assert.rejects(syncs.start(null), /stopping/);
  });

  it('counts as interrupted when its service was killed, and the next may begin', async () => {
    const file = join(temporaryFolder(), 'sync');
    const lost = { source: null, startedAt: 1, endedAt: null, state: 'running', lines: [] };
    await writeFile(file, JSON.stringify({ ...lost, writtenAt: 1000 }));
    const stateAt = async (now: number) => {
      const { syncs } = syncsOf('', { file, clock: () => now });
      return (await syncs.read())?.state;
    };
    assert.equal(await stateAt(31_000), 'running');
    assert.equal(await stateAt(31_001), 'interrupted');
    const next = syncsOf('', { file });
    assert.equal((await next.syncs.read())?.state, 'interrupted');
    assert.equal((await next.endOf()).state, 'succeeded');
  });

  it('is kept in a file that others cannot read, and takes no file that is none', async () => {
    const file = join(temporaryFolder(), 'sync');
    for (const text of ['', '{"state":"running"}', '[]', 'x'.repeat(2_000_000)]) {
      await writeFile(file, text);
      assert.equal(await syncsOf('', { file }).syncs.read(), null);
    }
    await syncsOf('', { file }).endOf();
    assert.equal((await stat(file)).mode & 0o777, 0o600);
  });
});
