import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Accounts } from '../../src/accounts/accounts.ts';
import { AccountKeys } from '../../src/accounts/keys/account-keys.ts';
import { openStore } from '../../src/store/connect.ts';
import { importFixtures } from '../support/app.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createDatabase, forEachEngine } from '../support/engines.ts';
import { rounds } from './support/length.ts';
import { Serving } from './support/serving.ts';

const CONNECTIONS = 64;
/** Requests a day of the plan `free`. */
const QUOTA = 200;

forEachEngine((label) => {
  it('64 connections over two workers spend quotas exactly', { timeout: 240_000 }, async () => {
    const { location, remove } = await createDatabase(label);
    cleanUp(remove);
    await importFixtures(location);
    const keys = await makeKeys(location, rounds(3, 30));
    const env = { CARDPRICE_BURST: 'free=10000/1s' };
    const { url } = await Serving.start(location, { flags: ['--workers', '2'], env });
    for (const key of keys) {
      const statuses = await spend(url, key);
      const count = (status: number) => statuses.filter((one) => one === status).length;
      assert.deepEqual([count(200), count(429)], [QUOTA, statuses.length - QUOTA]);
    }
  });
});

async function makeKeys(location: string, count: number): Promise<string[]> {
  const store = await openStore(location);
  const keys: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const email = `free-${index}@shop.example`;
    await new Accounts(store, Date.now).create(email, 'free');
    keys.push((await new AccountKeys(store, Date.now).create(email)).key);
  }
  await store.close();
  return keys;
}

/** Requests on every connection until the quota is used up. Returns the status of each answer. */
async function spend(url: string, key: string): Promise<number[]> {
  const statuses: number[] = [];
  const ask = async () => {
    for (let time = 0; time < 8; time += 1) {
      const answer = await fetch(`${url}/v1/games`, { headers: { 'x-api-key': key } });
      await answer.arrayBuffer();
      statuses.push(answer.status);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, ask));
  return statuses;
}
