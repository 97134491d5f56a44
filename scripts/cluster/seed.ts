import pg from 'pg';
import { Accounts } from '../../src/accounts/accounts.ts';
import { AccountKeys } from '../../src/accounts/keys/account-keys.ts';
import { importStarter, importStarterQuotes } from '../../src/commands/starter.ts';
import { packageFile } from '../../src/lib/package-file.ts';
import { readPublication } from '../../src/store/catalogue/publications.ts';
import { openStore } from '../../src/store/connect.ts';

/** Creates the database of the nodes and its owner, unless they exist. */
export async function createDatabase(superuserUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query(`select from pg_database where datname = 'cardprice'`);
    if (rowCount !== 0) return;
    await client.query('create role cardprice login');
    await client.query('create database cardprice owner cardprice');
  } finally {
    await client.end();
  }
}

/** Fills an empty database with the starter catalogue. */
export async function fillDatabase(url: string): Promise<void> {
  const store = await openStore(url);
  try {
    const { revision } = await readPublication(store.db);
    if (revision > 0) return;
    const folder = packageFile('data/starter/');
    await importStarter(store, folder, Date.now);
    await importStarterQuotes(store, folder, Date.now);
  } finally {
    await store.close();
  }
}

/** Creates an account on the largest plan for everybody to try, with a new API key. */
export async function createDemoKey(url: string): Promise<string> {
  const store = await openStore(url);
  try {
    const email = `demo-${Date.now()}@example.com`;
    await new Accounts(store, Date.now).create(email, 'business');
    const { key } = await new AccountKeys(store, Date.now).create(email, { name: 'demo' });
    return key;
  } finally {
    await store.close();
  }
}
