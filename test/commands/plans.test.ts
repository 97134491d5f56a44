import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { run, temporaryFolder } from '../support/cli.ts';

/** Runs command lines one after the other on one new database; returns what each said. */
async function runAll(...lines: string[]): Promise<{ out: string; err: string; code: number }[]> {
  const database = join(temporaryFolder(), 'plans.db');
  await run(['--database', database, 'migrate']);
  const results = [];
  for (const line of lines) {
    const { out, err, code } = await run(['--database', database, ...line.split(' ')]);
    results.push({ out, err, code: Number(code) });
  }
  return results;
}

it('makes, changes, lists and deletes plans', async () => {
  const [made, changed, listed, table, deleted, left] = await runAll(
    'plan create own-shop --daily unlimited --features all',
    'plan set free --daily 500 --features history,batch --history-days 30 --burst 3/1s ' +
      '--how-to-get ann@shop.example',
    'plan list --json',
    'plan list',
    'plan delete own-shop',
    'plan list --json',
  );
  assert.equal(made?.out, 'Created the plan own-shop: unlimited requests a day.\n');
  assert.equal(changed?.out, 'Now the plan free: 500 requests a day.\n');
  const plans = JSON.parse(listed?.out ?? '') as { name: string }[];
  assert.deepEqual(plans[0], {
    name: 'free',
    label: 'free',
    price: 0,
    dailyRequests: 500,
    historyDays: 30,
    burst: { requests: 3, seconds: 1 },
    features: ['history', 'batch'],
    alerts: 100,
    howToGet: 'ann@shop.example',
  });
  assert.match(
    table?.out ?? '',
    /^own-shop +own-shop +0\.00 +unlimited +none +all +100 +history, b/m,
  );
  assert.equal(deleted?.out, 'Deleted the plan own-shop.\n');
  assert.equal((JSON.parse(left?.out ?? '') as unknown[]).length, 3);
});

it('lets the pages of a new plan show a month of history, or all with the feature', async () => {
  const [, , , listed] = await runAll(
    'plan create hobby --daily 5',
    'plan create shop --daily 6 --features history',
    'plan create week --daily 7 --history-days 7',
    'plan list --json',
  );
  const plans = JSON.parse(listed?.out ?? '') as { name: string; historyDays: number | null }[];
  const days = Object.fromEntries(plans.map(({ name, historyDays }) => [name, historyDays]));
  assert.deepEqual(days, {
    free: 30,
    hobby: 30,
    shop: null,
    week: 7,
    trader: null,
    business: null,
  });
});

it('explains errors in a plan or a limit', async () => {
  const wrong = {
    'plan create Gold --daily 5': /"Gold" cannot be the name of a plan/,
    'plan create gold': /A plan needs --daily/,
    'plan create gold --daily -5': /--daily "-5" is not allowed; it must be a whole number/,
    'plan create gold --daily 5 --price 1.999': /--price "1.999" is not allowed/,
    'plan create gold --daily 5 --burst fast': /--burst "fast" is not allowed/,
    'plan create gold --daily 5 --features magic': /--features "magic" is not allowed/,
    'plan create free --daily 5': /already a plan "free".*plan set free/,
    'plan set free': /Nothing to change/,
    'plan set gold --daily 5': /There is no plan "gold". The plans are free, trader, business/,
    'plan delete free': /New accounts get the plan "free"/,
    'account create --email ann@shop.example --plan gold': /There is no plan "gold"/,
  };
  const results = await runAll(...Object.keys(wrong));
  for (const [index, message] of Object.values(wrong).entries()) {
    assert.match(results[index]?.err ?? '', message);
    assert.equal(results[index]?.code, 1);
  }
});

it('keeps a plan that accounts have, and overrides limits of an account', async () => {
  const [, , refused, limited, listed, back] = await runAll(
    'plan create hobby --daily 1000',
    'account create --email ann@shop.example --plan hobby',
    'plan delete hobby',
    'account set-limits ann@shop.example --daily unlimited',
    'account list',
    'account set-limits ann@shop.example',
  );
  assert.match(refused?.err ?? '', /Accounts have the plan hobby, so it has to stay/);
  assert.equal(limited?.out, 'Now ann@shop.example on the plan hobby, unlimited requests a day.\n');
  assert.match(listed?.out ?? '', /ann@shop\.example +hobby +0 of unlimited/);
  assert.equal(back?.out, 'Now ann@shop.example on the plan hobby, 1,000 requests a day.\n');
});

it('lists what accounts used in a month, for people and for programs', async () => {
  const month = new Date().toISOString().slice(0, 7);
  const [, table, csv, json, wrong] = await runAll(
    'account create --email ann@shop.example --plan trader',
    'usage',
    `usage --month ${month} --format csv`,
    'usage --json',
    'usage --month 2026-13',
  );
  assert.match(table?.out ?? '', /^ann@shop\.example +trader +14\.99 +0 +0 +0$/m);
  assert.match(csv?.out ?? '', /\n1,ann@shop\.example,trader,14\.99,0,0,,0,,no\n$/);
  const [usage] = JSON.parse(json?.out ?? '') as { requests: number }[];
  assert.equal(usage?.requests, 0);
  assert.match(wrong?.err ?? '', /--month "2026-13" is not a month YYYY-MM/);
});
