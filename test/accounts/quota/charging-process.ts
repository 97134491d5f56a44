/**
 * A process that shares an account with others:
 * `charging-process.ts <database> <key> <requests> <costs>` charges the costs, a JSON list, in
 * turn.
 */
import { Authenticator } from '../../../src/accounts/keys/authenticator.ts';
import { openStore } from '../../../src/store/connect.ts';
import { chargeCosts, FixedClock, identified } from '../fixtures.ts';

const [location = '', key = '', requests = '0', listed = '[1]'] = process.argv.slice(2);
const turn = JSON.parse(listed) as number[];
const costs = Array.from(
  { length: Number(requests) },
  (_, index) => turn[index % turn.length] ?? 1,
);
const store = await openStore(location);
const authenticator = new Authenticator(store, new FixedClock().read);
const caller = await identified(authenticator, key);
const charges = [];
for (let start = 0; start < costs.length; start += 10) {
  charges.push(...(await chargeCosts(authenticator, caller, costs.slice(start, start + 10))));
}
await store.close();
process.stdout.write(JSON.stringify(charges));
