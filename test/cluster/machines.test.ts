import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import pg from 'pg';
import { Cluster } from '../../scripts/cluster/cluster.ts';
import { processesIn } from '../../scripts/cluster/processes.ts';
import { createDemoKey } from '../../scripts/cluster/seed.ts';
import { eventually, temporaryFolder } from '../support/cli.ts';

/** How long a statement may take before it counts as lost, in milliseconds. */
const STATEMENT_MS = 2000;

describe('a cluster', () => {
  const folder = temporaryFolder();
  let cluster: Cluster;
  let key: string;
  /** How many rows were acknowledged. */
  let acknowledged = 0;

  before(async () => {
    cluster = await Cluster.start({ folder, isTemporary: true });
    key = await createDemoKey(cluster.database);
    assert.ok(await query('create table kept (number int)'));
  });
  after(() => cluster?.stop());

  afterEach(async () => {
    if (!existsSync(folder)) return;
    await cluster.heal();
    await write();
    const rows = await query('select count(*)::int as count from kept');
    assert.ok(Number(rows?.[0]?.count) >= acknowledged, 'what was acknowledged is there');
  });

  it('answers through its proxy, and shows nobody what is for operators', async () => {
    assert.equal((await ask()).status, 200);
    for (const path of ['metrics', 'healthz', 'readyz']) {
      assert.equal((await fetch(`${cluster.url}/${path}`)).status, 404);
    }
    assert.deepEqual(await rolesInOrder(), ['primary', 'sync standby', 'sync standby']);
  });

  for (const fault of ['kill-postmaster', 'kill-patroni', 'pause-primary'] as const) {
    it(`has another primary after ${fault}`, async () => {
      await write();
      const former = await primary();
      await cluster.fault(fault);
      await eventually(async () => ![former, undefined].includes(await primary()));
      await write();
      await eventually(async () => (await ask()).status === 200);
    });
  }

  it('acknowledges writes without a standby that acknowledged them', async () => {
    await write();
    await cluster.fault('kill-standby');
    await write();
  });

  it('writes on without the leader of etcd', async () => {
    const former = await primary();
    await cluster.fault('kill-etcd-leader');
    await write();
    assert.equal(await primary(), former);
  });

  it('answers without a node', async () => {
    await cluster.fault('kill-node');
    assert.equal(cluster.nodes().filter(({ pid }) => pid === 0).length, 1);
    await eventually(async () => (await ask()).status === 200);
  });

  it('restarts its nodes one after the other', async () => {
    const before = cluster.nodes().map(({ pid }) => pid);
    await cluster.fault('rolling-deploy');
    const pids = cluster.nodes().map(({ pid }) => pid);
    assert.ok(pids.every((pid) => pid > 0 && !before.includes(pid)));
  });

  it('has a node with a clock that is ahead', async () => {
    await cluster.fault('node-clock', 90);
    const [{ url } = { url: '' }, other] = cluster.nodes();
    const ahead = Math.round((await clockOf(url)) - (await clockOf(other?.url ?? '')));
    assert.ok(ahead >= 88 && ahead <= 92, String(ahead));
  });

  it('says so in the form of Cardprice when no node reaches a database', async () => {
    await cluster.fault('cut-proxy');
    assert.equal(await query('select'), undefined);
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

  async function primary(): Promise<string | undefined> {
    return (await cluster.postgres()).find(({ role }) => role === 'primary')?.name;
  }

  async function rolesInOrder(): Promise<string[]> {
    return (await cluster.postgres()).map(({ role }) => role).toSorted();
  }

  /** Writes a row, again and again until that is acknowledged. */
  async function write(): Promise<void> {
    await eventually(async () => (await query('insert into kept values (1)')) !== undefined);
    acknowledged += 1;
  }

  /** The rows of a statement through the proxy; none when it is not answered. */
  async function query(text: string): Promise<Record<string, unknown>[] | undefined> {
    const limits = { connectionTimeoutMillis: STATEMENT_MS, query_timeout: STATEMENT_MS };
    const client = new pg.Client({ connectionString: cluster.database, ...limits });
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.query<Record<string, unknown>>(text)).rows;
    } catch {
      return undefined;
    } finally {
      client.end().catch(() => {});
    }
  }
});

/** The clock of a node, in seconds. */
async function clockOf(url: string): Promise<number> {
  const { headers } = await fetch(`${url}/healthz`);
  return Date.parse(headers.get('date') ?? '') / 1000;
}
