import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Static } from 'typebox';
import { dayOf, type Millis } from '../../src/domain/day.ts';
import type { Cents } from '../../src/domain/money.ts';
import { NO_PRICES } from '../../src/domain/price.ts';
import type { CardDetail } from '../../src/http/schemas.ts';
import type { Related } from '../../src/http/set-schemas.ts';
import { importSnapshot } from '../../src/ingest/drivers/snapshot.ts';
import { formatSets, openStarter } from '../../src/sources/starter.ts';
import { shareService } from '../support/app.ts';
import { temporaryFolder } from '../support/cli.ts';
import { forEachEngine } from '../support/engines.ts';
import { bodyOf, errorOf, problemOf } from './expect.ts';

const VERSIONS = [
  ['Zeraora', 'Rare', 500],
  ['Zeraora', 'Rare', 300],
  ['Zeraora', 'Rare', 900],
  ['Zeraora', 'Promo', 5000],
  ['Zeraora (Full Art)', 'Promo', 7000],
  ['Zeraora (Staff)', 'Rare', null],
] as const;

const LAST = Date.parse('2026-01-28T00:00:00Z') as Millis;

/** Returns a set with {@link VERSIONS} in the format of the starter catalogue. */
function versions(): string {
  const set = { externalId: 'ver', game: 'pokemon', code: 'VER', name: 'Versions' } as const;
  const cards = VERSIONS.map(([name, rarity, market], index) => ({
    externalId: `ver-${index}`,
    name,
    number: String(index + 1),
    rarity,
    image: null,
    printings: market === null ? [] : [{ name: 'Normal', days: [dayOfPrice(market as Cents)] }],
  }));
  const dated = { ...set, releaseDate: '2020-01-01' };
  return formatSets([{ idSpace: 'starter', set: dated, observedAt: LAST, cards }]);
}

function dayOfPrice(market: Cents) {
  return { ...NO_PRICES, day: dayOf(LAST), market };
}

type Body = { data: Static<typeof Related> };

forEachEngine((label) => {
  const shared = shareService(label);
  const ask = async (id: string) => {
    return (await shared.service.caller('free')).get(`/v1/cards/${id}/related`);
  };
  const related = async (id: string) => bodyOf<Body>(await ask(id)).data;

  /**
   * Imports six cards of one name, with other rarities and variants, and market prices in cents.
   */
  const importVersions = async () => {
    const folder = temporaryFolder();
    await writeFile(join(folder, 'pokemon.jsonl'), versions());
    const { store, catalog } = shared.service;
    await importSnapshot(store, await openStarter(folder), { clock: Date.now });
    await catalog.refresh();
  };

  describe('GET /v1/cards/{id}/related', () => {
    it('names the neighbours in the set by collector number, none beyond its ends', async () => {
      const blastoise = await related('pokemon-bs-blastoise-002');
      assert.equal(blastoise.previous?.id, 'pokemon-bs-alakazam-001');
      assert.equal(blastoise.next?.id, 'pokemon-bs-charizard-004');
      assert.equal((await related('pokemon-bs-alakazam-001')).previous, null);
      assert.equal((await related('pokemon-bs-potion-094')).next, null);
    });

    it('shows cards as the search does', async () => {
      const caller = await shared.service.caller('free');
      const { previous } = await related('pokemon-bs-blastoise-002');
      const { data } = bodyOf<{ data: object[] }>(await caller.get('/v1/search?q=alakazam'));
      assert.deepEqual(previous, data[0]);
    });

    it('finds the cards of the same name, but not the card itself', async () => {
      const others = async (id: string) => (await related(id)).others.map((card) => card.id);
      assert.deepEqual(await others('pokemon-pre-umbreon-ex-060'), ['pokemon-pre-umbreon-ex-161']);
      assert.deepEqual(await others('pokemon-bs-charizard-004'), [], 'Dark Charizard is another');
      assert.deepEqual(await others('lorcana-tfc-elsa-snow-queen-41'), [], 'another Elsa');
      assert.deepEqual(await others('onepiece-op-01-nami-op01-016'), []);
      const luffy = await others('onepiece-op-01-monkey-d-luffy-op01-003');
      assert.deepEqual(luffy, [], 'another card that shows him');
      assert.equal((await others('yugioh-lob-dark-magician-lob-005')).length, 3);
    });

    it('lists as many of the same name as are asked for, and says how many there are', async () => {
      const magician = 'yugioh-lob-dark-magician-lob-005';
      const { data } = bodyOf<Body>(
        await (await shared.service.caller('free')).get(`/v1/cards/${magician}/related?limit=2`),
      );
      assert.deepEqual([data.others.length, data.otherCount], [2, 3]);
      assert.deepEqual(data.others, (await related(magician)).others.slice(0, 2));
      for (const limit of [0, 51]) {
        const caller = await shared.service.caller('free');
        problemOf(await caller.get(`/v1/cards/${magician}/related?limit=${limit}`), 'limit');
      }
    });

    it('lists the most alike first, then the most expensive, and reaches all by offset', async () => {
      await importVersions();
      const caller = await shared.service.caller('free');
      const url = '/v1/cards/pokemon-ver-zeraora-1/related';
      const idsOf = async (query: string) => {
        const { data } = bodyOf<Body>(await caller.get(`${url}?${query}`));
        assert.equal(data.otherCount, 5);
        return data.others.map(({ number }) => number);
      };
      assert.deepEqual(await idsOf('limit=50'), ['3', '2', '4', '6', '5']);
      assert.deepEqual(await idsOf('limit=2'), ['3', '2']);
      assert.deepEqual(await idsOf('limit=2&offset=2'), ['4', '6']);
      assert.deepEqual(await idsOf('limit=2&offset=5'), []);
    });

    it('answers 404 for an unknown card', async () => {
      const { message } = errorOf(await ask('pokemon-bs-mew-999'), 'CARD_NOT_FOUND');
      assert.equal(message, 'No card has the id "pokemon-bs-mew-999".');
    });
  });

  it('A card lists its ids at sources', async () => {
    const caller = await shared.service.caller('free');
    const answer = await caller.get('/v1/cards/pokemon-bs-charizard-004');
    const { data } = bodyOf<{ data: Static<typeof CardDetail> }>(answer);
    assert.deepEqual(data.externalIds, { tcgplayer: ['42382'] });
  });
});
