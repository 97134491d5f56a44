import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Catalog } from '../../src/catalog/catalog.ts';
import type { CardFacts } from '../../src/domain/facts.ts';
import { factsReader, scanFacts } from '../../src/store/catalogue/facts.ts';
import { importFixtures, Service } from '../support/app.ts';
import { CHARIZARD_ID } from '../support/charizard.ts';
import { createDatabase, type EngineLabel, forEachEngine } from '../support/engines.ts';
import { charizard, feedItem, importItems } from '../support/feed-items.ts';

async function withService(label: EngineLabel, check: (service: Service) => Promise<void>) {
  const { location, remove } = await createDatabase(label);
  await importFixtures(location);
  const service = await Service.open(location);
  await check(service);
  await service.close();
  await remove();
}

function importFacts({ store }: Service, source: string, facts: CardFacts) {
  return importItems(store, source, [{ ...feedItem(charizard()), facts }]);
}

async function charizardFacts({ store, catalog }: Service): Promise<CardFacts | undefined> {
  const rowId = catalog.card(CHARIZARD_ID)?.rowId ?? assert.fail();
  return (await factsReader(store)([rowId])).get(rowId);
}

function idsFound({ catalog }: Pick<Service, 'catalog'>, q: string): string[] {
  const { cards } = catalog.search.search({ q, sort: 'relevance', limit: 100, offset: 0 });
  return cards.map(({ id }) => id);
}

forEachEngine((label) => {
  it('facts of several sources are merged, and searched after the publication', async () => {
    await withService(label, async (service) => {
      await importFacts(service, 'tcgcsv', { hp: '110', level: '76' });
      await importFacts(service, 'pokemontcg', { hp: '121', artist: 'Mitsuhiro Arita' });
      assert.deepEqual(idsFound(service, 'artist:arita'), []);
      await service.catalog.refresh();
      assert.deepEqual(idsFound(service, 'artist:arita hp=121'), [CHARIZARD_ID]);
      const merged = { hp: '121', level: '76', artist: 'Mitsuhiro Arita' };
      assert.deepEqual(await charizardFacts(service), merged);
      await importFacts(service, 'pokemontcg', { hp: '122' });
      await service.catalog.refresh();
      assert.deepEqual(idsFound(service, 'hp:122'), [CHARIZARD_ID]);
      assert.deepEqual(idsFound(service, 'artist:arita'), []);
    });
  });

  it('an import of the same facts writes nothing', async () => {
    await withService(label, async (service) => {
      await importFacts(service, 'pokemontcg', { hp: '121' });
      const read = () => service.store.db.selectFrom('card_facts').selectAll().execute();
      const written = await read();
      await importFacts(service, 'pokemontcg', { hp: '121' });
      assert.deepEqual(await read(), written);
    });
  });

  it('a process that starts during an import searches the published facts', async () => {
    await withService(label, async (service) => {
      await importFacts(service, 'pokemontcg', { hp: '121' });
      await service.catalog.refresh();
      const revision = service.catalog.publication.revision + 1;
      await service.store.db
        .updateTable('card_facts')
        .set({ numbers: ' hp:1 ', revision })
        .execute();
      const catalog = new Catalog(service.store);
      await catalog.refresh();
      assert.deepEqual(idsFound({ catalog }, 'hp:121'), [CHARIZARD_ID]);
      assert.deepEqual(idsFound({ catalog }, 'hp:1'), []);
    });
  });

  it('a scan reads the facts of all cards', async () => {
    await withService(label, async (service) => {
      await importFacts(service, 'pokemontcg', { hp: '121' });
      const pages = await Array.fromAsync(scanFacts(service.store));
      const cardRowId = service.catalog.card(CHARIZARD_ID)?.rowId;
      assert.deepEqual(pages, [[{ cardRowId, facts: { hp: '121' } }]]);
    });
  });
});
