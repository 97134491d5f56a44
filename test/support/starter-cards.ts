import assert from 'node:assert/strict';
import type { Card, CardSet } from '../../src/domain/card.ts';
import { nameInSet } from '../../src/domain/card-name.ts';
import { cardId, setId } from '../../src/domain/ids.ts';
import type { Group } from '../../src/sources/contract/snapshot.ts';
import { openStarter } from '../../src/sources/starter.ts';
import { pricesOf } from '../search/search-cards.ts';

const STARTER = new URL('../../data/starter/', import.meta.url);

/** Reads all cards of the starter catalogue, without a database. */
export async function readStarterCards(): Promise<Card[]> {
  const groups: Group[] = [];
  for await (const read of (await openStarter(STARTER)).groups(() => undefined)) {
    if (read.kind === 'read') groups.push(read.group);
  }
  const cards = new Map<string, Omit<Card, 'rowId'>>();
  let setRowId = 0;
  for (const parts of Map.groupBy(groups, ({ set }) => set.externalId).values()) {
    setRowId += 1;
    for (const card of cardsOf(parts, setRowId)) cards.set(card.id, card);
  }
  return [...cards.values()].map((card, i) => ({ ...card, rowId: i + 1 }));
}

/**
 * Returns the cards of a set. Only its first group contains them; each group has the prices of one
 * moment.
 */
function cardsOf(groups: readonly Group[], setRowId: number): Omit<Card, 'rowId'>[] {
  const [{ set: source, cards } = assert.fail()] = groups;
  const listings = groups.flatMap((group) => group.listings);
  const id = setId(source.game, source.code, source.name);
  const set: CardSet = { ...source, rowId: setRowId, id };
  const byCard = Map.groupBy(listings, ({ externalId }) => externalId);
  if (cards === 'unchanged') throw new Error('the first group of a set has its cards');
  const listed = cards.filter(({ product }) => product === undefined);
  return listed.map(({ externalId, name, number, rarity, image }) => ({
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
