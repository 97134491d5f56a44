import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { importBackfill } from '../../src/ingest/drivers/backfill.ts';
import { importFeed } from '../../src/ingest/drivers/feed.ts';
import { openJustTcg } from '../../src/sources/justtcg/read.ts';
import { openQuotes } from '../../src/sources/quotes/read.ts';
import { openScryfall } from '../../src/sources/scryfall/read.ts';
import { importFixtures, Service } from '../support/app.ts';
import { CHARIZARD_ID } from '../support/charizard.ts';
import { createDatabase, type EngineLabel, forEachEngine } from '../support/engines.ts';
import { FeedFolder, feedOptions } from '../support/feeds.ts';

const NOW = Date.UTC(2026, 0, 29, 12);
const clock = () => NOW;
const folder = new FeedFolder();

interface Printing {
  readonly name: string;
  readonly language?: string;
  readonly prices: { readonly market: number | null; readonly conditions: object };
}

interface Detail {
  readonly id: string;
  readonly printing: string;
  readonly prices: object;
  readonly printings: readonly Printing[];
}

interface Answer {
  readonly market: number | null;
  readonly printing: string | null;
  readonly language?: string;
}

/** Opens the fixtures, runs `change` on their database, and runs `check` on the service. */
async function withService(
  label: EngineLabel,
  change: (service: Service) => Promise<void>,
  check: (get: <Body>(path: string, body?: object) => Promise<Body>) => Promise<void>,
): Promise<void> {
  const { location, remove } = await createDatabase(label);
  await importFixtures(location);
  const service = await Service.open(location);
  await change(service);
  await service.catalog.refresh();
  const caller = await service.caller('trader');
  await check(async <Body>(path: string, body?: object) => {
    const answer = body ? await caller.post(path, body) : await caller.get(path);
    assert.equal(answer.statusCode, 200, answer.body);
    return answer.json<{ data: Body }>().data;
  });
  await service.close();
  await remove();
}

async function importQuotes({ store }: Service, rows: readonly string[]): Promise<void> {
  const text = ['card,printing,language,date,market', ...rows].join('\n');
  const options = { format: 'csv', renamed: new Map(), marketplace: 'my-shop', now: NOW } as const;
  const quotes = await openQuotes(folder.write('quotes.csv', text), options);
  const { broken } = await importBackfill(store, quotes, { clock });
  assert.deepEqual(broken, []);
}

forEachEngine((label) => {
  it('your own prices of a language are served for it, and for no other copy', async () => {
    let before: Detail | undefined;
    const change = async (service: Service) => {
      before = (await (await service.caller()).get(`/v1/cards/${CHARIZARD_ID}`)).json().data;
      await importQuotes(service, [
        `${CHARIZARD_ID},,German,2026-01-27,290`,
        `${CHARIZARD_ID},,de,2026-01-28,300`,
        `${CHARIZARD_ID},Holofoil,FRA,2026-01-28,250.50`,
        'pokemon-bs-blastoise-002,Holofoil,EN,2026-01-28,97',
      ]);
    };
    await withService(label, change, async (get) => {
      const card = await get<Detail>(`/v1/cards/${CHARIZARD_ID}`);
      assert.deepEqual(
        card.printings.map(({ name, language, prices }) => [name, language, prices.market]),
        [
          ['Holofoil', undefined, 453.86],
          ['Holofoil (French)', 'fr', 250.5],
          ['Holofoil (German)', 'de', 300],
        ],
      );
      assert.deepEqual({ ...card, printings: card.printings.slice(0, 1) }, before);
      const [german] = await get<readonly Detail[]>('/v1/search?q=charizard+base+set+german');
      assert.equal(german?.printing, 'Holofoil (German)');
      const path = `/v1/cards/${CHARIZARD_ID}/history?period=all&printing=Holofoil+(German)`;
      const { history } = await get<{ history: { date: string; market: number }[] }>(path);
      assert.deepEqual(
        history.map(({ date, market }) => [date, market]),
        [
          ['2026-01-27', 290],
          ['2026-01-28', 300],
        ],
      );
      const item = { name: 'Charizard', set: 'Base Set', number: '4/102' };
      const items = ['German', 'FR', 'Italian', 'English'].map((language) => ({
        ...item,
        language,
      }));
      assert.deepEqual(
        (await get<readonly Answer[]>('/v1/resolve', { items })).map(({ market }) => market),
        [300, 250.5, null, 453.86],
      );
      const blastoise = await get<Detail>('/v1/cards/pokemon-bs-blastoise-002');
      assert.deepEqual(
        blastoise.printings.map(({ name }) => name),
        ['Holofoil'],
      );
    });
  });

  it('prices of a language count in no value and in no list of moves', async () => {
    const paths = ['/v1/sets/pokemon-base-set', '/v1/movers?window=1d', '/v1/games', '/v1/sets'];
    const [before, after]: [unknown[], unknown[]] = [[], []];
    const change = async (service: Service) => {
      const caller = await service.caller('trader');
      for (const path of paths) before.push((await caller.get(path)).json());
      await importQuotes(service, [
        `${CHARIZARD_ID},,German,2026-01-27,1000`,
        `${CHARIZARD_ID},,German,2026-01-28,2000`,
      ]);
      await service.catalog.refresh();
      for (const path of paths) after.push((await caller.get(path)).json());
    };
    await withService(label, change, async () => assert.deepEqual(after, before));
  });

  it('a source that prices languages keeps them apart', async () => {
    const change = async ({ store }: Service) => {
      const feed = await openJustTcg(
        'test/fixtures/justtcg/cards.json',
        feedOptions({ now: NOW, observedAt: NOW }),
      );
      await importFeed(store, feed, { clock });
    };
    await withService(label, change, async (get) => {
      const { printings } = await get<Detail>(`/v1/cards/${CHARIZARD_ID}`);
      const near = printings.map(({ name, prices }) => [
        name,
        (prices.conditions as { near_mint: number | null }).near_mint,
      ]);
      assert.deepEqual(near.at(-1), ['Holofoil (German)', 300]);
      assert.notEqual(near[0]?.[1], 300);
    });
  });

  it('a finish that the card does not have is quarantined in every language', async () => {
    const change = (service: Service) =>
      importQuotes(service, [`${CHARIZARD_ID},Reverse Holofoil,de,2026-01-28,300`]);
    await withService(label, change, async (get) => {
      const { printings } = await get<Detail>(`/v1/cards/${CHARIZARD_ID}`);
      assert.deepEqual(
        printings.flatMap(({ name, prices }) => (prices.market === null ? [] : [name])),
        ['Holofoil'],
      );
    });
  });

  it('names in other languages are published with the card, searched and resolved', async () => {
    const change = async ({ store }: Service) => {
      const location = 'test/fixtures/scryfall/all-cards.json';
      const open = () => openScryfall(location, feedOptions({ now: NOW, observedAt: NOW }));
      const { skipped } = await importFeed(store, await open(), { clock });
      assert.equal(skipped['name of a card that is not known'], 1);
      const written = await store.db.selectFrom('card_names').selectAll().execute();
      await importFeed(store, await open(), { clock, again: true });
      assert.deepEqual(await store.db.selectFrom('card_names').selectAll().execute(), written);
    };
    await withService(label, change, async (get) => {
      const [found, ...others] = await get<readonly Detail[]>('/v1/search?q=Ragavan,+flinker+L');
      assert.deepEqual(others, []);
      const detail = await get<{ names?: object }>(`/v1/cards/${found?.id}`);
      assert.deepEqual(detail.names, {
        de: 'Ragavan, flinker Langfinger',
        fr: 'Ragavan, chapardeur agile',
        ja: '敏捷なこそ泥、ラガバン',
      });
      const charizard = await get<{ names?: object }>(`/v1/cards/${CHARIZARD_ID}`);
      assert.ok(!('names' in charizard));
      const items = ['1 Ragavan, chapardeur agile (MH2) 138', { name: 'Wald', number: '347' }];
      const [line, forest] = await get<readonly Answer[]>('/v1/resolve', { items });
      assert.deepEqual([line?.language, line?.market], ['fr', null]);
      assert.deepEqual([forest?.language, forest?.market], ['de', null]);
    });
  });

  it('a name that changes is published again', async () => {
    const { location, remove } = await createDatabase(label);
    await importFixtures(location);
    const service = await Service.open(location);
    const text = readFileSync('test/fixtures/scryfall/all-cards.json', 'utf8');
    const importNames = async (content: string) => {
      const options = feedOptions({ now: NOW, observedAt: NOW });
      const feed = await openScryfall(folder.write('all-cards.json', content), options);
      await importFeed(service.store, feed, { clock });
      await service.catalog.refresh();
    };
    const forest = [...service.catalog.cards()].find(({ name, number }) => {
      return name === 'Forest' && number === '347';
    });
    assert.ok(forest);
    const namesNow = () => service.catalog.foreignNames(forest).map(({ name }) => name);
    await importNames(text);
    assert.deepEqual(namesNow(), ['Wald', '树林']);
    await importNames(text.replace('"Wald"', '"Forst"'));
    assert.deepEqual(namesNow(), ['Forst', '树林']);
    assert.equal(service.catalog.search.translator.find(['wald'], 0), undefined);
    await service.close();
    await remove();
  });

  it('a language that nobody knows breaks the row', async () => {
    const { location, remove } = await createDatabase(label);
    await importFixtures(location);
    const service = await Service.open(location);
    await assert.rejects(
      importQuotes(service, [`${CHARIZARD_ID},,Klingon,2026-01-28,300`]),
      /"Klingon" is not a language/,
    );
    await service.close();
    await remove();
  });
});
