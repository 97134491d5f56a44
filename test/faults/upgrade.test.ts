import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Service } from '../support/app.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually, Program, run, type Surroundings } from '../support/cli.ts';
import { createDatabase } from '../support/engines.ts';
import { RisingPrices } from './support/rising-prices.ts';
import { Rotation } from './support/rotation.ts';
import { versionAfter } from './support/versions.ts';

const ACCOUNTS = 5;
const REQUESTS_A_SECOND = 60;

/** How long requests meet each mixture of versions at least, in milliseconds. */
const MIXED_MS = 500;

/** Settings of a node for the load; it reports for a second that it is stopping. */
const ENV = {
  CARDPRICE_KEY_BURST: 'off',
  CARDPRICE_ADDRESS_BURST: 'off',
  CARDPRICE_DRAIN_SECONDS: '1',
};

const CARD = '/v1/cards/pokemon-bs-charizard-004';
const PATHS = [
  ...['/v1/games', '/v1/sets', '/v1/movers?window=1d', '/v1/search?q=charizard'],
  ...[CARD, `${CARD}/history?period=7d`, `${CARD}/explain`, '/v1/marketplace-changes'],
];

/** A database with a catalogue, and what some accounts ask for. */
async function prepared() {
  const { location, remove } = await createDatabase('PostgreSQL');
  cleanUp(remove);
  const prices = new RisingPrices();
  await prices.import(location);
  const service = await Service.open(location, {}, { now: Date.now() });
  cleanUp(() => service.close());
  const callers = await Promise.all(Array.from({ length: ACCOUNTS }, () => service.caller()));
  const asked = PATHS.flatMap((path) => callers.map(({ key }) => ({ path, key })));
  const used = async () => {
    const rows = await service.store.accounts.db.selectFrom('usage').select('used').execute();
    return rows.reduce((sum, row) => sum + row.used, 0);
  };
  return { location, prices, asked, used };
}

async function revisionOf(url: string): Promise<number> {
  const ready = (await (await fetch(`${url}/readyz`)).json()) as {
    readonly publication: { readonly revision: number };
  };
  return ready.publication.revision;
}

it('an upgrade to the next version fails no request, and charges each once', {
  timeout: 110_000,
}, async () => {
  const { location, prices, asked, used } = await prepared();
  const next: Surroundings = { command: versionAfter() };
  const rotation = new Rotation();
  const serve = async (version: Surroundings = {}) => {
    const args = ['--database', location, 'serve', '--port', '0'];
    const node = new Program(args, { ...version, env: ENV });
    const url = await node.listening();
    await rotation.add(url);
    return { node, url };
  };
  const cardpriceNext = async (...args: readonly string[]) => {
    const { code, out, err } = await run(['--database', location, ...args], next);
    assert.equal(code, 0, err);
    return out;
  };
  const [first, second] = await Promise.all([serve(), serve()]);
  const before = await revisionOf(first.url);
  rotation.start(asked, REQUESTS_A_SECOND);
  await sleep(MIXED_MS);

  const migrated = await cardpriceNext('migrate');
  assert.equal(migrated.match(/^Ran 9000-wider$/gm)?.length, 2);
  await sleep(MIXED_MS);
  assert.equal((await first.node.send('SIGTERM').ended()).code, 0);
  const third = await serve(next);
  // The next version publishes, and this version serves the publication.
  await cardpriceNext('import', 'tcgcsv', prices.rise().folder);
  for (const { url } of [second, third]) {
    await eventually(async () => (await revisionOf(url)) === before + 1);
  }
  assert.equal((await second.node.send('SIGTERM').ended()).code, 0);
  await serve(next);
  await sleep(MIXED_MS);

  await rotation.stop();
  assert.deepEqual(rotation.failures, []);
  assert.equal(await used(), rotation.answered);
});
