/**
 * Measures a cluster on this machine: requests and processor time with 1, 2 and 3 nodes, a charge
 * with and without synchronous replication, and one account that wants far more than others.
 *
 *     node bench/cluster.ts                # needs what `npm run cluster` needs, about 4 minutes
 *
 * Options: --seconds N of each measurement (10); --hot N requests a second (20000).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Cluster } from '../scripts/cluster/cluster.ts';
import { Accounts } from '../src/accounts/accounts.ts';
import { AccountKeys } from '../src/accounts/keys/account-keys.ts';
import { UNLIMITED } from '../src/domain/plans.ts';
import { openStore } from '../src/store/connect.ts';
import { COMMITS, chargeHot, chargeInTurn } from './cluster/charges.ts';
import { measureNodes } from './cluster/nodes.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    hot: { type: 'string', default: '20000' },
  },
});
const seconds = Number(values.seconds);
const MOST_NODES = 3;
const KEYS = 20;

/** One client sends what no honest one does; the limits are counted all the same. */
const NODE_ENV = {
  CARDPRICE_KEY_BURST: '999999/1s',
  CARDPRICE_ADDRESS_BURST: '999999/1s',
  CARDPRICE_LOG_LEVEL: 'warn',
};

for (let nodes = 1; nodes <= MOST_NODES; nodes += 1) {
  await withCluster(nodes, async (cluster, folder) => {
    const keys = await makeKeys(cluster.database);
    const path = await someCard(cluster.url, keys[0] ?? '');
    await measureNodes(cluster, folder, { keys, path, seconds });
    print(await measureNodes(cluster, folder, { keys, path, seconds }));
    if (nodes === MOST_NODES) await measureCharges(cluster.database, keys[0] ?? '');
  });
}

async function withCluster(
  nodes: number,
  work: (cluster: Cluster, folder: string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'cardprice-cluster-bench-'));
  const cluster = await Cluster.start({ folder, nodes, env: NODE_ENV });
  try {
    await work(cluster, folder);
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureCharges(database: string, key: string): Promise<void> {
  for (const commit of COMMITS) {
    print({ commit, ...(await chargeInTurn(database, key, commit, seconds)) });
  }
  const perSecond = Number(values.hot);
  for (const processes of [1, MOST_NODES]) {
    for (const commit of COMMITS) {
      const heat = { processes, perSecond, seconds, commit };
      print({ processes, commit, ...(await chargeHot(database, key, heat)) });
    }
  }
}

/** Accounts without a quota, with a key each. */
async function makeKeys(database: string): Promise<string[]> {
  const store = await openStore(database);
  const keys: string[] = [];
  for (let index = 0; index < KEYS; index += 1) {
    const email = `bench-${index}@example.com`;
    const accounts = new Accounts(store, Date.now);
    await accounts.create(email, 'business');
    await accounts.setLimits(email, { dailyRequests: UNLIMITED });
    keys.push((await new AccountKeys(store, Date.now).create(email)).key);
  }
  await store.close();
  return keys;
}

async function someCard(url: string, key: string): Promise<string> {
  const answer = await fetch(`${url}/v1/search?q=charizard`, { headers: { 'x-api-key': key } });
  const { data } = (await answer.json()) as { data: readonly { id: string }[] };
  return `/v1/cards/${data[0]?.id}`;
}

function print(measured: object): void {
  console.log(JSON.stringify(measured));
}
