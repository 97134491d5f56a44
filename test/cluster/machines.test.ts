import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import {
  databaseUrl,
  makeCertificates,
  readCertificate,
  tlsFolder,
} from '../../scripts/cluster/certificates.ts';
import { Cluster } from '../../scripts/cluster/cluster.ts';
import { HOST, type Layout, layoutOf } from '../../scripts/cluster/layout.ts';
import { processesIn } from '../../scripts/cluster/processes.ts';
import { createDemoKey } from '../../scripts/cluster/seed.ts';
import { cleanUp } from '../support/cleanup.ts';
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

  describe('by TLS between its machines', () => {
    const strangers = temporaryFolder();
    let layout: Layout;

    before(async () => {
      layout = await layoutOf(folder);
      await makeCertificates(strangers, layout);
    });

    /** What a part answers by https, and which certificates it takes and refuses. */
    const PARTS = [
      {
        name: 'etcd for clients',
        port: () => layout.databases[0]?.etcdClient,
        path: '/v2/keys/?recursive=true',
        taken: 'database-2/patroni',
        refused: ['node-1/cardprice', 'node-1/haproxy', 'database-2/exporter'],
      },
      {
        name: 'etcd for members',
        port: () => layout.databases[0]?.etcdPeer,
        path: '/members',
        taken: 'database-2/etcd',
        refused: ['node-1/cardprice', 'node-1/haproxy', 'database-2/patroni'],
      },
      {
        name: 'Patroni',
        port: () => layout.databases[0]?.patroni,
        path: '/cluster',
        taken: 'node-1/haproxy',
        refused: [],
      },
      {
        name: 'a node',
        port: () => layout.nodes[0]?.tls,
        path: '/healthz',
        taken: 'node-2/haproxy',
        refused: ['node-1/cardprice', 'database-2/patroni'],
      },
    ];

    for (const { name, port, path, taken, refused } of PARTS) {
      it(`has ${name} answer whom it knows, and nobody else`, async () => {
        const url = `https://${HOST}:${port()}${path}`;
        assert.equal((await send(url, certificateOf(folder, taken))).statusCode, 200);
        const { ca } = certificateOf(folder, taken);
        await assert.rejects(send(url, { ca }));
        await assert.rejects(send(url, { ...certificateOf(strangers, taken), ca }));
        for (const one of refused) await assert.rejects(send(url, certificateOf(folder, one)), one);
        const plain = await fetch(url.replace('https', 'http')).catch(() => undefined);
        assert.ok(plain === undefined || plain.status === 400);
      });
    }

    it('has Patroni change nothing for a certificate alone', async () => {
      const own = certificateOf(folder, 'database-2/patroni');
      const url = `https://${HOST}:${layout.databases[0]?.patroni}/switchover`;
      assert.equal((await send(url, { ...own, method: 'POST' })).statusCode, 401);
    });

    it('has PostgreSQL know users by their certificates alone', async () => {
      const asNode = databaseUrl(folder, layout.primary);
      assert.equal(await userAt(asNode), 'cardprice');
      assert.equal(await userAt(databaseUrl(folder, layout.primary, 'postgres')), 'postgres');
      const plain = `postgres://cardprice@${HOST}:${layout.primary}/cardprice`;
      await assert.rejects(userAt(plain), /no pg_hba.conf entry .*no encryption/);
      const other = asNode
        .replace('//cardprice@', '//postgres@')
        .replace('/cardprice?', '/postgres?');
      await assert.rejects(userAt(other), /certificate authentication failed for user "postgres"/);
    });

    it('has PostgreSQL and its clients refuse certificates of another authority', async () => {
      const deceived = databaseUrl(strangers, layout.primary);
      await assert.rejects(userAt(deceived), { code: /SELF_SIGNED|UNABLE_TO_VERIFY/ });
      const stranger = new URL(deceived);
      stranger.searchParams.set('sslrootcert', join(tlsFolder(folder, 'node-1'), 'ca.crt'));
      await assert.rejects(userAt(stranger.href), /unknown ca|ECONNRESET/);
    });

    it('has replication come by TLS, with its own user', async () => {
      const client = new pg.Client({
        connectionString: databaseUrl(folder, layout.primary, 'postgres'),
      });
      await client.connect();
      const { rows } = await client.query(STANDBYS);
      await client.end();
      assert.deepEqual(
        rows,
        Array(2).fill({ usename: 'replicator', ssl: true, client_dn: '/CN=patroni' }),
      );
    });

    it('has clients refuse a server by another name', async () => {
      const relay = createServer((socket) => {
        const onwards = connect(layout.primary, HOST);
        for (const end of [socket, onwards]) end.on('error', () => {});
        socket.pipe(onwards).pipe(socket);
      });
      cleanUp(() => relay.close());
      await once(relay.listen(0, '127.0.0.2'), 'listening');
      const { port } = relay.address() as { port: number };
      const url = databaseUrl(folder, port).replace(HOST, '127.0.0.2');
      await assert.rejects(userAt(url), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
    });
  });

  it('goes on while certificates are renewed', async () => {
    const layout = await layoutOf(folder);
    const { cert } = readCertificate(folder, 'node-1', 'cardprice');
    await makeCertificates(folder, layout);
    assert.notDeepEqual(readCertificate(folder, 'node-1', 'cardprice').cert, cert);
    assert.equal(await userAt(databaseUrl(folder, layout.primary)), 'cardprice');
    assert.equal((await ask()).status, 200);
  });

  it('answers without a node', async () => {
    await cluster.fault('kill-node');
    assert.equal(cluster.nodes().filter(({ pid }) => pid === 0).length, 1);
    await eventually(async () => (await ask().catch(() => undefined))?.status === 200);
    await cluster.heal();
  });

  it('has a node with a clock that is ahead', async () => {
    const [before] = cluster.nodes();
    await cluster.fault('clock-node', 90);
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

const STANDBYS = `
  select usename, ssl, client_dn from pg_stat_replication join pg_stat_ssl using (pid)`;

/** The certificate at `machine/name`. */
function certificateOf(folder: string, path: string) {
  const [machine = '', name = ''] = path.split('/');
  return readCertificate(folder, machine, name);
}

async function send(url: string, options: object): Promise<IncomingMessage> {
  const [response] = await once(request(url, { agent: false, ...options }).end(), 'response');
  return (response as IncomingMessage).resume();
}

/** The user as whom a URL signs in. */
async function userAt(connectionString: string): Promise<unknown> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query('select current_user');
  await client.end();
  return rows[0]?.current_user;
}
