import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseEnv } from 'node:util';
import { parse } from 'yaml';
import { parseCommand } from '../../scripts/cluster/commands.ts';
import { answerCommands, sendCommand } from '../../scripts/cluster/control.ts';
import { layoutOf, saveLayout } from '../../scripts/cluster/layout.ts';
import { tell } from '../../scripts/cluster/observe.ts';
import { processesIn } from '../../scripts/cluster/processes.ts';
import { findPrograms, type Programs } from '../../scripts/cluster/programs.ts';
import {
  etcdVariables,
  nodeService,
  nodeVariables,
  type Plan,
  passwordVariables,
  patroniVariables,
  proxyVariables,
  socketOf,
  THIS_VERSION,
} from '../../scripts/cluster/services.ts';
import { errorExample } from '../../src/http/errors.ts';
import { KINDS } from '../cluster/run/kinds.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually, temporaryFolder } from '../support/cli.ts';

const PROGRAMS: Programs = {
  etcd: '/usr/bin/etcd',
  patroni: '/usr/lib/python3/dist-packages/patroni/__init__.py',
  haproxy: '/usr/sbin/haproxy',
  postgres: '/usr/lib/postgresql/15/bin/postgres',
  faketime: '/usr/lib/faketime/libfaketime.so.1',
  openssl: '/usr/bin/openssl',
  idna: '/usr/lib/python3/dist-packages/idna/__init__.py',
};

async function somePlan(): Promise<Plan> {
  const folder = temporaryFolder();
  const version = THIS_VERSION;
  const own = { programs: PROGRAMS, nodeEnv: {}, version, nextVersion: version };
  return { folder, layout: await layoutOf(folder), ...own };
}

it('commands of a proxy wait until it has its socket, even if a killed one left it', async () => {
  const plan = await somePlan();
  const path = socketOf(plan, 'front');
  mkdirSync(dirname(path), { recursive: true });
  const listen = () => {
    const proxy = createServer({ allowHalfOpen: true }, async (connection) => {
      connection.on('error', () => {});
      connection.end(`${await text(connection)}done`);
    });
    cleanUp(() => proxy.close());
    return proxy.listen(path);
  };
  for (const left of [false, true]) {
    // A socket that nothing listens on, as after `kill -9`.
    if (left) bindAndDie(path);
    const answer = tell(plan, 'front', 'show info');
    await sleep(300);
    if (left) rmSync(path);
    const proxy = listen();
    assert.equal(await answer, 'show info\ndone');
    await new Promise((closed) => proxy.close(closed));
  }
});

/** Makes a socket that nothing listens on, as a killed process leaves it. */
function bindAndDie(path: string): void {
  const script = `require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`;
  spawnSync(process.execPath, ['--eval', script, path]);
  assert.ok(existsSync(path));
}

describe('the local cluster and deploy/cluster/ say the same', () => {
  const read = (name: string) => readFileSync(`deploy/cluster/${name}`, 'utf8');
  const variablesOf = (name: string) => Object.keys(parseEnv(read(name))).toSorted();

  it('of a database machine', async () => {
    const plan = await somePlan();
    const [machine] = plan.layout.databases;
    assert.ok(machine);
    const own = { ...etcdVariables(plan, machine), ...patroniVariables(plan, machine) };
    assert.deepEqual(Object.keys(own).toSorted(), variablesOf('database-machine.env'));
    const passwords = Object.keys(passwordVariables(plan.layout)).toSorted();
    assert.deepEqual(passwords, variablesOf('patroni-password.env'));
  });

  it('of a machine with a node, and its proxies read nothing else', async () => {
    const plan = await somePlan();
    const [machine] = plan.layout.nodes;
    assert.ok(machine);
    const own = Object.keys({ ...proxyVariables(plan), ...nodeVariables(machine) }).toSorted();
    assert.deepEqual(own, variablesOf('node-machine.env'));
    const used = ['database', 'front', 'node'].flatMap((role) => {
      const name = `haproxy-${role}.cfg`;
      return [...read(name).matchAll(/\$\{(\w+)(?:\[\*\])?\}/g)].map(
        ([, variable = '']) => variable,
      );
    });
    const known = [...own, 'HAPROXY_SOCKET', 'UNAVAILABLE'].toSorted();
    assert.deepEqual([...new Set(used)].toSorted(), known);
  });

  it('of a lost node what Cardprice says itself', () => {
    const [, body = ''] = /setenv UNAVAILABLE '(.*)'/.exec(read('haproxy-front.cfg')) ?? [];
    assert.deepEqual(JSON.parse(body), errorExample('SERVICE_UNAVAILABLE'));
  });

  it('the true address of a caller, not the claimed one', () => {
    const front = read('haproxy-front.cfg');
    for (const header of ['x-forwarded-for', 'x-forwarded-proto', 'x-request-id']) {
      assert.match(front, new RegExp(`^  http-request set-header ${header} %`, 'm'));
    }
  });

  it('of failover: a standby acknowledges every commit, and a lock outlives two failed tries', () => {
    const { dcs } = (parse(read('patroni.yml')) as { bootstrap: { dcs: Record<string, number> } })
      .bootstrap;
    assert.equal(dcs.synchronous_mode, true);
    assert.equal(dcs.synchronous_mode_strict, true);
    const { ttl = 0, loop_wait: wait = 0, retry_timeout: retry = 0 } = dcs;
    assert.ok(wait > 0 && retry > 0 && wait + 2 * retry <= ttl);
  });

  it('of copied standbys: the copy begins at once, and not after a spread checkpoint', () => {
    const { postgresql } = parse(read('patroni.yml')) as {
      postgresql: { basebackup: Record<string, string> };
    };
    assert.deepEqual(postgresql.basebackup, { checkpoint: 'fast' });
  });
});

describe('a plan of a cluster', () => {
  it('has its own ports, and keeps them after a restart', async () => {
    const { folder, layout } = await somePlan();
    const databases = layout.databases.flatMap(({ name, links, ...ports }) => [
      ...Object.values(ports),
      ...Object.values(links),
    ]);
    const nodes = layout.nodes.flatMap(({ port, tls }) => [port, tls]);
    const all = [...databases, ...nodes, layout.primary, layout.replicas, layout.front];
    assert.equal(new Set(all).size, 3 * 9 + 3 * 2 + 3);
    saveLayout(folder, layout);
    assert.deepEqual(await layoutOf(folder), layout);
  });

  it('is refused in a folder in which a start was interrupted', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'run'));
    await assert.rejects(layoutOf(folder), /was interrupted. Remove the folder/);
  });

  it('passes further settings to nodes, and a wrong clock only on request', async () => {
    const plan = { ...(await somePlan()), nodeEnv: { CARDPRICE_BURST: 'off' } };
    const [machine] = plan.layout.nodes;
    assert.ok(machine);
    const { env } = nodeService(plan, machine);
    assert.equal(env.CARDPRICE_BURST, 'off');
    assert.equal(env.CARDPRICE_DATABASE?.includes(`:${plan.layout.primary}/`), true);
    assert.ok(!('LD_PRELOAD' in env));
    assert.equal(nodeService(plan, machine, { seconds: 90 }).env.FAKETIME, '+90s');
  });
});

describe('the programs of a cluster', () => {
  const put = (root: string, path: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), '');
    return join(root, path);
  };

  it('are named with the line that installs those that are missing', () => {
    const root = `${temporaryFolder()}/`;
    put(root, 'usr/bin/etcd');
    put(root, 'usr/sbin/haproxy');
    put(root, 'usr/bin/openssl');
    assert.throws(() => findPrograms(root), {
      message:
        'The cluster needs patroni, idna, postgres, faketime. On Debian 12 or newer, as root:\n' +
        '  apt-get install --yes --no-install-recommends patroni python3-idna postgresql faketime',
    });
  });

  it('are found where Debian has them, and of PostgreSQL the newest', () => {
    const root = `${temporaryFolder()}/`;
    for (const path of Object.values(PROGRAMS)) put(root, path);
    put(root, 'usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1');
    put(root, 'usr/lib/postgresql/9/bin/postgres');
    const newest = put(root, 'usr/lib/postgresql/17/bin/postgres');
    assert.equal(findPrograms(root).postgres, newest);
  });
});

describe('a command for a cluster', () => {
  it('is a fault by its name, in one word or several, with its seconds', () => {
    assert.deepEqual(parseCommand(['kill', 'primary']), { name: 'kill-primary' });
    assert.deepEqual(parseCommand(['kill-primary']), { name: 'kill-primary' });
    assert.deepEqual(parseCommand(['clock', 'node', '+90']), { name: 'clock-node', seconds: 90 });
    const pause = { name: 'pause-primary', seconds: 5 };
    assert.deepEqual(parseCommand(['pause', 'primary', '5']), pause);
  });

  it('is explained when there is none of its name, or it takes no seconds', () => {
    for (const words of [['kill'], ['kill', 'everything'], ['deploy', '3'], ['toString'], ['5']]) {
      assert.throws(() => parseCommand(words), /npm run cluster -- FAULT .*kill-primary/s);
    }
  });

  it('is in a row of docs/cluster.md with the bound of its fault, and no other is', () => {
    const page = readFileSync('docs/cluster.md', 'utf8');
    const [, section = ''] = page.split(/^## Effects of failures$|^## Setting up$/m);
    const rows = [...section.matchAll(/^\| `(.*?)` \| (.*) \|$/gm)];
    const documented = rows.map(([, name, cells = '']) => `${name}: ${cells.split(' | ')[2]}`);
    const caused = Object.entries(KINDS).map(
      ([
        name,
        {
          bound: { failingMs, isLasting },
        },
      ]) => {
        return `${name}: ${failingMs / 1000} s${isLasting ? ' after' : ''}`;
      },
    );
    assert.deepEqual(documented.toSorted(), caused.toSorted());
  });

  it('reaches the cluster that runs, and brings back what that says', async () => {
    const folder = temporaryFolder();
    const stateFile = join(temporaryFolder(), 'state.json');
    const server = answerCommands(
      folder,
      async ({ name }) => {
        if (name === 'deploy') throw new Error('no node');
        return `did ${name}`;
      },
      stateFile,
    );
    cleanUp(() => server.close());
    await once(server, 'listening');
    assert.equal(await sendCommand({ name: 'heal' }, { stateFile }), 'did heal');
    assert.equal(await sendCommand({ name: 'status' }, { folder }), 'did status');
    await assert.rejects(sendCommand({ name: 'deploy' }, { stateFile }), { message: 'no node' });
  });

  it('says when no cluster runs', async () => {
    const message = 'No cluster is running. `npm run cluster` starts one.';
    const stateFile = join(temporaryFolder(), 'state.json');
    await assert.rejects(sendCommand({ name: 'status' }, { stateFile }), { message });
    writeFileSync(stateFile, JSON.stringify({ folder: temporaryFolder() }));
    await assert.rejects(sendCommand({ name: 'status' }, { stateFile }), { message });
  });
});

describe('everything that a cluster started', () => {
  const RUNNER = pathToFileURL('scripts/cluster/runner.ts').href;

  /** A process that starts stand-ins of servers in a folder: one has a child, one is paused. */
  async function startStandIns(folder: string, isTemporary: boolean) {
    const program = `
      import { Runner } from '${RUNNER}';
      const runner = new Runner('${folder}', ${isTemporary});
      const start = (name, ...command) => runner.start(
        { name, folder: '${folder}/run/' + name, command, env: {}, tls: '', isUnprivileged: false });
      start('parent', 'sh', '-c', 'sleep 1000 & wait');
      start('paused', 'sh', '-c', 'kill -STOP $$');
      setTimeout(() => {}, 1e6);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
    cleanUp(() => child.kill('SIGKILL'));
    await eventually(() => processesIn(join(folder, 'run')).length === 3);
    return child;
  }

  it('ends when the process that started it is killed', async () => {
    const folder = temporaryFolder();
    const child = await startStandIns(folder, false);
    child.kill('SIGKILL');
    await eventually(() => processesIn(join(folder, 'run')).length === 0);
    assert.ok(existsSync(join(folder, 'parent.log')), 'the folder is kept');
  });

  it('ends with the temporary folder', async () => {
    const folder = temporaryFolder();
    const child = await startStandIns(folder, true);
    child.kill('SIGKILL');
    await eventually(() => !existsSync(folder));
    assert.deepEqual(processesIn(join(folder, 'run')), []);
  });
});
