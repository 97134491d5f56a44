import type { CardFacts } from '../../src/domain/facts.ts';
import type { Group } from '../../src/sources/contract/snapshot.ts';
import { scanFacts } from '../../src/store/catalogue/facts.ts';
import { openStore } from '../../src/store/connect.ts';

/** Finds the facts of a card by its id in the tree. */
export type FindFacts = (externalId: string) => CardFacts | undefined;

/** Reads the facts in a database into which the tree and the sources of games were imported. */
export async function readFacts(location: string): Promise<FindFacts> {
  const store = await openStore(location);
  const byCard = new Map<number, CardFacts>();
  for await (const page of scanFacts(store)) {
    for (const { cardRowId, facts } of page) byCard.set(cardRowId, facts);
  }
  const ids = await store.db
    .selectFrom('card_external_ids')
    .where('id_space', '=', 'tcgcsv')
    .select(['external_id', 'card_id'])
    .execute();
  await store.close();
  const cards = new Map(ids.map(({ external_id, card_id }) => [external_id, card_id]));
  return (externalId) => byCard.get(cards.get(externalId) ?? -1);
}

/** Returns the facts without the card's texts, and without formats, which change. */
function shortFacts(facts: CardFacts | undefined): CardFacts | undefined {
  const { text, flavorText, rules, abilities, attacks, legalities, ...short } = facts ?? {};
  return Object.keys(short).length === 0 ? undefined : short;
}

/** Returns a group whose cards have short facts: from the database, otherwise from the tree. */
export function withShortFacts(group: Group, findFacts: FindFacts): Group {
  if (group.cards === 'unchanged') return group;
  const cards = group.cards.map(({ facts: own, ...card }) => {
    const facts = shortFacts(findFacts(card.externalId) ?? own);
    return { ...card, ...(facts && !card.product && { facts }) };
  });
  return { ...group, cards };
}
