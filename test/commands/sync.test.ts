import assert from 'node:assert/strict';
import { getPriority, hostname } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { formatMoment } from '../../src/domain/day.ts';
import { freeImportLock, takeImportLock } from '../../src/store/catalogue/imports.ts';
import { openStore } from '../../src/store/connect.ts';
import { eventually, Program, run, temporaryFolder } from '../support/cli.ts';
import { createDatabase, type EngineLabel, forEachEngine } from '../support/engines.ts';
import { folderOf } from '../support/syncing.ts';
import { TreeCopy } from '../support/tcgcsv.ts';
import { type Answer, file, status, Upstream } from '../support/upstream.ts';

async function freshDatabase(label: EngineLabel = 'SQLite'): Promise<string> {
  const { location, remove } = await createDatabase(label);
  after(remove);
  return location;
}

/** An upstream that serves the fixture as TCGCSV of this moment. */
async function tcgcsv() {
  const tree = new TreeCopy().observed(new Date().toISOString());
  const upstream = (await Upstream.open()).otherwise(folderOf(tree.folder));
  return { tree, upstream };
}

/** A database with the settings that sync it with an upstream. */
function syncing(database: string, upstream: Upstream, more: Record<string, string> = {}) {
  const env = {
    CARDPRICE_DATABASE: database,
    CARDPRICE_SYNC_FROM: `tcgcsv=${upstream.url},scryfall=${upstream.url}/scryfall`,
    ...more,
  };
  return (...args: readonly string[]) => run(args, { env });
}

describe('cardprice sync', () => {
  it('prints the outcome of each source, and fails when one source failed', async () => {
    const { upstream } = await tcgcsv();
    const cardprice = syncing(await freshDatabase(), upstream, {
      CARDPRICE_SYNC: 'scryfall,tcgcsv',
    });
    const first = await cardprice('sync');
    assert.equal(first.code, 1, first.err);
    const [backbone, scryfall] = first.out.split('\n');
    assert.match(
      String(backbone),
      /^tcgcsv +imported +\d+ prices changed, as of 20.+Z \(\d+ requests/,
    );
    assert.match(
      String(scryfall),
      /^scryfall +failed +There is no http.*\/scryfall\/bulk-data \(404\)/,
    );

    const second = await cardprice('sync', '--source', 'tcgcsv');
    assert.deepEqual([second.code, second.err], [0, '']);
    assert.match(second.out, /^tcgcsv +unchanged +nothing new \(1 request, /);
  });

  it('prints the same as JSON, and ends with 3 when parts were broken', async () => {
    const { upstream } = await tcgcsv();
    upstream.on('/tcgplayer/1/1900012/prices', file('{"success":true'));
    const cardprice = syncing(await freshDatabase(), upstream);
    const { code, out } = await cardprice('sync', '--json');
    assert.equal(code, 3);
    const { startedAt, finishedAt, sources } = JSON.parse(out);
    assert.ok(Date.parse(finishedAt) >= Date.parse(startedAt));
    const [{ error, seconds, requests, observedAt, pricesChanged, ...source }] = sources;
    assert.match(error, /^1 of \d+ could not be read; the first is Magic/);
    assert.ok(seconds > 0 && requests > 20 && pricesChanged > 0 && observedAt.endsWith('Z'));
    const none = { quarantined: 0, unmatched: 0, broken: 1 };
    assert.deepEqual(source, { source: 'tcgcsv', outcome: 'incomplete', ...none });
  });

  it('names the process that is syncing when another sync is running', async () => {
    const { upstream } = await tcgcsv();
    const database = await freshDatabase();
    const holder = `${hostname()}:${process.pid}`;
    const store = await openStore(database);
    const now = Date.now();
    await takeImportLock(store.db, holder, now, now + 60_000, 'sync');
    const { code, err } = await syncing(database, upstream)('sync');
    assert.equal(code, 1);
    assert.equal(
      err,
      `cardprice: Another sync is running (process ${process.pid} on ${hostname()} since ` +
        `${formatMoment(now)}). Try again when it has finished.\n`,
    );
    await freeImportLock(store.db, holder, 'sync');
    await store.close();
    assert.deepEqual(upstream.asked, []);
  });

  it('refuses an unknown source', async () => {
    const { code, err } = await run(['sync', '--source', 'nobody']);
    assert.equal(code, 1);
    assert.match(err, /There is no source "nobody"; `cardprice sources` lists them\./);
  });

  it('names variables that look like settings and are none, before it syncs', async () => {
    const { upstream } = await tcgcsv();
    const misspelt = { CARDPRICE_SYNK_AT: '21:30', CARDPRICE_PROT: '9000' };
    const { code, err } = await syncing(
      await freshDatabase(),
      upstream,
      misspelt,
    )('sync', '--json');
    assert.equal(code, 0);
    const advice = 'is not a setting; `cardprice config --all` lists them.';
    const lines = ['CARDPRICE_PROT', 'CARDPRICE_SYNK_AT'].map((name) => `cardprice: ${name}`);
    assert.equal(err, lines.map((line) => `${line} ${advice}\n`).join(''));
  });

  it('never shows the API key of a source', async () => {
    const { upstream } = await tcgcsv();
    upstream.on('/v2/cards', status(401));
    const cardprice = syncing(await freshDatabase(), upstream, {
      CARDPRICE_SYNC: 'pokemontcg,quotes',
      CARDPRICE_SYNC_FROM: `pokemontcg=${upstream.url},quotes=${upstream.url}/q.csv?key=SECRET`,
      CARDPRICE_SYNC_KEYS: 'pokemontcg=SECRET',
    });
    for (const args of [['sync'], ['sync', '--json'], ['status'], ['status', '--json']]) {
      const { out, err } = await cardprice(...args);
      assert.match(out, /answered 401 \(the source refuses us\)/);
      assert.doesNotMatch(out + err, /SECRET/);
    }
    assert.ok(upstream.asked.some(({ headers }) => headers['x-api-key'] === 'SECRET'));
    assert.ok(upstream.asked.some(({ path }) => path === '/q.csv?key=SECRET'));
  });
});

/** A TCGCSV folder of some hours ago, and a database that is synced with it. */
async function fromFolder(hoursAgo: number, more: Record<string, string> = {}) {
  const moment = new Date(Date.now() - hoursAgo * 3_600_000);
  const tree = new TreeCopy().observed(moment.toISOString());
  const database = await freshDatabase();
  const env = { CARDPRICE_DATABASE: database, CARDPRICE_SYNC_FROM: `tcgcsv=${tree.folder}` };
  const cardprice = (args: readonly string[], other: Record<string, string> = {}) => {
    return run(args, { env: { ...env, ...more, ...other } });
  };
  return { tree, moment, cardprice };
}

describe('cardprice status', () => {
  it('succeeds for a source that has just succeeded', async () => {
    const { cardprice } = await fromFolder(0);
    await cardprice(['sync']);
    const { code, out } = await cardprice(['status']);
    assert.equal(code, 0, out);
    const [head, ...rows] = out.trimEnd().split('\n');
    assert.match(
      String(head),
      /^SOURCE +GAME +LAST SUCCESS +AGE +CARDS +PRICED +QUARANTINED +STATE$/,
    );
    const pokemon = rows.find((row) => row.includes(' pokemon '));
    assert.match(String(pokemon), /^tcgcsv +pokemon +20\S+Z +\d min +\d+ +\d+\.\d % +\d+ +fresh$/);
    const { out: json } = await cardprice(['status', '--json']);
    const [{ source, game, stale, share, cards, priced, age, error, quarantined }] =
      JSON.parse(json);
    assert.deepEqual([source, stale, error], ['tcgcsv', false, null]);
    assert.equal(share, Number((priced / cards).toFixed(4)));
    assert.ok(typeof game === 'string' && age >= 0 && quarantined >= 0);
  });

  it('fails when prices are stale, or when a source never succeeded', async () => {
    const { cardprice } = await fromFolder(5, { CARDPRICE_STALE_AFTER: '6h' });
    await cardprice(['migrate']);
    const never = await cardprice(['status']);
    assert.equal(never.code, 1);
    assert.match(never.out, /^tcgcsv +- +never +- +0 +- +0 +STALE$/m);
    await cardprice(['sync']);
    assert.equal((await cardprice(['status'])).code, 0);
    const { code, out } = await cardprice(['status'], { CARDPRICE_STALE_AFTER: '3d,tcgcsv=4h' });
    assert.equal(code, 1);
    assert.match(out, /^tcgcsv +mtg +20\S+Z +5 h +\d+ +\d+\.\d % +\d+ +STALE$/m);
  });

  it('calls nothing fresh whose age nobody watches', async () => {
    const { cardprice } = await fromFolder(5);
    await cardprice(['sync']);
    const { code, out } = await cardprice(['status'], { CARDPRICE_SYNC: 'scryfall' });
    assert.equal(code, 1, 'the source that is synced now has never succeeded');
    assert.match(out, /^tcgcsv +mtg .+ not watched$/m);
    assert.doesNotMatch(out, /fresh/);
    const named = { CARDPRICE_SYNC: 'scryfall', CARDPRICE_STALE_AFTER: 'tcgcsv=9h' };
    assert.match((await cardprice(['status'], named)).out, /^tcgcsv +mtg .+ fresh$/m);
  });

  it('prints the error of a source until the source succeeds', async () => {
    const { tree, moment, cardprice } = await fromFolder(0);
    await cardprice(['sync']);
    tree.observed('soon');
    await cardprice(['sync']);
    const { code, out } = await cardprice(['status']);
    assert.equal(code, 0, 'its prices are fresh for a while');
    assert.match(out, / failing$/m);
    assert.match(out, /^tcgcsv, 20\S+Z: last-updated\.txt holds no moment: "soon"\.$/m);
    tree.observed(moment.toISOString());
    await cardprice(['sync']);
    assert.doesNotMatch((await cardprice(['status'])).out, /failing|soon/);
  });
});

forEachEngine((label) => {
  it('serve --sync imports new prices, at a lower priority than requests', async () => {
    const { tree, upstream } = await tcgcsv();
    const { promise: goOn, resolve } = Promise.withResolvers<void>();
    const late: Answer = async (request, response) => {
      await goOn;
      return folderOf(tree.folder)(request, response);
    };
    upstream.on('/tcgplayer/3/groups', late);
    const env = { CARDPRICE_SYNC_FROM: `tcgcsv=${upstream.url}` };
    const database = await freshDatabase(label);
    const args = ['--database', database, 'serve', '--create', '--port', '0', '--sync'];
    const program = new Program(args, { env });
    const url = await program.listening();
    await eventually(() => upstream.asked.length > 1);
    const started = program.log.find(({ msg }) => msg === 'sync started');
    const least = Math.min(getPriority() + 10, 19);
    assert.equal(getPriority(Number(started?.process)), least);
    resolve();
    await eventually(async () => (await fetch(`${url}/readyz`)).status === 200);
    await eventually(() => program.log.some(({ msg }) => msg === 'sync ended'));
    const { sync } = program.log.find(({ msg }) => msg === 'source synced') ?? {};
    assert.equal((sync as { outcome: string }).outcome, 'imported');
    const metrics = await (await fetch(`${url}/metrics`)).text();
    assert.match(metrics, /^cardprice_source_stale\{source="tcgcsv",game="pokemon"\} 0$/m);
    assert.match(metrics, /^cardprice_source_priced_ratio\{source="tcgcsv",game="mtg"\} 0\.\d+$/m);
    assert.equal((await program.send('SIGTERM').ended()).code, 0);
  });
});

it('serve --sync on several nodes that start at once syncs once', {
  timeout: 110_000,
}, async () => {
  const { tree, upstream } = await tcgcsv();
  const { promise: goOn, resolve } = Promise.withResolvers<void>();
  upstream.on('/last-updated.txt', async (request, response) => {
    await goOn;
    return folderOf(tree.folder)(request, response);
  });
  const env = { CARDPRICE_SYNC_FROM: `tcgcsv=${upstream.url}` };
  const database = await freshDatabase('PostgreSQL');
  const args = ['--database', database, 'serve', '--create', '--port', '0', '--sync'];
  const nodes = Array.from({ length: 3 }, () => new Program(args, { env }));
  const linesOf = (text: string) => {
    return nodes.flatMap(({ log }) => log.filter(({ msg }) => msg === text));
  };
  // Two leave it to the one that waits for the source.
  await eventually(() => linesOf('sync left to another process').length === 2);
  resolve();
  for (const node of nodes) {
    const url = await node.listening();
    await eventually(async () => (await fetch(`${url}/readyz`)).status === 200);
  }
  await eventually(() => linesOf('sync ended').length === 1);
  assert.deepEqual(linesOf('sync failed'), []);
  const asked = upstream.asked.map(({ path }) => path);
  assert.deepEqual(asked, [...new Set(asked)]);
  for (const node of nodes) assert.equal((await node.send('SIGTERM').ended()).code, 0);
});

it('serve --sync with workers syncs once, and stops when the service drains', async () => {
  const { upstream } = await tcgcsv();
  upstream.on('/tcgplayer/3/groups', () => {});
  const env = { CARDPRICE_SYNC_FROM: `tcgcsv=${upstream.url}` };
  const database = join(temporaryFolder(), 'cards.db');
  const args = [
    '--database',
    database,
    'serve',
    '--create',
    '--port',
    '0',
    '--sync',
    '--workers',
    '2',
  ];
  const program = new Program(args, { env });
  await program.listening(2);
  await eventually(() => upstream.asked.some(({ path }) => path === '/tcgplayer/3/groups'));
  const started = program.log.filter(({ msg }) => msg === 'sync started');
  assert.equal(started.length, 1);
  const stopping = performance.now();
  assert.equal((await program.send('SIGTERM').ended()).code, 0);
  assert.ok(performance.now() - stopping < 9000);
  assert.throws(() => process.kill(Number(started[0]?.process), 0), /ESRCH/);
});
