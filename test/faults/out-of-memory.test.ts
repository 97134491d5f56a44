import assert from 'node:assert/strict';
import { it } from 'node:test';
import { cleanUp } from '../support/cleanup.ts';
import { eventually, Program, run } from '../support/cli.ts';
import { createDatabase, createMigratedDatabase } from '../support/engines.ts';
import { keyFor, Reader, RisingPrices } from './support/rising-prices.ts';
import { Serving } from './support/serving.ts';

/** Enough for the program, in megabytes, and not for a group with so many more prices. */
const HEAP = { NODE_OPTIONS: '--max-old-space-size=72' };
const MORE_PRICES = 400_000;

/** Of a product that is in no set, so that they are nothing but large. */
const PRICE = { productId: 1, subTypeName: 'Normal', lowPrice: 1, midPrice: 2, marketPrice: 2 };

/** Of all groups, imports read this one last but one. */
const GROUP = '79/79900005';

it('an import without enough memory changes nothing, and can be repeated with more', {
  timeout: 240_000,
}, async () => {
  const { location, remove } = await createDatabase('SQLite');
  cleanUp(remove);
  const prices = new RisingPrices();
  assert.equal((await prices.import(location)).code, 0);
  const serving = await Serving.start(location);
  const reader = await Reader.of(serving.url, await keyFor(location), location);
  prices.rise().edit(GROUP, (own) => [...own, ...Array(MORE_PRICES).fill(PRICE)]);

  const args = ['--database', location, 'import', 'tcgcsv', prices.folder];
  const failed = await new Program(args, { env: HEAP }).ended();
  assert.notEqual(failed.code, 0);
  assert.match(failed.err, /heap out of memory/);

  await reader.readOnce();
  assert.deepEqual([reader.wrong, reader.step], [[], 0]);

  prices.edit(GROUP, (all) => all.slice(0, -MORE_PRICES));
  const { code, err } = await prices.import(location);
  assert.equal(code, 0, err);
  await eventually(async () => {
    await reader.readOnce();
    return reader.step === prices.step;
  });
  assert.deepEqual(reader.wrong, []);
  assert.equal((await run(['--database', location, 'history', 'check'])).code, 0);
});

it('a service says that its sync ran out of memory', { timeout: 240_000 }, async () => {
  const { location, remove } = await createMigratedDatabase('SQLite');
  cleanUp(remove);
  const prices = new RisingPrices();
  prices.edit(GROUP, (own) => [...own, ...Array(MORE_PRICES).fill(PRICE)]);
  const sync = { CARDPRICE_SYNC: 'tcgcsv', CARDPRICE_SYNC_FROM: `tcgcsv=${prices.folder}` };
  const serving = await Serving.start(location, { flags: ['--sync'], env: { ...HEAP, ...sync } });
  await eventually(() => serving.errors.some(({ msg }) => msg === 'sync failed'));
  const { reason } = serving.errors.find(({ msg }) => msg === 'sync failed') ?? {};
  assert.match(String(reason), /^It ran out of memory/);
  assert.equal((await fetch(`${serving.url}/healthz`)).status, 200);
});
