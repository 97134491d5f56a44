import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { createServer as createTlsServer, TLSSocket } from 'node:tls';
import { AuditLog, COMMAND_LINE } from '../../src/accounts/audit/audit.ts';
import { checkExposure } from '../../src/commands/doctor/security.ts';
import { examine } from '../../src/commands/doctor.ts';
import { type Flags, readConfig } from '../../src/config/config.ts';
import { MS_PER_DAY } from '../../src/domain/day.ts';
import type { Finding } from '../../src/domain/finding.ts';
import { openStore, type Store } from '../../src/store/connect.ts';
import { cleanUp } from '../support/cleanup.ts';
import { run, temporaryFolder, vacantPort } from '../support/cli.ts';
import { createDatabase, type EngineLabel, forEachEngine } from '../support/engines.ts';
import { SSL_REQUEST } from '../support/ssl-request.ts';

const PAGES = new URL('../fixtures/pages/', import.meta.url);
const QUERY_KEYS = /^API keys are accepted in URLs/;
const NO_BACKUP = /^No backup of the last 7 days is recorded\.$/;
const URL_OF_SHOP = 'http://cards.shop.example';

/** The sentences of the findings that are not good, with the settings of a service. */
async function problems(location: string, flags: Flags, isContainer = false): Promise<string[]> {
  const found = await examined(location, flags, isContainer);
  return found.filter(({ state }) => state !== 'good').map(({ says }) => says);
}

function examined(location: string, flags: Flags, isContainer = false): Promise<Finding[]> {
  const config = readConfig({ database: location, ...flags }, {});
  return examine({ config, clock: Date.now, deep: false, pages: PAGES, isContainer });
}

async function database(
  label: EngineLabel,
  fill: (store: Store) => Promise<unknown> = async () => {},
): Promise<string> {
  const { location, remove } = await createDatabase(label);
  cleanUp(remove);
  const store = await openStore(location);
  await fill(store);
  await store.close();
  return location;
}

/** Makes the account of an operator, with an authenticator app or without. */
async function addOperator(
  { accounts: { db } }: Store,
  email: string,
  confirmedAt?: number | null,
): Promise<void> {
  const { id } = await db
    .insertInto('accounts')
    .values({ email, plan: 'free', created_at: 1, operator: 1, password_hash: '$argon2id$' })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (confirmedAt === undefined) return;
  const totp = { account_id: id, secret: 'A', created_at: 1, confirmed_at: confirmedAt };
  await db
    .insertInto('totp')
    .values({ ...totp, last_step: 0 })
    .execute();
}

describe('doctor', () => {
  const SETTINGS: readonly (readonly [Flags, boolean, RegExp | null])[] = [
    [{ publicUrl: URL_OF_SHOP }, false, QUERY_KEYS],
    [{ host: '192.0.2.1' }, false, QUERY_KEYS],
    [{ host: '192.0.2.1', queryKeys: 'off' }, false, null],
    [{}, false, null],
    [
      { host: '0.0.0.0', trustProxy: '127.0.0.1', queryKeys: 'off' },
      false,
      /^The service listens on 0\.0\.0\.0, so callers can bypass its reverse proxy\.$/,
    ],
    [
      { host: '::', trustProxy: '127.0.0.1', queryKeys: 'off' },
      false,
      /^The service listens on ::, so callers can bypass its reverse proxy\.$/,
    ],
    [{ host: '0.0.0.0', trustProxy: '127.0.0.1', queryKeys: 'off' }, true, null],
    [{ host: '0.0.0.0', queryKeys: 'off' }, false, null],
    [{ host: '127.0.0.1', trustProxy: '127.0.0.1', queryKeys: 'off' }, false, null],
  ];
  const EXPOSURE = /^API keys are accepted|bypass its reverse proxy/;
  for (const [flags, isContainer, expected] of SETTINGS) {
    const where = isContainer ? ' in a container' : '';
    it(`${expected ? 'warns' : 'does not warn'} of ${JSON.stringify(flags)}${where}`, async () => {
      const missing = join(temporaryFolder(), 'none.db');
      const found = await problems(missing, flags, isContainer);
      const [says, ...more] = found.filter((one) => EXPOSURE.test(one));
      if (expected) assert.match(says ?? '', expected);
      else assert.equal(says, undefined);
      assert.deepEqual(more, []);
    });
  }
});

describe('doctor', () => {
  const warned = (database: string, replica: object = {}) => {
    const config = readConfig({ database, ...replica }, {});
    const found = checkExposure({ config, isContainer: false }).map(({ says }) => says);
    return found.map((says) => /^Others on the network .* at (.*)\.$/.exec(says)?.[1]);
  };
  const TLS = '?sslmode=verify-full';

  it('warns of a PostgreSQL server elsewhere without TLS that checks its name', () => {
    assert.deepEqual(warned('postgres://192.0.2.1:1/cards'), ['192.0.2.1']);
    assert.deepEqual(warned('postgres://192.0.2.1:1/cards?sslmode=require'), ['192.0.2.1']);
    const replica = { databaseReplica: 'postgres://192.0.2.2:1/cards' };
    assert.deepEqual(warned(`postgres://192.0.2.1:1/cards${TLS}`, replica), ['192.0.2.2']);
  });

  it('says who need not follow the warning', () => {
    const config = readConfig({ database: 'postgres://database/cards' }, {});
    const [found] = checkExposure({ config, isContainer: true });
    assert.match(found?.fix ?? '', /^Add sslmode=verify-full.* Containers on one machine do not/);
  });

  it('does not warn of one with it, or on this machine', () => {
    for (const url of [
      `postgres://192.0.2.1:1/cards${TLS}`,
      'postgres://127.0.0.1:1/cards',
      'postgres://[::1]:1/cards',
      'postgres:///cards?host=/var/run/none',
    ]) {
      assert.deepEqual(warned(url), [], url);
    }
  });
});

forEachEngine((label) => {
  it('warns of operators without a second factor, once others can reach the service', async () => {
    const location = await database(label, async (store) => {
      await addOperator(store, 'bob@shop.example');
      await addOperator(store, 'ann@shop.example', null);
      await addOperator(store, 'eve@shop.example', 1);
      await store.accounts.db
        .insertInto('accounts')
        .values({ email: 'visitor@shop.example', plan: 'free', created_at: 1 })
        .execute();
    });
    const says = 'Operators without a second factor: ann@shop.example, bob@shop.example.';
    const exposed = await examined(location, { publicUrl: URL_OF_SHOP });
    const found = exposed.find((one) => one.says === says);
    assert.match(found?.fix ?? '', /passkey on \*Account\*\. CARDPRICE_OPERATOR_SECOND_FACTOR=on/);
    const required = { publicUrl: URL_OF_SHOP, operatorSecondFactor: 'on' };
    const [still] = (await examined(location, required)).filter((one) => one.says === says);
    assert.equal(still?.fix, 'Add an authenticator app or a passkey on *Account*.');
    assert.ok(!(await problems(location, {})).includes(says));
  });

  it('warns until a backup is made, and again a week later', async () => {
    const location = await database(label);
    const hasWarned = async () => (await problems(location, {})).some((one) => NO_BACKUP.test(one));
    assert.equal(await hasWarned(), true);
    const store = await openStore(location);
    const record = (daysAgo: number) => {
      const clock = () => store.clock() - daysAgo * MS_PER_DAY;
      return new AuditLog(store, clock).record('backed-up', COMMAND_LINE);
    };
    await record(8);
    assert.equal(await hasWarned(), true);
    await store.close();
    const args = ['--database', location, 'backup', '--output', temporaryFolder()];
    const { code, err } = await run(args);
    assert.deepEqual([code, err], [0, '']);
    assert.equal(await hasWarned(), false);
  });
});

describe('doctor reads the certificates of', () => {
  const folder = temporaryFolder();
  const pem = (name: string) => readFileSync(join(folder, name), 'utf8');

  before(() => {
    for (const days of [3, 90]) {
      const names = ['-keyout', join(folder, `${days}.key`), '-out', join(folder, `${days}.crt`)];
      const made = ['req', '-x509', '-newkey', 'rsa:2048', '-noenc', '-subj', '/CN=localhost'];
      const args = [...made, '-days', String(days), ...names];
      execFileSync('openssl', args, { stdio: 'ignore' });
    }
  });

  /** Starts a server with a certificate for some days, and returns its port. */
  async function listen(days: number, isPostgres: boolean): Promise<number> {
    const tls = { key: pem(`${days}.key`), cert: pem(`${days}.crt`) };
    const server = isPostgres
      ? createServer((socket) => {
          socket.on('error', () => {});
          socket.once('data', (first) => {
            // Whoever does not ask for TLS would wait for an answer.
            if (first.equals(SSL_REQUEST)) {
              socket.write('S');
              new TLSSocket(socket, { ...tls, isServer: true }).on('error', () => {});
            } else socket.destroy();
          });
        })
      : createTlsServer(tls).on('tlsClientError', () => {});
    server.listen(0, '127.0.0.1');
    cleanUp(() => server.close());
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  async function certificateOf(flags: Flags & { readonly database?: string }) {
    const missing = join(temporaryFolder(), 'none.db');
    const found = await examined(flags.database ?? missing, { database: missing, ...flags });
    return found.filter(({ about }) => about === 'certificates');
  }

  const CERTIFICATES = [
    [3, 'warning', 'Renew it, and check that it is renewed by itself.'],
    [90, 'good', ''],
  ] as const;
  for (const [days, state, fix] of CERTIFICATES) {
    for (const isPostgres of [false, true]) {
      const server = isPostgres ? 'a PostgreSQL server' : 'the service';
      it(`${server}: one that ends in ${days} days is ${state}`, async () => {
        const port = await listen(days, isPostgres);
        const [found, ...more] = await certificateOf(
          isPostgres
            ? { database: `postgres://ann:S3CRET@127.0.0.1:${port}/cards` }
            : { publicUrl: `https://127.0.0.1:${port}` },
        );
        const end = new Date(Date.now() + days * MS_PER_DAY).toISOString().slice(0, 10);
        const says = `The certificate of 127.0.0.1 ends on ${end}.`;
        assert.deepEqual(found, { about: 'certificates', state, says, fix });
        assert.deepEqual(more, []);
      });
    }
  }

  it('PostgreSQL in files that its URLs name, the first end of each', async () => {
    const file = (name: string, ...days: number[]) => {
      const path = join(folder, name);
      writeFileSync(path, days.map((one) => pem(`${one}.crt`)).join(''));
      return path;
    };
    const url = (sslcert: string, sslrootcert: string) => {
      const parameters = new URLSearchParams({ sslmode: 'verify-full', sslcert, sslrootcert });
      return `postgres://127.0.0.1:1/cards?${parameters}`;
    };
    const [own, ca, replica] = [file('own.crt', 3), file('ca.crt', 90, 3), file('replica.crt', 90)];
    const missing = join(folder, 'missing.crt');
    const found = await certificateOf({
      database: url(own, ca),
      databaseReplica: url(replica, missing),
    });
    const states = found.map(({ says, state }) => [says.split(' ')[3], state]);
    assert.deepEqual(states, [
      [own, 'warning'],
      [ca, 'warning'],
      [replica, 'good'],
    ]);
  });

  it('no server that cannot be reached, or that does not use TLS', async () => {
    const port = await vacantPort();
    assert.deepEqual(await certificateOf({ publicUrl: `https://127.0.0.1:${port}` }), []);
    assert.deepEqual(await certificateOf({ publicUrl: `http://127.0.0.1:${port}` }), []);
    const { location, remove } = await createDatabase('PostgreSQL');
    cleanUp(remove);
    assert.deepEqual(await certificateOf({ database: location }), []);
  });
});
