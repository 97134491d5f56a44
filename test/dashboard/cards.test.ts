import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Alerts } from '../../src/accounts/alerts/alerts.ts';
import { UsageReport } from '../../src/accounts/quota/usage-report.ts';
import { Replays } from '../../src/accounts/replays.ts';
import { Webhooks } from '../../src/accounts/webhooks/webhooks.ts';
import { Catalog } from '../../src/catalog/catalog.ts';
import { PublicationWaits } from '../../src/http/publication-waits.ts';
import { resolverOf } from '../../src/http/resources.ts';
import { changesReader } from '../../src/store/catalogue/changes.ts';
import { factsReader } from '../../src/store/catalogue/facts.ts';
import { knownPublicationsReader } from '../../src/store/catalogue/known-publications.ts';
import { marketplaceChangesReader } from '../../src/store/catalogue/marketplace-changes.ts';
import { sourceFactsReader } from '../../src/store/catalogue/source-facts.ts';
import {
  historiesReader,
  historyReader,
  knownHistoriesReader,
  pastPricesReader,
  seriesReader,
} from '../../src/store/history/index.ts';
import { observationsReader } from '../../src/store/reports/explain.ts';
import { bodyOf, errorOf, problemOf } from '../http/expect.ts';
import { importFixtures, shareService } from '../support/app.ts';

const CHARIZARD = '/v1/cards/pokemon-bs-charizard-004';

describe('The card data of the dashboard', () => {
  const shared = shareService('SQLite');

  it('are the same bytes as those of the API', async () => {
    const caller = await shared.service.caller('trader');
    const browser = await shared.service.signedInBrowser('trader');
    for (const path of [
      '/v1/search?q=charizard&limit=3',
      '/v1/search?q=charizrd&game=mtg',
      '/v1/autocomplete?q=cha',
      CHARIZARD,
      `${CHARIZARD}/history?period=7d`,
      `${CHARIZARD}/prices?days=30`,
      `${CHARIZARD}/explain`,
      '/v1/sets?game=pokemon',
      '/v1/games',
    ]) {
      const told = await caller.get(path);
      for (let count = 0; count < 2; count += 1) {
        const shown = await browser.get(`/dashboard${path}`);
        assert.equal(shown.statusCode, 200);
        assert.equal(shown.body, told.body);
      }
    }
  });

  it('are JSON, also where the API has tables, because the priced cards in it are counted', async () => {
    const browser = await shared.service.signedInBrowser('trader');
    for (const path of ['/v1/search?q=charizard&', '/v1/movers?', `${CHARIZARD}/history?`]) {
      const answer = await browser.get(`/dashboard${path}format=csv`, { accept: 'text/csv' });
      assert.ok(bodyOf(answer), path);
      assert.match(String(answer.headers['content-type']), /^application\/json/);
    }
  });

  it('have the errors of the API', async () => {
    const browser = await shared.service.signedInBrowser('trader');
    errorOf(await browser.get('/dashboard/v1/cards/x'), 'CARD_NOT_FOUND');
    problemOf(await browser.get('/dashboard/v1/search?q=a&limit=0'), 'limit');
    problemOf(await browser.get(`/dashboard${CHARIZARD}/history?printing=x`), 'printing');
  });

  it('follow a change of the plan at once', async () => {
    const browser = await shared.service.signedInBrowser('free');
    const names = ['history?period=90d', 'prices?days=31', 'explain'];
    const paths = names.map((name) => `/dashboard${CHARIZARD}/${name}`);
    const ask = () => Promise.all(paths.map((path) => browser.get(path)));
    for (const answer of await ask()) errorOf(answer, 'PLAN_RESTRICTION');
    await shared.service.accounts.setPlan(browser.email, 'trader');
    for (const answer of await ask()) bodyOf(answer);
    await shared.service.accounts.setPlan(browser.email, 'free');
    // What was answered to somebody is kept; it is not given to who may not have it.
    for (const answer of await ask()) errorOf(answer, 'PLAN_RESTRICTION');
  });

  it('have as much of the history as the plan says, which the API has with the feature', async () => {
    const browser = await shared.service.signedInBrowser('free');
    const caller = await shared.service.caller('free');
    for (const query of ['/history', '/history?period=7d', '/prices?days=30']) {
      bodyOf(await browser.get(`/dashboard${CHARIZARD}${query}`));
      errorOf(await caller.get(`${CHARIZARD}${query}`), 'PLAN_RESTRICTION');
    }
    for (const query of ['/history?period=90d', '/history?period=all', '/prices?days=31']) {
      const answer = await browser.get(`/dashboard${CHARIZARD}${query}`);
      assert.match(errorOf(answer, 'PLAN_RESTRICTION').message, /includes the last 30 days/);
    }
  });

  it('are not kept for a URL that holds an API key', async () => {
    const { key } = await shared.service.caller();
    const browser = await shared.service.signedInBrowser();
    bodyOf(await browser.get(`/dashboard/v1/games?api_key=${key}`));
    assert.ok(!shared.service.log.join('').includes(key));
  });

  it('are a 503 until there is a catalogue', async () => {
    const { store } = shared.service;
    const catalog = new Catalog(store);
    const browser = await shared.service.signedInBrowser();
    const clock = () => shared.service.now;
    const readers = {
      history: historyReader(store),
      histories: historiesReader(store),
      knownHistories: knownHistoriesReader(store),
      knownPublications: knownPublicationsReader(store),
      historySeries: seriesReader(store),
      pastPrices: pastPricesReader(store),
      observations: observationsReader(store),
      marketplaceChanges: marketplaceChangesReader(store),
      changes: changesReader(store),
      publicationWaits: new PublicationWaits(catalog),
      sourceFacts: sourceFactsReader(store),
      resolver: resolverOf(catalog),
      facts: factsReader(store),
      usage: new UsageReport(store, clock),
      alerts: new Alerts(store, clock),
      webhooks: new Webhooks(store, clock),
      replays: new Replays(store, clock),
    };
    const resources = { catalog, ...readers, estimates: false, bulkFolder: '', rates: [], clock };
    const dashboard = { resources };
    const service = await shared.service.another(shared.location, { dashboard });
    const answer = await browser.at(service).get('/dashboard/v1/games');
    errorOf(answer, 'SERVICE_UNAVAILABLE');
    assert.equal(answer.headers['retry-after'], '5');
    await catalog.refresh();
    bodyOf(await browser.at(service).get('/dashboard/v1/games'));
    await service.close();
  });
});

describe('GET /dashboard/v1/rarities', () => {
  const shared = shareService('SQLite');

  it('has a new rarity once it is published', async () => {
    const browser = await shared.service.signedInBrowser();
    const rarities = async (): Promise<string[]> => {
      const { data } = (await browser.get('/dashboard/v1/rarities?game=mtg')).json();
      return data.map(({ rarity }: { rarity: string }) => rarity);
    };
    assert.ok(!(await rarities()).includes('Special'));
    await importFixtures(shared.location, {
      observedAt: Date.UTC(2026, 0, 29, 1),
      change: (path, text) =>
        path.endsWith('/1/1900012/products') ? text.replaceAll('"C"', '"S"') : text,
    });
    await shared.service.catalog.refresh();
    assert.ok((await rarities()).includes('Special'));
  });
});
