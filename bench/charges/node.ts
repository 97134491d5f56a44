/**
 * A process that identifies and charges as a node does, forked by bench/charges.ts with a `Load` as
 * its argument. It runs on each message, and sends how long its requests took.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Authenticator } from '../../src/accounts/keys/authenticator.ts';
import { openStore } from '../../src/store/connect.ts';

/** What one process does. */
export interface Load {
  readonly database: string;
  readonly keys: readonly string[];
  readonly perSecond: number;
  readonly seconds: number;
}

const { database, keys, perSecond, seconds } = JSON.parse(process.argv[2] ?? '') as Load;
const store = await openStore(database);
const authenticator = new Authenticator(store, Date.now);
process.on('message', async () => process.send?.(await run()));
process.once('disconnect', () => store.close());
process.send?.([]);

/** Sends requests at a rate that does not wait for answers; returns their times in ms. */
async function run(): Promise<number[]> {
  const times: number[] = [];
  const pending: Promise<void>[] = [];
  const begun = performance.now();
  for (let elapsed = 0; elapsed < seconds * 1000; elapsed = performance.now() - begun) {
    while (pending.length < (elapsed / 1000) * perSecond) pending.push(request(times));
    await sleep(1);
  }
  await Promise.all(pending);
  return times;
}

async function request(times: number[]): Promise<void> {
  const from = performance.now();
  const key = keys[Math.floor(Math.random() * keys.length)] ?? '';
  const caller = await authenticator.identify(key);
  if (!caller) throw new Error('A key of the measurement does not work.');
  await authenticator.charge(caller);
  times.push(performance.now() - from);
}
