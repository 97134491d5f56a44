import type { Card, CardSet } from '../../src/domain/card.ts';
import { nameInSet } from '../../src/domain/card-name.ts';
import { cardId, setId } from '../../src/domain/ids.ts';
import type { Group } from '../../src/sources/contract/snapshot.ts';
import { openStarter } from '../../src/sources/starter.ts';
import { pricesOf } from '../search/search-cards.ts';

const STARTER = new URL('../../data/starter/', import.meta.url);

/** Reads all cards of the starter catalogue, without a database. */
export async function readStarterCards(): Promise<Card[]> {
  const cards = new Map<string, Omit<Card, 'rowId'>>();
  for await (const read of (await openStarter(STARTER)).groups(() => undefined)) {
    if (read.kind === 'read') for (const card of cardsOf(read.group)) cards.set(card.id, card);
  }
  return [...cards.values()].map((card, i) => ({ ...card, rowId: i + 1 }));
}

function cardsOf({ set: source, cards, listings }: Group): Omit<Card, 'rowId'>[] {
  const id = setId(source.game, source.code, source.name);
  const set: CardSet = { ...source, rowId: Number(source.externalId), id };
  const byCard = Map.groupBy(listings, ({ externalId }) => externalId);
  if (cards === 'unchanged') throw new Error('the starter catalogue has no unchanged sets');
  return cards.map(({ externalId, name, number, rarity, image }) => ({
    id: `${cardId(set.game, set.code, name, number)}-${externalId}`,
    set,
    name: nameInSet(set.name, name),
    number,
    rarity,
    image,
    printings: (byCard.get(externalId) ?? []).map(({ printing, prices }, rowId) => ({
      rowId,
      name: printing,
      prices: pricesOf(prices.market ?? 0),
    })),
  }));
}
