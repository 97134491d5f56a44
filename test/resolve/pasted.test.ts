import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Resolution, ResolveItem } from '../../src/resolve/index.ts';
import { Resolver } from '../../src/resolve/index.ts';
import { SearchIndex } from '../../src/search/index.ts';
import { CARDS, cardOf } from './resolve-cards.ts';

const CHARIZARD = cardOf('Charizard', '004/102');
const IDS = ['tcgplayer:42382', CHARIZARD.id];
const search = new SearchIndex({ cardWithId: (id) => (IDS.includes(id) ? CHARIZARD : undefined) });
for (const card of CARDS) search.add(card);
search.commit();
const resolver = new Resolver({
  search,
  cardsWithId: ({ space, id }) => (IDS.includes(`${space}:${id}`) ? [CHARIZARD] : []),
});

async function resolve(item: string | ResolveItem): Promise<Resolution> {
  const items = [typeof item === 'string' ? { text: item } : item];
  const [resolution] = await resolver.resolve(items);
  if (!resolution) throw new Error('no answer');
  return resolution;
}

async function cardIdOf(text: string): Promise<string | undefined> {
  const resolution = await resolve(text);
  return resolution.status === 'matched' ? resolution.card.id : undefined;
}

describe('a pasted text', () => {
  for (const text of [
    'https://www.tcgplayer.com/product/42382/pokemon-base-set-charizard?Language=English',
    'tcgplayer.com/product/42382/-',
    `https://prices.example.com/cards/${CHARIZARD.id}`,
    'https://www.ebay.com/itm/Charizard-4-102-Base-Set-Pokemon-Card/123456789012',
    'https://www.pricecharting.com/game/pokemon-base-set/charizard-4',
    'Charizard%20Base%20Set%204.jpg',
    '[[Charizard|BS|4]]',
  ]) {
    it(`means its card: ${text}`, async () => {
      assert.equal(await cardIdOf(text), CHARIZARD.id);
    });
  }

  it('keeps the words around a link', async () => {
    const graded = await resolve('tcgplayer.com/product/42382 PSA 9');
    assert.equal(graded.status === 'matched' && graded.copy.grade, 'psa_9');
  });

  it('means a card of the set in brackets', async () => {
    const bolt = cardOf('Lightning Bolt', '149');
    assert.equal(await cardIdOf(`[[Lightning Bolt|${bolt.set.code}]]`), bolt.id);
  });

  it('means nothing if it is a link to no card', async () => {
    const { status, ...rest } = await resolve('https://www.tcgplayer.com/product/1');
    assert.equal(status, 'unknown');
    assert.deepEqual('reasons' in rest && rest.reasons, [
      'The link to TCGplayer leads to no card of this catalogue.',
    ]);
  });
});
