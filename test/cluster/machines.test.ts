import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Cluster } from '../../scripts/cluster/cluster.ts';
import { processesIn } from '../../scripts/cluster/processes.ts';
import { createDemoKey } from '../../scripts/cluster/seed.ts';
import { eventually, temporaryFolder } from '../support/cli.ts';

/** What callers see of a cluster while nothing is lost; main.ts has the faults under load. */
describe('a cluster', () => {
  const folder = temporaryFolder();
  let cluster: Cluster;
  let key: string;

  before(async () => {
    cluster = await Cluster.start({ folder, isTemporary: true });
    key = await createDemoKey(cluster.database);
  });
  after(() => cluster?.stop());

  it('answers through its proxy, which hides the operator paths', async () => {
    assert.equal((await ask()).status, 200);
    for (const path of ['metrics', 'healthz', 'readyz']) {
      assert.equal((await fetch(`${cluster.url}/${path}`)).status, 404);
    }
    const roles = (await cluster.postgres()).map(({ role }) => role);
    assert.deepEqual(roles.toSorted(), ['primary', 'sync standby', 'sync standby']);
  });

  it('answers without a node', async () => {
    await cluster.fault('kill-node');
    assert.equal(cluster.nodes().filter(({ pid }) => pid === 0).length, 1);
    await eventually(async () => (await ask()).status === 200);
    await cluster.heal();
  });

  it('has a node with a clock that is ahead', async () => {
    const [before] = cluster.nodes();
    await cluster.fault('node-clock', 90);
    const [node, other] = cluster.nodes();
    assert.notEqual(node?.pid, before?.pid);
    const ahead = (await clockOf(node?.url ?? '')) - (await clockOf(other?.url ?? ''));
    assert.ok(ahead >= 88 && ahead <= 92, String(ahead));
  });

  it('says so in the form of Cardprice when no node reaches a database', async () => {
    await cluster.fault('cut-proxy');
    await eventually(async () => {
      const { status, headers } = await ask();
      return status === 503 && headers.has('retry-after');
    });
  });

  it('leaves nothing behind', async () => {
    await cluster.heal();
    const pids = cluster.nodes().map(({ pid }) => pid);
    await cluster.stop();
    assert.deepEqual(processesIn(join(folder, 'run')), []);
    assert.ok(pids.every((pid) => !existsSync(`/proc/${pid}`)));
    assert.ok(!existsSync(folder));
  });

  function ask(): Promise<Response> {
    return fetch(`${cluster.url}/v1/games`, { headers: { 'x-api-key': key } });
  }
});

/** The clock of a node, in seconds. */
async function clockOf(url: string): Promise<number> {
  const { headers } = await fetch(`${url}/healthz`);
  return Date.parse(headers.get('date') ?? '') / 1000;
}
