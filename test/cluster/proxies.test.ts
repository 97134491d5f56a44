import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import {
  createServer as createHttpServer,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import {
  createServer as createHttpsServer,
  type Server as HttpsServer,
  request as httpsRequest,
} from 'node:https';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  makeCertificates,
  readCertificate,
  tlsFolder,
  withCertificates,
} from '../../scripts/cluster/certificates.ts';
import { HOST, type Layout, layoutOf } from '../../scripts/cluster/layout.ts';
import { tell } from '../../scripts/cluster/observe.ts';
import { findPrograms } from '../../scripts/cluster/programs.ts';
import { Runner } from '../../scripts/cluster/runner.ts';
import {
  nodeProxyService,
  type Plan,
  type ProxyRole,
  proxyService,
  type Service,
  THIS_VERSION,
} from '../../scripts/cluster/services.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually, temporaryFolder } from '../support/cli.ts';

/** HAProxy as deploy/cluster/ sets it up, before stand-ins of nodes and databases. */

/** How long a node is frozen, and how often it is asked meanwhile, in milliseconds. */
const FROZEN_MS = 5000;
const FROZEN_EVERY_MS = 100;

/** The longest that anybody may wait for a frozen node, in milliseconds. */
const LONGEST_WAIT_MS = 3000;

const NOBODY: ReadonlySet<string> = new Set();

const KEYS = Array.from({ length: 40 }, (_, index) => `cp_live_key_${index}`);

describe('the proxy in front', () => {
  /** The nodes that are not ready. */
  const unready = new Set<string>();
  /** The nodes that accept requests and never answer. */
  const frozen = new Set<string>();
  const servers = new Map<string, HttpsServer>();
  const folder = temporaryFolder();
  let url: string;
  let plan: Plan;

  before(async () => {
    plan = await startProxy(folder, 'front', ({ layout }) => {
      return Promise.all(layout.nodes.map(({ name, tls }) => startNode(name, tls)));
    });
    url = `http://${HOST}:${plan.layout.front}`;
    await eventually(async () => (await askAround().catch(() => NOBODY)).size === 3);
  });

  it('leads a key to one node, in the header and in the query', async () => {
    const byHeader = await nodesOf(KEYS);
    const byQuery = new Map<string, string>();
    for (const key of KEYS) byQuery.set(key, await ask({}, `?api_key=${key}`));
    assert.deepEqual(byQuery, byHeader);
    assert.deepEqual([...new Set(byHeader.values())].toSorted(), ['node-1', 'node-2', 'node-3']);
  });

  it('leads a session to one node, and others around', async () => {
    for (const name of ['cardprice_session', '__Host-cardprice_session']) {
      const nodes = new Set<string>();
      for (let at = 0; at < 6; at += 1) nodes.add(await ask({ cookie: `a=b; ${name}=token` }));
      assert.equal(nodes.size, 1);
    }
    assert.equal((await askAround()).size, 3);
  });

  it('moves the keys of a node that is not ready, and no others', async () => {
    const before = await nodesOf(KEYS);
    unready.add('node-1');
    const [moving = ''] = KEYS.filter((key) => before.get(key) === 'node-1');
    await eventually(async () => (await ask({ 'x-api-key': moving })) !== 'node-1');
    const after = await nodesOf(KEYS);
    for (const key of KEYS) {
      if (before.get(key) === 'node-1') assert.notEqual(after.get(key), 'node-1');
      else assert.equal(after.get(key), before.get(key));
    }
    unready.clear();
    await eventually(async () => (await ask({ 'x-api-key': moving })) === 'node-1');
    assert.deepEqual(await nodesOf(KEYS), before);
  });

  it('lets nobody wait long for a node that is frozen, and leads past it', async () => {
    const before = await nodesOf(KEYS);
    const [key = ''] = KEYS.filter((one) => before.get(one) === 'node-2');
    frozen.add('node-2');
    const waits: Promise<{ readonly node: string; readonly ms: number }>[] = [];
    for (let at = 0; at < FROZEN_MS / FROZEN_EVERY_MS; at += 1) {
      waits.push(waitOf(key));
      await sleep(FROZEN_EVERY_MS);
    }
    const answers = await Promise.all(waits);
    const longest = Math.max(...answers.map(({ ms }) => ms));
    assert.ok(longest <= LONGEST_WAIT_MS, `the longest wait was ${longest} ms`);
    assert.ok(answers.some(({ node }) => node === 'nobody'));
    const last = answers.slice(-5).map(({ node }) => node);
    assert.ok(
      last.every((node) => node === 'node-1' || node === 'node-3'),
      last.join(),
    );
    frozen.clear();
    await eventually(async () => (await ask({ 'x-api-key': key })) === 'node-2');
  });

  it('lets nodes answer that are alive when none is ready', async () => {
    for (const node of ['node-1', 'node-2', 'node-3']) unready.add(node);
    await eventually(async () => {
      const state = await tell(plan, 'front', 'show servers state ready');
      // A line has: backend id, backend, server id, server, address, state (3: stopping), …
      const states = [...state.matchAll(/^\d+ ready \d+ node-\d \S+ (\d)/gm)];
      return states.length === 3 && states.every(([, one]) => one === '3');
    });
    await eventually(async () => new Set((await nodesOf(KEYS)).values()).size === 3);
  });

  it('gives nothing to a node with the certificate of another one', async () => {
    unready.clear();
    await eventually(async () => (await askAround()).size === 3);
    servers.get('node-1')?.setSecureContext(readCertificate(folder, 'node-2', 'haproxy'));
    servers.get('node-1')?.closeAllConnections();
    await eventually(async () => {
      const nodes = await askAround().catch(() => NOBODY);
      return String([...nodes].toSorted()) === 'node-2,node-3';
    });
  });

  function startNode(name: string, port: number): Promise<Server> {
    const server = createHttpsServer(secured(folder, name), (request, response) => {
      if (frozen.has(name)) return;
      response.statusCode = request.url === '/readyz' && unready.has(name) ? 503 : 200;
      response.end(name);
    });
    servers.set(name, server);
    return listen(server, port);
  }

  /** How long a request waited, and who answered it; nobody if its connection was closed. */
  async function waitOf(key: string): Promise<{ readonly node: string; readonly ms: number }> {
    const sent = performance.now();
    const node = await ask({ 'x-api-key': key }).catch(() => 'nobody');
    return { node, ms: performance.now() - sent };
  }

  /** The node that answers. */
  async function ask(headers: Record<string, string>, query = ''): Promise<string> {
    const response = await fetch(`${url}/v1/games${query}`, { headers });
    const text = await response.text();
    assert.equal(response.headers.get('x-served-by'), response.ok ? text : null);
    return text;
  }

  async function nodesOf(keys: readonly string[]): Promise<Map<string, string>> {
    const nodes = new Map<string, string>();
    for (const key of keys) nodes.set(key, await ask({ 'x-api-key': key }));
    return nodes;
  }

  /** The nodes that answer somebody without a key. */
  async function askAround(): Promise<Set<string>> {
    const nodes = new Set<string>();
    for (let at = 0; at < 6; at += 1) nodes.add(await ask({}));
    return nodes;
  }
});

describe('the proxy in front, to callers from elsewhere', () => {
  const ELSEWHERE = '127.0.0.2';
  /** The headers of a caller that claims to be somebody else. */
  const CLAIMED = {
    'x-forwarded-for': '203.0.113.7',
    'x-forwarded-proto': 'https',
    'x-request-id': 'claimed-by-caller',
  };
  const folders = { tls: temporaryFolder(), plain: temporaryFolder() };
  const fronts = new Map<'tls' | 'plain', number>();

  before(async () => {
    for (const kind of ['tls', 'plain'] as const) {
      const folder = folders[kind];
      const tls = kind === 'tls' ? ` ssl crt ${createCertificate(folder)}` : '';
      const { layout } = await startProxy(folder, 'front', startEchoes, ({ front }) => {
        return { FRONT_BIND: `${HOST}:${front}${tls}` };
      });
      fronts.set(kind, layout.front);
      await eventually(async () => {
        const answer = await send(kind, HOST, '/').catch(() => undefined);
        return answer?.status === 200;
      });
    }
  });

  for (const path of ['/v1/games', '/operator/v1/accounts', '/compatible/x', '/mcp']) {
    it(`refuses ${path} without TLS`, async () => {
      assert.equal((await send('plain', ELSEWHERE, path)).status, 403);
      assert.equal((await send('tls', ELSEWHERE, path)).status, 200);
    });
  }

  it('redirects pages to TLS', async () => {
    const { status, headers } = await send('plain', ELSEWHERE, '/sets?game=mtg');
    assert.equal(status, 308);
    assert.equal(headers.location, 'https://cards.example/sets?game=mtg');
  });

  it('has browsers come by TLS for a year, once they did', async () => {
    const { headers } = await send('tls', ELSEWHERE, '/');
    assert.equal(headers['strict-transport-security'], 'max-age=31536000; includeSubDomains');
    const plain = await send('plain', HOST, '/');
    assert.equal(plain.headers['strict-transport-security'], undefined);
  });

  it('replaces what they claim about themselves', async () => {
    const { told } = await send('tls', ELSEWHERE, '/', CLAIMED);
    assert.equal(told['x-forwarded-for'], ELSEWHERE);
    assert.equal(told['x-forwarded-proto'], 'https');
    assert.match(told['x-request-id'] ?? '', /^[\da-f-]{36}$/);
  });

  it('believes the proxy on its machine, and says itself what that one leaves out', async () => {
    assert.partialDeepStrictEqual((await send('plain', HOST, '/', CLAIMED)).told, CLAIMED);
    const { told } = await send('plain', HOST, '/');
    assert.equal(told['x-forwarded-for'], HOST);
    assert.equal(told['x-forwarded-proto'], 'http');
  });

  /** Nodes that answer with the headers of the request. */
  function startEchoes({ folder, layout }: Plan): Promise<unknown> {
    return Promise.all(
      layout.nodes.map(({ name, tls }) => {
        const server = createHttpsServer(secured(folder, name), ({ headers }, response) => {
          response.end(JSON.stringify(headers));
        });
        return listen(server, tls);
      }),
    );
  }

  /** What a caller with a network address gets, and the headers that reached the node. */
  async function send(kind: 'tls' | 'plain', from: string, path: string, headers = {}) {
    const options = {
      host: HOST,
      port: fronts.get(kind),
      path,
      localAddress: from,
      rejectUnauthorized: false,
      headers: { host: 'cards.example', ...headers },
    };
    const asking = kind === 'tls' ? httpsRequest(options) : httpRequest(options);
    const [response] = (await once(asking.end(), 'response')) as [IncomingMessage];
    const body = await text(response);
    const told: Record<string, string> = response.statusCode === 200 ? JSON.parse(body) : {};
    return { status: response.statusCode, headers: response.headers, told };
  }

  /** Makes a certificate with its key, as HAProxy reads them, and returns its path. */
  function createCertificate(folder: string): string {
    const path = join(folder, 'cards.pem');
    const subject = ['-subj', '/CN=cards.example', '-days', '2'];
    const files = ['-keyout', path, '-out', join(folder, 'certificate')];
    const command = ['req', '-x509', '-newkey', 'rsa:2048', '-noenc', ...subject, ...files];
    execFileSync('openssl', command, { stdio: 'ignore' });
    appendFileSync(path, readFileSync(join(folder, 'certificate')));
    return path;
  }
});

describe('the proxy before a node', () => {
  const folder = temporaryFolder();
  const strangers = temporaryFolder();
  let plan: Plan;
  let node: Server | undefined;

  before(async () => {
    plan = await planIn(folder);
    await makeCertificates(strangers, plan.layout);
    node = await startNode();
    start(plan, nodeProxyService(plan, machine()));
    await eventually(async () => (await ask().catch(() => undefined)) === '/readyz of Cardprice');
  });

  it('lets in the machine in front, which checks its name', async () => {
    await assert.rejects(ask({ servername: 'node-2' }), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
    assert.equal(await ask(), '/readyz of Cardprice');
  });

  it('refuses who speaks without TLS', async () => {
    const response = fetch(`http://${HOST}:${machine().tls}/readyz`);
    await assert.rejects(response);
  });

  it('refuses who has no certificate, that of another authority, or of another part', async () => {
    const { ca } = readCertificate(folder, 'node-1', 'haproxy');
    for (const wrong of [
      { ca, cert: undefined, key: undefined },
      { ...readCertificate(strangers, 'node-1', 'haproxy'), ca },
      readCertificate(folder, 'node-1', 'cardprice'),
      readCertificate(folder, 'database-1', 'patroni'),
    ]) {
      await assert.rejects(ask(wrong), { code: /^(ECONNRESET|ERR_SSL_.*ALERT.*)$/ });
    }
  });

  it('refuses connections as long as Cardprice does not run, so that others are tried', async () => {
    node?.close();
    await assert.rejects(ask());
    await eventually(isRefused);
    node = await startNode();
    await eventually(async () => (await ask().catch(() => undefined)) === '/readyz of Cardprice');
  });

  /** Whether a connection ends before TLS begins. */
  async function isRefused(): Promise<boolean> {
    const socket = connect(machine().tls, HOST);
    const closed = once(socket, 'close').catch(() => []);
    const isClosed = await Promise.race([closed.then(() => true), sleep(200, false)]);
    socket.destroy();
    return isClosed;
  }

  function machine() {
    const [first] = plan.layout.nodes;
    assert.ok(first);
    return first;
  }

  function startNode(): Promise<Server> {
    const server = createHttpServer(({ url }, response) => {
      response.end(`${url} of Cardprice`);
    });
    return listen(server, machine().port);
  }

  /** What the machine in front gets. */
  async function ask(changes: object = {}): Promise<string> {
    const own = { ...readCertificate(folder, 'node-2', 'haproxy'), servername: 'node-1' };
    const to = { host: HOST, port: machine().tls, path: '/readyz', agent: false };
    const asking = httpsRequest({ ...to, ...own, ...changes });
    const [response] = (await once(asking.end(), 'response')) as [IncomingMessage];
    return text(response);
  }
});

describe('the proxy of metrics', () => {
  const folder = temporaryFolder();
  let port = 0;

  before(async () => {
    const plan = await planIn(folder);
    const [machine, other] = plan.layout.nodes;
    assert.ok(machine && other);
    const figures = createHttpServer(({ url }, response) => {
      response.end(`${url} of etcd`);
    });
    await listen(figures, other.port);
    port = machine.tls;
    const config = readFileSync('deploy/cluster/haproxy-metrics.cfg', 'utf8');
    const here = withCertificates(config, tlsFolder(folder, 'database-1'))
      .replace(':9443', `${HOST}:${port}`)
      .replace('127.0.0.1:2381', `${HOST}:${other.port}`);
    const path = join(folder, 'metrics.cfg');
    writeFileSync(path, here);
    const { files: _, ...service } = nodeProxyService(plan, machine);
    start(plan, { ...service, command: [plan.programs.haproxy, '-f', path] });
    await eventually(
      async () => (await ask('/metrics/etcd').catch(() => undefined))?.status === 200,
    );
  });

  it('passes on to Prometheus what is measured, and nothing else', async () => {
    assert.deepEqual(await ask('/metrics/etcd'), { status: 200, body: '/metrics of etcd' });
    assert.equal((await ask('/metrics/machine')).status, 503);
    for (const path of ['/metrics', '/metrics/other', '/v2/keys']) {
      assert.equal((await ask(path)).status, 404);
    }
  });

  it('refuses certificates of other parts', async () => {
    assert.equal((await ask('/metrics/etcd', 'node-1/haproxy')).status, 403);
  });

  async function ask(path: string, own = 'monitor-1/prometheus') {
    const [machine = '', name = ''] = own.split('/');
    const certificate = readCertificate(folder, machine, name);
    const to = { host: HOST, port, path, agent: false, servername: 'database-1' };
    const asking = httpsRequest({ ...to, ...certificate });
    const [response] = (await once(asking.end(), 'response')) as [IncomingMessage];
    return { status: response.statusCode, body: await text(response) };
  }
});

describe('the proxy on a node', () => {
  const folder = temporaryFolder();
  let plan: Plan;
  let primary = 'database-2';

  before(async () => {
    plan = await startProxy(folder, 'database', ({ layout }) => {
      return Promise.all(
        layout.databases.flatMap(({ name, postgres, patroni }) => {
          return [startPatroni(name, patroni), startPostgres(name, postgres)];
        }),
      );
    });
  });

  it('leads to the server that Patroni calls the primary, and to replicas', async () => {
    // It takes all for right until it has asked them.
    await eventually(async () => {
      const names = await Promise.all([serversAt('primary'), serversAt('replicas')]).catch(String);
      return String(names) === 'database-2,database-1,database-3';
    });
  });

  it('closes the connections to a former primary, and leads to the next one', async () => {
    const socket = (await connected(plan.layout.primary)).resume();
    const closed = once(socket, 'close');
    primary = 'database-3';
    await closed;
    await eventually(async () => String(await serversAt('primary')) === 'database-3');
  });

  /** What asks Patroni is answered by its status: 200 to whom it is the right server. */
  function startPatroni(name: string, port: number): Promise<Server> {
    const server = createHttpsServer(
      secured(folder, name, 'patroni'),
      ({ method, url }, response) => {
        const isPrimary = name === primary;
        const isRight = url === (isPrimary ? '/primary' : '/replica?lag=16MB');
        response.statusCode = method === 'OPTIONS' && isRight ? 200 : 503;
        response.end();
      },
    );
    return listen(server, port);
  }

  /** A server that says its name. */
  function startPostgres(name: string, port: number): Promise<Server> {
    return listen(
      createServer((socket) => {
        socket.on('error', () => {});
        socket.write(name);
      }),
      port,
    );
  }

  /** The servers to which several connections lead. */
  async function serversAt(role: 'primary' | 'replicas'): Promise<string[]> {
    const names = new Set<string>();
    for (let at = 0; at < 6; at += 1) names.add(await serverAt(plan.layout[role]));
    return [...names].toSorted();
  }

  async function serverAt(port: number): Promise<string> {
    const socket = await connected(port);
    const [name] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    socket.destroy();
    return String(name);
  }

  async function connected(port: number): Promise<Socket> {
    const socket = connect(port, HOST);
    socket.on('error', () => {});
    cleanUp(() => socket.destroy());
    await once(socket, 'connect');
    return socket;
  }
});

/** Starts the servers behind a proxy, then the proxy. */
async function startProxy(
  folder: string,
  role: ProxyRole,
  startServers: (plan: Plan) => Promise<unknown>,
  changesOf: (layout: Layout) => Record<string, string> = () => ({}),
): Promise<Plan> {
  const plan = await planIn(folder);
  await startServers(plan);
  const { env, ...service } = proxyService(plan, role);
  start(plan, { ...service, env: { ...env, ...changesOf(plan.layout) } });
  return plan;
}

async function planIn(folder: string): Promise<Plan> {
  const layout = await layoutOf(folder);
  await makeCertificates(folder, layout);
  const [version, programs] = [THIS_VERSION, findPrograms()];
  return { folder, layout, programs, nodeEnv: {}, version, nextVersion: version };
}

function start({ folder }: Plan, service: Service): void {
  const runner = new Runner(folder, false);
  cleanUp(() => runner.close());
  runner.start(service);
}

/** How a server demands the certificate of a proxy. */
function secured(folder: string, machine: string, name = 'haproxy') {
  return { ...readCertificate(folder, machine, name), requestCert: true, rejectUnauthorized: true };
}

async function listen(server: Server, port: number): Promise<Server> {
  server.listen(port, HOST);
  await once(server, 'listening');
  cleanUp(() => server.close());
  return server;
}
