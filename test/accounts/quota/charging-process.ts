/**
 * A process that shares accounts with others:
 * `charging-process.ts <database> <keys> <requests> <costs>` charges each of the keys the costs in
 * turn. Keys and costs are JSON lists. Prints the charges of each key.
 */
import { Authenticator } from '../../../src/accounts/keys/authenticator.ts';
import { openStore } from '../../../src/store/connect.ts';
import { type CostedCharge, chargeCosts, FixedClock, identified } from '../fixtures.ts';

const [location = '', listedKeys = '[]', requests = '0', listedCosts = '[1]'] =
  process.argv.slice(2);
const turn = JSON.parse(listedCosts) as number[];
const costs = Array.from(
  { length: Number(requests) },
  (_, index) => turn[index % turn.length] ?? 1,
);
const store = await openStore(location);
const authenticator = new Authenticator(store, new FixedClock().read);
const keys = JSON.parse(listedKeys) as string[];
process.stdout.write(JSON.stringify(await Promise.all(keys.map(chargeKey))));
await store.close();

async function chargeKey(key: string): Promise<CostedCharge[]> {
  const caller = await identified(authenticator, key);
  const charges: CostedCharge[] = [];
  for (let start = 0; start < costs.length; start += 10) {
    charges.push(...(await chargeCosts(authenticator, caller, costs.slice(start, start + 10))));
  }
  return charges;
}
