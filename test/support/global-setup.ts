import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { buildMain } from './main-module.ts';

/** The variable with the port where the processes of a test run request PostgreSQL. */
const PORT_VARIABLE = 'TEST_POSTGRES_PORT';

/** A database with the current schema. Copying it is faster than migrating in every test. */
export const TEMPLATE = 'cardprice_template';

let broker: Server | undefined;
let postgres: ChildProcess | undefined;
let started: Promise<string> | undefined;

/**
 * Builds the program of a test run and prepares its PostgreSQL server. The server starts only when
 * a test needs it, because starting takes seconds. `node --test` calls this function before any
 * test file.
 */
export async function globalSetup(): Promise<void> {
  process.env.TEST_MAIN ??= buildMain();
  broker = createServer((socket) => {
    started ??= startPostgres();
    started.then(
      (url) => socket.end(url),
      () => socket.destroy(),
    );
  });
  broker.listen(0, '127.0.0.1');
  await once(broker, 'listening');
  process.env[PORT_VARIABLE] = String((broker.address() as AddressInfo).port);
}

/** Stops the server and removes its files. `node --test` calls this after the last test file. */
export async function globalTeardown(): Promise<void> {
  broker?.close();
  if (!postgres || postgres.exitCode !== null) return;
  const exited = once(postgres, 'exit');
  if (postgres.connected) postgres.disconnect();
  await exited;
}

/** Starts PostgreSQL if necessary. Returns its URL, with a user that may create databases. */
export async function postgresUrl(): Promise<string> {
  const port = Number(process.env[PORT_VARIABLE]);
  if (!port) {
    throw new Error(
      'No PostgreSQL server for the tests: run `npm test`, or node with ' +
        '--test --test-global-setup=test/support/global-setup.ts',
    );
  }
  const url = await text(connect(port, '127.0.0.1'));
  if (url === '') throw new Error('PostgreSQL for the tests did not start.');
  return url;
}

async function startPostgres(): Promise<string> {
  // Without this, the child would inherit --test and start its own server as a test run.
  const child = fork(new URL('postgres.ts', import.meta.url), { execArgv: [] });
  postgres = child;
  const url = await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('error', reject);
    child.once('exit', () => reject(new Error('PostgreSQL for the tests did not start.')));
  });
  return String(url);
}
