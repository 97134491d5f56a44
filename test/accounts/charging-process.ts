/** A process that shares an account with others: `charging-process.ts <database> <key> <requests>`. */
import { Authenticator } from '../../src/accounts/authenticator.ts';
import { openStore } from '../../src/store/connect.ts';
import { chargeTogether, FixedClock, identified } from './fixtures.ts';

const [location = '', key = '', requests = '0'] = process.argv.slice(2);
const store = await openStore(location);
const authenticator = new Authenticator(store, new FixedClock().read);
const caller = await identified(authenticator, key);
const remaining: number[] = [];
for (let left = Number(requests); left > 0; left -= 10) {
  const charges = await chargeTogether(authenticator, caller, Math.min(left, 10));
  remaining.push(...charges.filter((charge) => charge.granted).map((charge) => charge.remaining));
}
await store.close();
process.stdout.write(JSON.stringify(remaining));
