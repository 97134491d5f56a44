import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** The variable with the URL of the PostgreSQL server, whose user may create databases. */
export const POSTGRES_VARIABLE = 'TEST_POSTGRES_URL';

/** A database with the current schema. Copying it is faster than migrating for every test. */
export const TEMPLATE = 'cardprice_template';

let server: ChildProcess | undefined;

/** Starts the one PostgreSQL server of a test run. `node --test` calls it before any test file. */
export async function globalSetup(): Promise<void> {
  // Without this the child would inherit --test and, as a test run, start a server of its own.
  const child = fork(new URL('postgres.ts', import.meta.url), { execArgv: [] });
  server = child;
  process.env[POSTGRES_VARIABLE] = await new Promise((resolve, reject) => {
    child.once('message', (url) => resolve(String(url)));
    child.once('error', reject);
    child.once('exit', () => reject(new Error('PostgreSQL for the tests did not start.')));
  });
}

/** Stops the server and removes its files. `node --test` calls it after the last test file. */
export async function globalTeardown(): Promise<void> {
  if (!server || server.exitCode !== null) return;
  const exited = once(server, 'exit');
  if (server.connected) server.disconnect();
  await exited;
}
