import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import pg from 'pg';
import { parse } from 'yaml';
import {
  makeCertificates,
  readCertificate,
  tlsFolder,
  withCertificates,
} from '../../scripts/cluster/certificates.ts';
import { layoutOf } from '../../scripts/cluster/layout.ts';
import { endAll, otherUser } from '../../scripts/cluster/processes.ts';
import { findPrograms } from '../../scripts/cluster/programs.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually, temporaryFolder } from '../support/cli.ts';

/**
 * Restores to a point in time by the commands of docs/cluster.md, from what the base backup of
 * deploy/cluster/ and the archive of patroni.yml have kept.
 */

const HOST = '127.0.0.1';

/** Values in the commands of the page that differ here. */
const ON_PAGE = {
  programs: '/usr/lib/postgresql/15/bin',
  folder: '/var/lib/cardprice-postgresql',
  backup: '2026-11-22T03:47:12Z',
  moment: '2026-11-22 22:57:43+00',
  primary: '--host 10.0.0.12 --port 5432',
  restored: '5999',
};

/** A segment that the archive no longer needs. */
const OLD_SEGMENT = '000000010000000000000000';

describe('a base backup and the archive', () => {
  const programs = dirname(findPrograms().postgres);
  const folder = temporaryFolder();
  const archive = join(folder, 'archive');
  const backups = join(archive, 'base');
  /** Of the primary, its standby, and the restored server. */
  let ports: readonly number[];
  /** The moment before the mistake. */
  let moment: string;

  before(async () => {
    const layout = await layoutOf(folder);
    ports = layout.databases.map(({ postgres }) => postgres);
    await makeCertificates(folder, layout);
    for (const path of [folder, archive, backups]) {
      mkdirSync(path, { recursive: true });
      chmodSync(path, 0o700);
      giveAway(path);
    }
    cleanUp(() => endAll(folder));
    startPrimary();
    startStandby();
  });

  it('are made by a replica once a night, and only seven are kept', () => {
    for (let day = 1; day <= 7; day += 1) fakeBackup(`2000-01-0${day}T03:45:00Z`);
    writeFileSync(join(archive, OLD_SEGMENT), '');
    assert.match(backUp(port(0)), /leaves it to the replicas/);
    assert.match(backUp(port(1)), /^Made /);
    assert.match(backUp(port(1)), /There is one/);
    const names = readdirSync(backups).filter((name) => name.startsWith('20'));
    assert.equal(names.length, 7);
    assert.ok(!names.includes('2000-01-01T03:45:00Z'));
    assert.ok(!existsSync(join(archive, OLD_SEGMENT)));
  });

  it('bring back what was there before a mistake, also of the next primary', async () => {
    await query(0, `insert into cards values ('by the first primary')`);
    await archiveAll(0);
    run(['pg_ctl', '--pgdata', 'primary', '--mode', 'immediate', '--wait', 'stop']);
    run(['pg_ctl', '--pgdata', 'standby', '--wait', 'promote']);
    await query(1, `insert into cards values ('by the second primary')`);
    moment = String((await query(1, 'select clock_timestamp()::text as now'))[0]?.now);
    await sleep(50);
    await query(1, `update cards set name = 'oops'`);
    await archiveAll(1);

    const [restore = '', bringBack = ''] = blocksOfPage();
    const { stdout } = run(['bash', '-euo', 'pipefail', '-c', here(restore)]);
    assert.match(stdout, /restored log file "00000002/);
    assert.match(stdout, /^ +3 \| +0$/m);
    run(['bash', '-euo', 'pipefail', '-c', here(bringBack)]);
    assert.deepEqual(await query(1, 'select name from cards order by 1'), [
      { name: 'by the first primary' },
      { name: 'by the second primary' },
      { name: 'in the base backup' },
    ]);
    assert.deepEqual(await query(1, 'select distinct name from cards', 'cardprice_before'), [
      { name: 'oops' },
    ]);
  });

  function port(index: number): number {
    return ports[index] ?? 0;
  }

  /** A primary with the settings of patroni.yml. */
  function startPrimary(): void {
    run([
      ...['initdb', '--pgdata', 'primary', '--username', 'postgres'],
      ...['--encoding', 'UTF8', '--locale', 'C', '--data-checksums', '--no-sync'],
    ]);
    const { parameters, rules, users } = settingsOfPatroni(tlsFolder(folder, 'database-1'));
    // Nothing here need survive a power failure.
    appendFileSync(join(folder, 'primary/postgresql.conf'), `${parameters}fsync = off\n`);
    writeFileSync(join(folder, 'primary/pg_hba.conf'), rules);
    writeFileSync(join(folder, 'primary/pg_ident.conf'), users);
    start('primary', port(0));
    const sql = [
      'create role replicator login replication',
      'create role cardprice login',
      'create database cardprice owner cardprice',
    ];
    run(['psql', ...to(0), ...sql.flatMap((text) => ['--command', text])]);
    const rows = `create table cards as select 'in the base backup' as name`;
    run(['psql', ...to(0), '--dbname', 'cardprice', '--command', rows]);
  }

  function startStandby(): void {
    const from = ['--host', HOST, '--port', String(port(0)), '--username', 'replicator'];
    const how = ['--checkpoint', 'fast', '--no-sync', '--write-recovery-conf'];
    run(['pg_basebackup', ...from, ...how, '--pgdata', 'standby']);
    start('standby', port(1));
  }

  function start(name: string, on: number): void {
    const options = `-p ${on} -c listen_addresses=${HOST}`;
    const own = ['--pgdata', name, '--options', options, '--log', `${name}.log`];
    run(['pg_ctl', ...own, '--wait', 'start']);
  }

  /** How psql reaches a server. */
  function to(index: number): string[] {
    return ['--quiet', '--host', HOST, '--port', String(port(index)), '--username', 'postgres'];
  }

  /** Runs what cardprice-basebackup.service runs, and returns what it says. */
  function backUp(on: number): string {
    const unit = readFileSync('deploy/cluster/cardprice-basebackup.service', 'utf8');
    assert.match(unit, /^ExecStart=\/bin\/sh \/etc\/cardprice\/basebackup\.sh$/m);
    // The user of PostgreSQL may not be able to read the checkout.
    const script = readFileSync('deploy/cluster/basebackup.sh', 'utf8');
    return run(['/bin/sh', '-c', script], {
      PATRONI_POSTGRESQL_BIN_DIR: programs,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${HOST}:${on}`,
    }).stdout;
  }

  /** What a base backup of a night long ago has that is looked at. */
  function fakeBackup(name: string): void {
    const path = join(backups, name);
    mkdirSync(path);
    const label = 'START WAL LOCATION: 0/1000028 (file 000000010000000000000001)\n';
    writeFileSync(join(path, 'backup_label'), label);
    utimesSync(path, 0, 0);
    giveAway(path);
  }

  /** Has the archive get all that was written, as it does after a minute. */
  async function archiveAll(index: number): Promise<void> {
    const segment = 'select pg_walfile_name(pg_switch_wal()) as name';
    const path = join(archive, String((await query(index, segment))[0]?.name));
    await eventually(() => existsSync(path));
    const { blocks, size } = statSync(path);
    assert.ok(blocks * 512 < size / 2, 'the empty part of a segment takes no space');
  }

  async function query(index: number, text: string, database = 'cardprice') {
    const client = new pg.Client({
      host: HOST,
      port: port(index),
      user: 'postgres',
      ssl: readCertificate(folder, 'database-1', 'patroni'),
      database,
    });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** Runs a program as the user of PostgreSQL. */
  function run(command: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const [program = '', ...args] = command;
    const path = `${programs}:${process.env.PATH}`;
    const result = spawnSync(program, args, {
      cwd: folder,
      encoding: 'utf8',
      ...otherUser(),
      env: { PATH: path, ...connecting(), WAL_ARCHIVE: archive, LC_ALL: 'C', ...env },
    });
    assert.equal(result.status, 0, `${command.join(' ')}\n${result.stdout}${result.stderr}`);
    return result;
  }

  /** How clients of PostgreSQL find their certificate: lines of database-machine.env. */
  function connecting(): NodeJS.ProcessEnv {
    const text = readFileSync('deploy/cluster/database-machine.env', 'utf8');
    const lines = Object.entries(parseEnv(withCertificates(text, tlsFolder(folder, 'database-1'))));
    const own = lines.filter(([name]) => name.startsWith('PGSSL'));
    assert.equal(own.length, 4);
    return Object.fromEntries(own);
  }

  /** Commands of the page, with what they name as it is here. */
  function here(commands: string): string {
    const made =
      readdirSync(backups)
        .toSorted()
        .findLast((name) => name.startsWith('20')) ?? '';
    const own = {
      programs,
      folder,
      backup: made,
      moment,
      primary: `--host ${HOST} --port ${port(1)}`,
      restored: String(port(2)),
    };
    return Object.entries(ON_PAGE).reduce((text, [name, named]) => {
      return text.replaceAll(named, own[name as keyof typeof own]);
    }, commands);
  }
});

/** Lets the user of PostgreSQL have what root has made. */
function giveAway(path: string): void {
  const user = otherUser();
  if (user) chownSync(path, user.uid, user.gid);
}

/** The commands of the page: those that restore, and those that bring back. */
function blocksOfPage(): string[] {
  const page = readFileSync('docs/cluster.md', 'utf8');
  const section = page.slice(page.indexOf('\n## Backup, and restoring'));
  const blocks = [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = '']) => text);
  assert.equal(blocks.length, 2);
  for (const named of Object.values(ON_PAGE)) assert.ok(blocks.join('').includes(named), named);
  return blocks;
}

/** The settings that patroni.yml gives servers, as PostgreSQL reads them. */
function settingsOfPatroni(tls: string) {
  const text = withCertificates(readFileSync('deploy/cluster/patroni.yml', 'utf8'), tls);
  const { bootstrap, postgresql } = parse(text) as {
    bootstrap: { dcs: { postgresql: { parameters: Record<string, unknown> } } };
    postgresql: {
      pg_hba: readonly string[];
      pg_ident: readonly string[];
      parameters: Record<string, unknown>;
      recovery_conf: Record<string, unknown>;
    };
  };
  const all = {
    ...bootstrap.dcs.postgresql.parameters,
    ...postgresql.parameters,
    ...postgresql.recovery_conf,
  };
  const lines = Object.entries(all).map(([name, value]) => {
    return `${name} = '${String(value).replaceAll("'", "''")}'\n`;
  });
  const { pg_hba: rules, pg_ident: users } = postgresql;
  return { parameters: lines.join(''), rules: linesOf(rules), users: linesOf(users) };
}

function linesOf(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}
