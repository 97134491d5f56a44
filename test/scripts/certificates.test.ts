import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { chmodSync, existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryFolder } from '../support/cli.ts';

const SCRIPT = 'deploy/cluster/certificates.sh';

/** A folder for an authority, and the script in it. */
function authority() {
  const folder = join(temporaryFolder(), 'certificates');
  const call = (...command: string[]) => {
    const args = [SCRIPT, '--folder', folder, ...command];
    const { status, stdout, stderr } = spawnSync('sh', args, { encoding: 'utf8' });
    return { status, out: stdout, err: stderr };
  };
  const make = (...command: string[]) => {
    const { status, out, err } = call(...command);
    assert.equal(status, 0, err);
    return out;
  };
  const read = (path: string) => new X509Certificate(readFileSync(join(folder, `${path}.crt`)));
  return { folder, call, make, read };
}

describe('certificates.sh', () => {
  it('makes certificates that name their part and machine, signed by the authority', () => {
    const { make, read } = authority();
    make('ca');
    make('database', 'database-1', '10.0.0.11', 'db.internal');
    const ca = read('ca');
    const names = (path: string) => {
      const certificate = read(path);
      assert.ok(certificate.verify(ca.publicKey) && !certificate.ca);
      return [certificate.subject, certificate.subjectAltName];
    };
    const machine = 'DNS:database-1, IP Address:10.0.0.11, DNS:db.internal';
    const local = 'DNS:localhost, IP Address:127.0.0.1';
    assert.deepEqual(names('database-1/etcd'), ['CN=etcd', `DNS:etcd-client, ${machine}`]);
    assert.deepEqual(names('database-1/patroni'), [
      'CN=patroni',
      `DNS:etcd-client, ${local}, ${machine}`,
    ]);
    assert.deepEqual(names('database-1/exporter'), ['CN=exporter', undefined]);
    assert.deepEqual(names('database-1/haproxy'), ['CN=haproxy', machine]);
  });

  it('gives a certificate to serve only to parts that serve', () => {
    const { make, read } = authority();
    make('ca');
    make('node', 'node-1', 'fd00::21');
    make('monitor', 'monitor-1', '10.0.0.31');
    const [server, client] = ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2'];
    assert.deepEqual(read('node-1/haproxy').keyUsage, [server, client]);
    assert.equal(read('node-1/haproxy').checkIP('fd00::21'), 'fd00::21');
    assert.deepEqual(read('node-1/cardprice').keyUsage, [client]);
    assert.deepEqual(read('monitor-1/prometheus').keyUsage, [client]);
  });

  it('keeps keys private, and says where to take them', () => {
    const { folder, make } = authority();
    assert.match(make('ca'), /keep it, with a copy, on no machine of the cluster/);
    const said = make('node', 'node-1', '10.0.0.21');
    assert.match(said, /^ {2}scp -r .*certificates\/node-1 certificates\.sh root@10\.0\.0\.21:$/m);
    assert.match(said, /sh certificates\.sh install node-1/);
    const keys = globSync(join(folder, '**/*.key'));
    assert.equal(keys.length, 3);
    for (const key of keys) assert.equal(statSync(key).mode & 0o777, 0o600, key);
    assert.ok(!existsSync(join(folder, 'node-1/ca.key')));
  });

  it('makes the certificates of a machine again, and never the authority', () => {
    const { folder, call, make, read } = authority();
    make('ca');
    make('node', 'node-1', '10.0.0.21', 'node-1.internal');
    make('monitor', 'monitor-1', '10.0.0.31');
    const before = read('node-1/haproxy');
    const ca = readFileSync(join(folder, 'ca.key'), 'utf8');
    make('--days', '90', 'renew');
    const after = read('node-1/haproxy');
    assert.notEqual(after.serialNumber, before.serialNumber);
    assert.equal(after.subjectAltName, before.subjectAltName);
    assert.ok(Date.parse(after.validTo) < Date.parse(before.validTo));
    const { status, err } = call('ca');
    assert.equal(status, 1);
    assert.match(err, /has an authority already, which all machines trust\. It is not replaced/);
    assert.equal(readFileSync(join(folder, 'ca.key'), 'utf8'), ca);
  });

  it('lists when certificates end, and which do so soon', () => {
    const { make } = authority();
    make('ca');
    make('node', 'node-1', '10.0.0.21');
    make('--days', '20', 'monitor', 'monitor-1', '10.0.0.31');
    const lines = make('list').trimEnd().split('\n');
    assert.equal(lines.length, 4);
    const soon = lines.filter((line) => line.endsWith('ends soon: renew it'));
    assert.equal(soon.length, 1);
    assert.match(soon[0] ?? '', /^monitor-1\/prometheus\.crt +ends /);
  });

  for (const [command, message] of [
    ['node node-1 10.0.0.21', /has no authority\. Make one with: certificates\.sh ca/],
    ['install nowhere', /install needs the folder of a machine/],
    ['undo', /There is no command undo\. See --help/],
    ['--days soon ca', /--days needs a number, such as 365/],
    ['--year 1 ca', /There is no option --year/],
    ['', /^Usage: certificates\.sh/],
  ] as const) {
    it(`says what is wrong with "${command}"`, () => {
      const { status, err } = authority().call(...command.split(' ').filter(Boolean));
      assert.equal(status, 1);
      assert.match(err, message);
    });
  }

  it('says what is wrong with a machine, and makes nothing', () => {
    const { folder, call, make } = authority();
    make('ca');
    for (const [command, message] of [
      ['node node-1', /node needs a name and an address/],
      ['node ../node 10.0.0.21', /'\.\.\/node' is not a name like node-1/],
      ['node ca 10.0.0.21', /'ca' is not a name/],
      ['node node-1 10.0.0.21/24', /'10\.0\.0\.21\/24' is neither a name nor an address/],
      ['node node-1 10.0.0.321', /bad ip address/],
      ['renew node-7', /has no machine node-7/],
    ] as const) {
      const { status, err } = call(...command.split(' '));
      assert.equal(status, 1, command);
      assert.match(err, message);
    }
    assert.deepEqual(globSync('*', { cwd: folder }).toSorted(), ['ca.crt', 'ca.key']);
  });

  it('explains itself', () => {
    const { status, out } = authority().call('--help');
    assert.equal(status, 0);
    for (const command of ['ca', 'database', 'node', 'monitor', 'renew', 'list', 'install']) {
      assert.match(out, new RegExp(`^  ${command} `, 'm'));
    }
  });

  it('installs each key for the user that reads it, and leaves out users that are not there', () => {
    const { folder, make } = authority();
    make('ca');
    make('database', 'database-1', '10.0.0.11');
    const target = join(temporaryFolder(), 'tls');
    const calls = join(folder, 'calls');
    // Stands in for the programs that only root can use.
    writeFileSync(calls, '');
    const programs = temporaryFolder();
    const write = (name: string, line: string) => {
      writeFileSync(join(programs, name), `#!/bin/sh\n${line}\n`);
      chmodSync(join(programs, name), 0o755);
    };
    write('id', 'case $1 in -u) echo 0 ;; prometheus) exit 1 ;; esac');
    write('install', `echo "$@" >> '${calls}'`);
    const script = readFileSync(SCRIPT, 'utf8').replace('/etc/cardprice/tls', target);
    const { status, stdout } = spawnSync('sh', ['-s', 'install', 'database-1'], {
      cwd: folder,
      input: script,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${programs}:${process.env.PATH}` },
    });
    assert.equal(status, 0);
    assert.match(stdout, /Left out exporter: there is no user prometheus\. Install its program/);
    const owners = [...readFileSync(calls, 'utf8').matchAll(/-m 600 -o (\w+) \S*?(\w+)\.key/g)];
    assert.deepEqual(
      owners.map(([, owner, key]) => `${key} ${owner}`),
      ['etcd etcd', 'haproxy haproxy', 'patroni postgres'],
    );
  });
});
