/**
 * Measures charges of accounts that all have one limit, and of accounts with a limit each, in turns
 * on SQLite and PostgreSQL. It exits with 1 if different limits cost more than a tenth.
 *
 *     node bench/quotas.ts                 # about a minute
 *
 * Options: --accounts N (40); --rounds N of each kind (9); --seconds N of each round (1).
 */
import { parseArgs } from 'node:util';
import { Accounts } from '../src/accounts/accounts.ts';
import { AccountKeys } from '../src/accounts/keys/account-keys.ts';
import { Authenticator } from '../src/accounts/keys/authenticator.ts';
import { openStore, type Store } from '../src/store/connect.ts';
import { createMigratedDatabase, type EngineLabel } from '../test/support/engines.ts';
import { globalSetup, globalTeardown } from '../test/support/global-setup.ts';

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '40' },
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '1' },
  },
});

/** The share of the charges of one limit that different limits reach at least. */
const GOAL = 0.9;
const LIMIT = 100_000_000;

await globalSetup();
try {
  for (const label of ['SQLite', 'PostgreSQL'] as const) await measure(label);
} finally {
  await globalTeardown();
}

async function measure(label: EngineLabel): Promise<void> {
  const { location, remove } = await createMigratedDatabase(label);
  const store = await openStore(location);
  try {
    const count = Number(values.accounts);
    const one = await makeKeys(store, Array(count).fill(LIMIT));
    const own = await makeKeys(
      store,
      Array.from({ length: count }, (_, index) => LIMIT + index),
    );
    report(label, count, await compare(store, one, own));
  } finally {
    await store.close();
    await remove();
  }
}

/** Makes one account for each daily limit, and returns their API keys. */
async function makeKeys(store: Store, limits: readonly number[]): Promise<string[]> {
  const accounts = new Accounts(store, Date.now);
  const keys = new AccountKeys(store, Date.now);
  const made: string[] = [];
  for (const [index, dailyRequests] of limits.entries()) {
    const email = `bench-${limits.at(-1)}-${index}@shop.example`;
    await accounts.create(email, 'business');
    await accounts.setLimits(email, { dailyRequests });
    made.push((await keys.create(email)).key);
  }
  return made;
}

/** Charges a second, of each round. */
interface Rates {
  readonly one: readonly number[];
  readonly own: readonly number[];
}

async function compare(
  store: Store,
  one: readonly string[],
  own: readonly string[],
): Promise<Rates> {
  const authenticator = new Authenticator(store, Date.now);
  const rates: { one: number[]; own: number[] } = { one: [], own: [] };
  for (const keys of [one, own]) await chargeAll(authenticator, keys);
  for (let round = 0; round < Number(values.rounds); round += 1) {
    rates.one.push(await chargeAll(authenticator, one));
    rates.own.push(await chargeAll(authenticator, own));
  }
  return rates;
}

/** Identifies and charges every key as often as the store allows; returns charges a second. */
async function chargeAll(authenticator: Authenticator, keys: readonly string[]): Promise<number> {
  let charged = 0;
  const begun = performance.now();
  const end = begun + Number(values.seconds) * 1000;
  const chargeInTurn = async (key: string) => {
    while (performance.now() < end) {
      const caller = await authenticator.identify(key);
      if (!caller) throw new Error('A key of the measurement does not work.');
      if ((await authenticator.charge(caller)).granted) charged += 1;
    }
  };
  await Promise.all(keys.map(chargeInTurn));
  return (charged * 1000) / (performance.now() - begun);
}

function report(label: EngineLabel, accounts: number, { one, own }: Rates): void {
  const ratio = median(own.map((rate, round) => rate / (one[round] ?? 0)));
  const shown = [median(one), median(own)].map((rate) => Math.round(rate));
  console.log(
    `${label}: ${accounts} accounts with one limit ${shown[0]}/s, with a limit each ${shown[1]}/s: ` +
      `${ratio.toFixed(2)} (goal ${GOAL})`,
  );
  if (ratio < GOAL) process.exitCode = 1;
}

function median(all: readonly number[]): number {
  return all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
}
