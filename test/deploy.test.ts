import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { before, describe, it } from 'node:test';
import { parseEnv } from 'node:util';
import { parse } from 'yaml';
import { makeCertificates, tlsFolder, withCertificates } from '../scripts/cluster/certificates.ts';
import { layoutOf } from '../scripts/cluster/layout.ts';
import { SETTINGS } from '../src/config/settings.ts';
import { CONNECTION_LIMITS } from '../src/http/connections.ts';
import { ServerPool } from '../src/store/engine/postgres-pool.ts';
import { run, temporaryFolder } from './support/cli.ts';

const UNIT = 'deploy/systemd/cardprice.service';
const ANALYZE = '/usr/bin/systemd-analyze';
const HAPROXY = '/usr/sbin/haproxy';

/** The proxies of a cluster. */
const PROXIES = ['database', 'front', 'metrics', 'node'];

/** Connections of a server for Patroni, base backups and people. */
const FOR_OTHERS = 16;

/** The exposure that `systemd-analyze security` may find at most, of 10. */
const MOST_EXPOSED = 2.5;

describe('the unit of systemd', () => {
  const lines = readFileSync(UNIT, 'utf8').split('\n');
  const directives = lines.filter((line) => /^\w+=/.test(line));

  it('runs without privileges, and writes to two folders alone', () => {
    const wanted = [
      'User=cardprice',
      'UMask=0077',
      'ProtectSystem=strict',
      'ProtectHome=yes',
      'PrivateTmp=yes',
      'PrivateDevices=yes',
      'CapabilityBoundingSet=',
      'NoNewPrivileges=yes',
      'RestrictNamespaces=yes',
      'RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX',
      'SystemCallFilter=@system-service',
      'StateDirectoryMode=0700',
      'CacheDirectoryMode=0700',
    ];
    assert.deepEqual(
      wanted.filter((directive) => !directives.includes(directive)),
      [],
    );
    assert.ok(!directives.some((directive) => directive.startsWith('ReadWritePaths=')));
  });

  it('lets V8 compile, and the first process end the others', () => {
    assert.ok(!directives.some((directive) => directive.startsWith('MemoryDenyWriteExecute=')));
    assert.ok(directives.includes('KillMode=mixed'));
  });

  it('is as little exposed as its page says', async () => {
    const page = readFileSync('docs/deploying.md', 'utf8');
    const [, told = ''] =
      /Overall exposure level for cardprice\.service: ([\d.]+)/.exec(page) ?? [];
    assert.ok(Number(told) > 0 && Number(told) <= MOST_EXPOSED, told);
    await assertClosed(UNIT);
  });
});

describe('the units of a cluster', () => {
  for (const unit of globSync('deploy/cluster/*.service').toSorted()) {
    it(`${unit} runs without privileges, and is hardly exposed`, async () => {
      const text = readFileSync(unit, 'utf8');
      const wanted = ['UMask=0077', 'ProtectSystem=strict', 'CapabilityBoundingSet='];
      for (const line of wanted) assert.match(text, new RegExp(`^${line}$`, 'm'));
      assert.match(text, /^User=(?!root)\w+$/m);
      assert.doesNotMatch(text, /^(ReadWritePaths|AmbientCapabilities)=./m);
      await assertClosed(unit);
    });
  }

  it('have PostgreSQL share its memory with the next one, and write to no archive but the volume', () => {
    const unit = readFileSync('deploy/cluster/cardprice-patroni.service', 'utf8');
    assert.doesNotMatch(unit, /^PrivateIPC=/m);
    const { WAL_ARCHIVE } = parseEnv(readFileSync('deploy/cluster/database-machine.env', 'utf8'));
    for (const name of ['patroni', 'basebackup']) {
      const text = readFileSync(`deploy/cluster/cardprice-${name}.service`, 'utf8');
      assert.match(text, new RegExp(`^RequiresMountsFor=${WAL_ARCHIVE}$`, 'm'));
    }
  });

  it('read files that are there', () => {
    const text = globSync('deploy/cluster/*.service').map((unit) => readFileSync(unit, 'utf8'));
    const read = text.join('').match(/(?<=^\w+=.*\/etc\/cardprice\/)\S+/gm) ?? [];
    const names = read.flatMap((path) => {
      const name = basename(path);
      return name.includes('%i') ? PROXIES.map((i) => name.replace('%i', i)) : name;
    });
    assert.ok(names.length > 8, 'the paths were recognised');
    const missing = names.filter((name) => !existsSync(join('deploy/cluster', name)));
    assert.deepEqual(missing, []);
  });
});

describe('every unit and timer', () => {
  for (const unit of globSync('deploy/{systemd,cluster}/*.{service,timer}').toSorted()) {
    it(`${unit} is right by systemd`, async () => {
      if (!existsSync(ANALYZE)) return;
      const command = [ANALYZE, 'verify', '--man=no', '--recursive-errors=no', unit];
      const { err } = await run([], { command, env: { LC_ALL: 'C' } });
      const complaints = err.split('\n').filter((line) => !/^$| is not executable: /.test(line));
      assert.deepEqual(complaints, []);
    });
  }

  it('has a service for each timer', () => {
    const timers = globSync('deploy/{systemd,cluster}/*.timer');
    assert.equal(timers.length, 2);
    for (const timer of timers) assert.ok(existsSync(timer.replace('.timer', '.service')), timer);
  });
});

describe('a node that gets a signal to stop', () => {
  const env = parseEnv(readFileSync('deploy/cluster/cardprice.env', 'utf8'));
  const drainSeconds = Number(env.CARDPRICE_DRAIN_SECONDS);

  it('answers until the proxy in front has left it', () => {
    const front = readFileSync('deploy/cluster/haproxy-front.cfg', 'utf8');
    const checks = [
      ...front.matchAll(/default-server inter (\d+)ms fastinter \d+ms rise 1 fall (\d+)/g),
    ];
    assert.equal(checks.length, 1);
    for (const [, inter, fall] of checks) {
      assert.ok((Number(fall) + 1) * Number(inter) < drainSeconds * 1000);
    }
  });

  it('is killed only after requests in progress have had their time', () => {
    const [, inProgress] =
      /requests in progress\s+up to (\d+) seconds/.exec(
        readFileSync('docs/operating.md', 'utf8'),
      ) ?? [];
    const [, stop] = /^TimeoutStopSec=(\d+)$/m.exec(readFileSync(UNIT, 'utf8')) ?? [];
    assert.ok(Number(stop) > drainSeconds + Number(inProgress));
  });
});

describe('the connections of a cluster', () => {
  it('are enough for as many processes as its page allows', () => {
    const page = readFileSync('docs/cluster.md', 'utf8');
    const [, told, processes] = /`max_connections` is (\d+): (\d+)\s+processes/.exec(page) ?? [];
    const { bootstrap } = parse(readFileSync('deploy/cluster/patroni.yml', 'utf8'));
    const { max_connections: most } = bootstrap.dcs.postgresql.parameters;
    assert.equal(most, Number(told));
    const pool = new ServerPool({});
    const { max } = pool.options as { readonly max: number };
    assert.equal(most, Number(processes) * max + FOR_OTHERS);
  });
});

describe('the standbys of a cluster', () => {
  const archive = temporaryFolder();
  const { postgresql } = parse(readFileSync('deploy/cluster/patroni.yml', 'utf8'));
  const { restore_command: command } = postgresql.recovery_conf;
  /** Runs the command as PostgreSQL does. Returns its exit code, and what it restored. */
  const restore = (file: string) => {
    const restored = join(temporaryFolder(), 'restored');
    const line = command.replaceAll('%f', file).replaceAll('%p', restored);
    const env = { ...process.env, WAL_ARCHIVE: archive };
    const { status } = spawnSync('sh', ['-c', line], { env, stdio: 'ignore' });
    return { status, text: existsSync(restored) ? readFileSync(restored, 'utf8') : undefined };
  };

  it('read WAL from the archive', () => {
    writeFileSync(join(archive, '000000010000000000000004'), 'WAL');
    assert.deepEqual(restore('000000010000000000000004'), { status: 0, text: 'WAL' });
    assert.notEqual(restore('000000010000000000000005').status, 0);
  });

  it('learn of a new timeline from its primary alone, so that a former primary is rewound', () => {
    writeFileSync(
      join(archive, '00000002.history'),
      '1\t0/4753B80\tno recovery target specified\n',
    );
    assert.deepEqual(restore('00000002.history'), { status: 1, text: undefined });
  });
});

describe('the proxies of a cluster', () => {
  const env = { ...parseEnv(readFileSync('deploy/cluster/node-machine.env', 'utf8')) };

  it('have the lines of another node where the page adds it', () => {
    assert.equal(withFourthNode().split('server node-4 ').length, 3);
  });

  // Where it is installed: no package of npm has it.
  if (existsSync(HAPROXY)) {
    const folder = temporaryFolder();
    before(async () => makeCertificates(folder, await layoutOf(folder)));

    for (const name of PROXIES) {
      it(`are right by HAProxy: ${name}`, () => {
        return check(folder, readFileSync(`deploy/cluster/haproxy-${name}.cfg`, 'utf8'));
      });
    }

    it('are right by HAProxy with another node', () => check(folder, withFourthNode()));
  }

  async function check(folder: string, text: string): Promise<void> {
    const path = join(folder, 'haproxy.cfg');
    writeFileSync(path, withCertificates(text, tlsFolder(folder, 'node-1')));
    const surroundings = {
      command: [HAPROXY, '-c', '-f', path],
      env: { ...env, HAPROXY_SOCKET: '/s' },
    };
    const { code, out, err } = await run([], surroundings);
    assert.equal(code, 0, `${out}${err}`);
  }

  function withFourthNode(): string {
    const page = readFileSync('docs/cluster.md', 'utf8');
    const [line = ''] = /^ +server node-4 .*\n/m.exec(page) ?? [];
    const front = readFileSync('deploy/cluster/haproxy-front.cfg', 'utf8');
    return front.replaceAll(/^ {2}server node-3 .*\n/gm, (last) => last + line);
  }
});

/** Asserts what systemd finds of a unit, on a machine that has systemd. */
async function assertClosed(unit: string): Promise<void> {
  if (!existsSync(ANALYZE)) return;
  const command = [ANALYZE, 'security', '--offline=true', '--no-pager', unit];
  const { out, err } = await run([], { command, env: { LC_ALL: 'C' } });
  const [, measured = ''] = /Overall exposure level for .*: ([\d.]+)/.exec(out) ?? [];
  assert.ok(Number(measured) > 0 && Number(measured) <= MOST_EXPOSED, `${out}${err}`);
}

it('the unit of backups is as closed as that of the service', () => {
  const closing = (unit: string) => {
    const lines = readFileSync(unit, 'utf8').match(
      /^(Private|Protect|Restrict|System|No|Cap).*=.*/gm,
    );
    return (lines ?? []).filter((line) => line !== 'SystemCallFilter=setpriority');
  };
  assert.deepEqual(closing('deploy/systemd/cardprice-backup.service'), closing(UNIT));
});

describe('the image', () => {
  const dockerfile = readFileSync('deploy/Dockerfile', 'utf8');
  const allowed: readonly string[] =
    readFileSync('.dockerignore', 'utf8').match(/(?<=^!).*/gm) ?? [];

  it('is made of files that are there, and that may get into it', () => {
    const copied = dockerfile.match(/(?<=^COPY )(?!--)(?!\. \.).*(?= \S+$)/gm) ?? [];
    const paths = copied.flatMap((line) => line.split(' '));
    assert.ok(paths.length >= 5, 'the lines were recognised');
    for (const path of [...paths, ...allowed]) assert.ok(existsSync(path), path);
    for (const path of paths) assert.ok(allowed.includes(path.split('/')[0] ?? ''), path);
  });

  it('has what the package has, but for what only its reader wants', () => {
    const { files } = JSON.parse(readFileSync('package.json', 'utf8')) as { files: string[] };
    const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
    const needed = files.filter((path) => !/^deploy\/|\.md$/.test(path));
    const missing = needed.filter((path) => !last.includes(path));
    assert.deepEqual(missing, []);
  });

  it('runs as a separate user, and reports whether it works', () => {
    assert.match(dockerfile, /^USER cardprice$/m);
    assert.match(dockerfile, /^HEALTHCHECK .*\n.*\/healthz/m);
  });
});

describe('the examples of reverse proxies', () => {
  const nginx = readFileSync('deploy/nginx/cardprice.conf', 'utf8');
  const caddy = readFileSync('deploy/caddy/Caddyfile', 'utf8');

  it('have browsers come by TLS alone, and compress', () => {
    for (const example of [nginx, caddy]) {
      assert.match(example, /Strict-Transport-Security "max-age=31536000; includeSubDomains"/);
      assert.match(example, /^\s*(gzip on;|encode zstd gzip)$/m);
    }
  });

  it('lead pages to TLS, and refuse calls of the API without it, whose keys went openly', () => {
    assert.match(
      nginx,
      /listen 80;.*?location ~ \^\/\(\(operator\/\)\?v1\/\|compatible\/\|mcp\$\) \{ return 403; \}/s,
    );
    assert.match(nginx, /location \/ \{ return 301 https:/);
    const redirect =
      /^http:\/\/cards\.example \{\n\t@page not path \/v1\/\* \/operator\/v1\/\* \/compatible\/\* \/mcp\n\tredir @page https:/m;
    assert.match(caddy, redirect);
  });

  it('replace the address that a caller claims to have', () => {
    assert.match(nginx, /proxy_set_header X-Forwarded-For \$remote_addr;/);
    // Caddy does so unless its configuration trusts somebody.
    assert.doesNotMatch(caddy, /trusted_proxies|X-Forwarded-For \{http/);
  });

  it('have an address no more connections than the service itself allows one', () => {
    const [, zone = ''] =
      /^limit_conn_zone \$binary_remote_addr zone=(\w+):\d+m;$/m.exec(nginx) ?? [];
    assert.notEqual(zone, '');
    const server = nginx.slice(nginx.lastIndexOf('\nserver {'));
    assert.match(server, new RegExp(`limit_conn ${zone} ${CONNECTION_LIMITS.perAddress};`));
    assert.match(server, /limit_conn_status 429;/);
    // Caddy cannot, which the page says.
    assert.match(readFileSync('docs/deploying.md', 'utf8'), /Caddy .*connections of an address/);
  });

  it('choose the id of a request themselves, which the log has', () => {
    assert.match(nginx, /proxy_set_header X-Request-Id \$request_id;/);
    assert.match(caddy, /header_up X-Request-Id \{http\.request\.uuid\}/);
  });

  it('keep queries, which may have API keys, out of their logs', () => {
    const [, format = ''] = /log_format cardprice ([^;]*);/.exec(nginx) ?? [];
    assert.match(format, /\$uri/);
    assert.doesNotMatch(format, /\$(request|request_uri|args|query_string)\b/);
    assert.match(caddy, /request>uri regexp \\\?\.\* ""/);
  });
});

it('names only settings that exist in deploy/', () => {
  const known = Object.values(SETTINGS).map(({ variable }) => variable);
  const files = globSync('deploy/**').filter((path) => statSync(path).isFile());
  const named = files.flatMap((path) => {
    const found = readFileSync(path, 'utf8').match(/CARDPRICE_[A-Z_]*[A-Z]/g) ?? [];
    return found.map((variable) => `${path}: ${variable.replace(/_FILE$/, '')}`);
  });
  assert.ok(named.length > 10, 'the settings were recognised');
  const unknown = named.filter(
    (entry) => !known.some((variable) => entry.endsWith(`: ${variable}`)),
  );
  assert.deepEqual(unknown, []);
});
