import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { CardFacts } from '../../src/domain/facts.ts';
import { shareService } from '../support/app.ts';
import { CHARIZARD_ID } from '../support/charizard.ts';
import { charizard, feedItem, importItems } from '../support/feed-items.ts';
import { bodyOf } from './expect.ts';

/** Every fact that there is. */
const FACTS: Required<CardFacts> = {
  supertype: 'Pokémon',
  types: ['Fire'],
  subtypes: ['Stage 2'],
  colors: ['Red'],
  attributes: ['FIRE'],
  keywords: ['Flying'],
  cost: '6',
  manaCost: '{4}{R}{R}',
  hp: '120',
  power: '1+*',
  toughness: '5',
  defense: '2500',
  life: '4',
  level: '76',
  loyalty: '3',
  lore: '2',
  pitch: '1',
  intellect: '4',
  counter: '1000',
  link: '2',
  scale: '8',
  text: 'Draw a card.\n//\nFlying',
  flavorText: 'Spits fire.',
  rules: ['V rule'],
  abilities: [{ name: 'Energy Burn', kind: 'Pokémon Power', text: 'Turn all.' }],
  attacks: [{ name: 'Fire Spin', cost: ['Fire', 'Colorless'], damage: '100×', text: 'Discard 2.' }],
  weaknesses: [{ type: 'Water', value: '×2' }],
  resistances: [{ type: 'Fighting' }],
  retreat: ['Colorless'],
  evolvesFrom: 'Charmeleon',
  evolvesTo: ['Mega Charizard'],
  nationalPokedexNumbers: [6],
  regulationMark: 'G',
  artist: 'Mitsuhiro Arita',
  legalities: { unlimited: 'legal', standard: 'banned' },
};

const BLASTOISE_ID = 'pokemon-bs-blastoise-002';

interface Item {
  readonly id: string;
  readonly facts?: CardFacts;
}

describe('Facts of cards', () => {
  const shared = shareService('SQLite');

  before(async () => {
    const { store, catalog } = shared.service;
    await importItems(store, 'pokemontcg', [{ ...feedItem(charizard()), facts: FACTS }]);
    await catalog.refresh();
  });

  async function get<Body>(path: string): Promise<Body> {
    const caller = await shared.service.caller('trader');
    return bodyOf<{ data: Body }>(await caller.get(path)).data;
  }

  it('are in the details of the card, all of them, and absent where no source gives any', async () => {
    assert.deepEqual((await get<Item>(`/v1/cards/${CHARIZARD_ID}`)).facts, FACTS);
    assert.equal('facts' in (await get<Item>(`/v1/cards/${BLASTOISE_ID}`)), false);
  });

  it('are in lists and batches only for callers who ask for them', async () => {
    for (const path of [
      '/v1/search?q=charizard',
      `/v1/cards?ids=${CHARIZARD_ID},${BLASTOISE_ID}`,
      '/v1/sets/pokemon-base-set/cards?limit=100',
    ]) {
      assert.ok(
        (await get<Item[]>(path)).every((item) => !('facts' in item)),
        path,
      );
      const items = await get<Item[]>(`${path}&include=facts`);
      assert.deepEqual(items.find(({ id }) => id === CHARIZARD_ID)?.facts, FACTS, path);
      const others = items.filter(({ id }) => id !== CHARIZARD_ID);
      assert.ok(others.every(({ facts }) => Object.keys(facts ?? { no: 'facts' }).length === 0));
    }
  });

  it('are conditions of a search', async () => {
    const found = await get<Item[]>('/v1/search?q=t:fire+hp>=120+artist:arita');
    assert.deepEqual(
      found.map(({ id }) => id),
      [CHARIZARD_ID],
    );
  });
});

describe('Links of a card', () => {
  const shared = shareService('SQLite');

  it('lead to its pages at marketplaces', async () => {
    const caller = await shared.service.caller();
    const { data } = bodyOf<{ data: { links: object[] } }>(
      await caller.get(`/v1/cards/${CHARIZARD_ID}`),
    );
    assert.deepEqual(data.links[0], {
      marketplace: 'tcgplayer',
      url: 'https://www.tcgplayer.com/product/42382',
    });
  });
});
