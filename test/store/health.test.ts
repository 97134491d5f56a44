import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Catalog } from '../../src/catalog/catalog.ts';
import { createMetrics } from '../../src/http/metrics.ts';
import { replaceFailedParts } from '../../src/store/catalogue/failed-parts.ts';
import { recordImportEnd, recordImportStart } from '../../src/store/catalogue/imports.ts';
import { readCheck, readFigures, writeCheck } from '../../src/store/catalogue/sync.ts';
import type { Store } from '../../src/store/connect.ts';
import type { Connections } from '../../src/store/engine/engine.ts';
import { countQuarantinedByRule } from '../../src/store/quarantine/quarantine.ts';
import { type HealthOptions, readHealth } from '../../src/store/reports/health.ts';
import { forEachEngine } from '../support/engines.ts';
import { FIXTURE, importTree, NOW } from '../support/tcgcsv.ts';

const HOUR = 3_600_000;
/** When the fixture's prices were observed. */
const OBSERVED = Date.parse('2026-01-28T20:05:12Z');
const SOON = OBSERVED + HOUR;

function health(store: Store, options: Partial<HealthOptions> = {}) {
  return readHealth(store, { now: SOON, synced: [], limitOf: () => null, ...options });
}

/** Inserts a quarantined observation of a source. */
async function quarantine(
  store: Store,
  source: string,
  game: 'mtg' | null,
  decision: 'rejected' | null,
) {
  await store.db
    .insertInto('quarantine')
    .values({
      source,
      game,
      rule: 'price-jump',
      detail: 'It jumped.',
      quarantined_at: NOW,
      decision,
    })
    .execute();
}

forEachEngine((_label, open) => {
  it('counts the cards of a game that a source has prices for', async () => {
    const store = await open();
    await importTree(store, FIXTURE);
    const rows = await health(store);
    const mtg = rows.find(({ game }) => game === 'mtg');
    assert.deepEqual(mtg, {
      source: 'tcgcsv',
      game: 'mtg',
      succeededAt: NOW,
      observedAt: OBSERVED,
      age: HOUR,
      watched: false,
      stale: false,
      priced: 8,
      cards: 9,
      quarantined: 0,
      failedParts: [],
      error: null,
      errorAt: null,
    });
    const counted = await store.db
      .selectFrom('cards')
      .select(({ fn }) => fn.countAll().as('all'))
      .executeTakeFirstOrThrow();
    const games = rows.map(({ game }) => game);
    assert.equal(new Set(games).size, games.length);
    const sum = rows.reduce((all, { cards }) => all + cards, 0);
    assert.ok(sum <= Number(counted.all));
  });

  it('counts again when an import ends, even if it changes no price', async () => {
    const store = await open();
    await importTree(store, FIXTURE);
    await store.db.updateTable('source_figures').set({ priced: 1, observed_at: 1 }).execute();
    await importTree(store, FIXTURE);
    const figures = await readFigures(store.db);
    assert.ok(figures.every(({ observedAt }) => observedAt === OBSERVED));
    assert.ok(figures.some(({ priced }) => priced > 1));
  });

  it('calls a source stale if its prices are too old or it never succeeded', async () => {
    const store = await open();
    await importTree(store, FIXTURE);
    const staleAt = async (limit: number) => {
      const rows = await health(store, { limitOf: () => limit });
      return new Set(rows.map(({ stale }) => stale));
    };
    assert.deepEqual(await staleAt(HOUR), new Set([false]));
    assert.deepEqual(await staleAt(HOUR - 1), new Set([true]));
    const [, never] = await health(store, {
      synced: ['scryfall'],
      limitOf: (source) => (source === 'scryfall' ? HOUR : null),
    }).then((rows) => [rows, rows.find(({ source }) => source === 'scryfall')] as const);
    assert.deepEqual([never?.watched, never?.stale], [true, true]);
    assert.deepEqual([never?.game, never?.age, never?.succeededAt], [null, null, null]);
  });

  it('takes the age of a source without prices from its last success', async () => {
    const store = await open();
    const check = await readCheck(store.db, 'fab-cube', OBSERVED);
    await writeCheck(store, { ...check, succeededAt: OBSERVED });
    const [row] = await health(store, { limitOf: () => HOUR / 2 });
    assert.deepEqual([row?.source, row?.age, row?.stale], ['fab-cube', HOUR, true]);
  });

  it('clears an error after a manual import, even from an archive', async () => {
    const store = await open();
    const check = await readCheck(store.db, 'tcgcsv', OBSERVED);
    await writeCheck(store, { ...check, failedAt: OBSERVED, error: 'It is gone.' });
    const [failing] = await health(store);
    assert.deepEqual([failing?.error, failing?.errorAt], ['It is gone.', OBSERVED]);
    const id = await recordImportStart(store.db, 'tcgcsv-archive', SOON);
    const finishedAt = SOON + 1;
    await recordImportEnd(store.db, id, { finishedAt, observedAt: null, summary: {} });
    const [fixed] = await health(store);
    assert.deepEqual([fixed?.error, fixed?.errorAt, fixed?.succeededAt], [null, null, finishedAt]);
  });

  it('counts quarantined observations until the operator decides, and exports metrics', async () => {
    const store = await open();
    await importTree(store, FIXTURE);
    await quarantine(store, 'tcgcsv', 'mtg', null);
    await quarantine(store, 'tcgcsv', 'mtg', 'rejected');
    await quarantine(store, 'scryfall', null, null);
    const failed = { part: '1/23', game: 'mtg', badRows: 2, examples: [] } as const;
    await replaceFailedParts(store, 'tcgcsv', { failed: [failed], readAgain: [], now: NOW });
    const catalog = new Catalog(store);
    await catalog.refresh();
    const ask = () => health(store, { synced: ['scryfall'], limitOf: () => HOUR - 1 });
    const held = () => countQuarantinedByRule(store.db);
    const { registry } = createMetrics(catalog, () => SOON, {
      health: ask,
      quarantined: held,
      onFailure: (error) => assert.fail(String(error)),
    });
    const text = await registry.metrics();
    for (const name of ['refusals_total', 'lost_writes_total', 'index_loads_total']) {
      assert.ok(text.includes(`\n# TYPE cardprice_${name} counter\n`), name);
    }
    for (const line of [
      'cardprice_database_up 1',
      'cardprice_source_quarantined{source="tcgcsv",game="mtg"} 1',
      'cardprice_source_quarantined{source="tcgcsv",game="pokemon"} 0',
      'cardprice_source_quarantined{source="scryfall",game=""} 1',
      'cardprice_quarantined{source="tcgcsv",rule="price-jump"} 1',
      'cardprice_quarantined{source="scryfall",rule="price-jump"} 1',
      'cardprice_source_age_seconds{source="tcgcsv",game="mtg"} 3600',
      `cardprice_source_last_success_timestamp_seconds{source="tcgcsv",game="mtg"} ${NOW / 1000}`,
      'cardprice_source_stale{source="tcgcsv",game="mtg"} 1',
      'cardprice_source_stale{source="scryfall",game=""} 1',
      'cardprice_source_failing{source="tcgcsv",game="mtg"} 0',
      'cardprice_source_failed_parts{source="tcgcsv",game="mtg"} 1',
      'cardprice_source_failed_parts{source="tcgcsv",game="pokemon"} 0',
      'cardprice_source_cards{source="tcgcsv",game="mtg"} 8',
      `cardprice_source_priced_ratio{source="tcgcsv",game="mtg"} ${8 / 9}`,
    ]) {
      assert.ok(text.split('\n').includes(line), `${line}\n${text}`);
    }
    assert.doesNotMatch(text, /age_seconds\{source="scryfall"/);
  });

  it('exports the sessions, the free space and the connections to a database server', async () => {
    const catalog = new Catalog(await open());
    const linesWith = async (connections: Connections | undefined) => {
      const { registry } = createMetrics(catalog, () => SOON, undefined, {
        sessions: async () => 3,
        times: async () => [],
        connections: () => connections,
        folder: import.meta.dirname,
      });
      return (await registry.metrics()).split('\n');
    };
    const lines = await linesWith({ used: 2, idle: 1, waiting: 0 });
    assert.ok(lines.includes('cardprice_sessions 3'));
    assert.ok(lines.some((line) => /^cardprice_disk_free_bytes [1-9]/.test(line)));
    assert.ok(lines.includes('cardprice_database_connections{state="used"} 2'));
    const withoutServer = await linesWith(undefined);
    assert.ok(!withoutServer.some((line) => line.includes('cardprice_database_connections')));
  });

  it('keeps the other metrics while the database cannot be read', async () => {
    const catalog = new Catalog(await open());
    const lost = async () => {
      throw new Error('the database is lost');
    };
    const told: unknown[] = [];
    const { registry } = createMetrics(catalog, () => SOON, {
      health: lost,
      quarantined: lost,
      onFailure: (error) => told.push(error),
    });
    const lines = (await registry.metrics()).split('\n');
    assert.ok(lines.includes('cardprice_database_up 0'));
    assert.ok(lines.includes('cardprice_catalog_revision 0'));
    assert.ok(!lines.some((line) => line.startsWith('cardprice_source_age_seconds{')));
    assert.equal(told.length, 1);
  });
});
