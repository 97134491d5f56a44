import { nameInSet } from '../../domain/card-name.ts';
import type { Group, SourceCard } from '../../sources/contract/snapshot.ts';
import {
  cardsWithoutExternalId,
  findCardsByExternalId,
  findTakenIds,
  type NextRowIds,
} from '../../store/catalogue/catalogue.ts';
import type { StoredCard, StoredSet } from '../../store/catalogue/records.ts';
import type { Transaction } from '../../store/connect.ts';
import type { KnownSets, MatchedSet } from './known-sets.ts';
import type { MatchedCard } from './matched-card.ts';
import { choosePublicIds, type FittingId, fittingIds } from './public-ids.ts';
import { holdReassigned } from './reassigned.ts';

/** Recognises the sets and cards of a catalogue source, or creates new ones. */

/** A group with its set and cards of ours. */
export interface MatchedGroup {
  readonly group: Group;
  readonly set: MatchedSet;
  /** By external id. A group without cards creates no set. */
  readonly cards: ReadonlyMap<string, MatchedCard>;
}

/** The dependencies for matching groups. */
export interface MatchContext {
  readonly db: Transaction;
  readonly sets: KnownSets;
  readonly next: NextRowIds;
  readonly revision: number;
  /** Whether a source may rename a card of ours to another card. */
  readonly mayReassign: boolean;
}

/**
 * Returns the set and the cards for each group, in the order of the groups. A known id keeps its
 * card, and the card keeps its public id, even if the source has renamed it. If the id now means
 * another card, ours stays unchanged. All other cards are recognised or created. The number of
 * statements does not depend on the number of groups.
 *
 * @param groups Groups of one id space. Each set and each card is in only one of them.
 */
export async function matchGroups(
  context: MatchContext,
  groups: readonly Group[],
): Promise<MatchedGroup[]> {
  const { db } = context;
  const idSpace = groups[0]?.idSpace ?? '';
  const ids = groups.flatMap(listedIds);
  const known = await findCardsByExternalId(db, idSpace, ids);
  const compared = groups.map((group) => compare(context, group, known));
  if (!context.mayReassign) await holdReassigned(db, compared, known);
  const searched = compared.filter(({ set, unknown }) => !set.isNew && unknown.length > 0);
  const rowIds = searched.map(({ set }) => set.stored.rowId);
  const unclaimed = await cardsWithoutExternalId(db, idSpace, rowIds);
  const bySet = Map.groupBy(unclaimed, ({ setRowId }) => setRowId);
  const admitted = compared.map((one) => {
    return recogniseIn(context, one, bySet.get(one.set.stored.rowId) ?? []);
  });
  const fitting = admitted.flatMap(({ fresh }) => fresh.map(([, id]) => id));
  const taken = await findTakenIds(db, fitting);
  for (const one of admitted) addNewCards(context, one, taken);
  return admitted;
}

/** Returns the external ids of the cards that a group describes or prices, each once. */
export function listedIds({ cards, listings }: Group): string[] {
  const described = cards === 'unchanged' ? [] : cards;
  return [...new Set([...described, ...listings].map(({ externalId }) => externalId))];
}

/** A group with its cards that have a known external id. */
interface ComparedGroup {
  readonly group: Group;
  readonly set: MatchedSet;
  /** By external id. */
  readonly cards: Map<string, MatchedCard>;
  /** Cards with an external id that is new to us. */
  readonly unknown: readonly SourceCard[];
}

/** Finds the set of a group, and its cards with a known external id. */
function compare(
  { sets, next, revision }: MatchContext,
  group: Group,
  known: ReadonlyMap<string, StoredCard>,
): ComparedGroup {
  const { idSpace } = group;
  const set = sets.match(idSpace, group.set, next, revision);
  const cards = new Map<string, MatchedCard>();
  for (const id of listedIds(group)) {
    const stored = known.get(id);
    if (stored) cards.set(id, { stored, state: 'same', isNewExternalId: false });
  }
  const described = cardsOf(group);
  const unknown: SourceCard[] = [];
  for (const card of described) {
    const stored = known.get(card.externalId);
    if (!stored || becomesCard(stored, card)) unknown.push(card);
    else cards.set(card.externalId, updated(stored, card, set.stored, revision));
  }
  // A later group may also mean this set.
  if (cards.size + described.length > 0) sets.remember(idSpace, group.set.externalId, set.stored);
  return { group, set, cards, unknown };
}

/**
 * Whether a source now lists a former product as a card, because it has a number. The card is then
 * new, because a public id never passes from one to the other.
 */
function becomesCard(stored: StoredCard, card: SourceCard): boolean {
  return stored.product !== undefined && card.product === undefined;
}

/** Returns the cards that a group lists, under our names for them. */
function cardsOf({ cards, set }: Group): SourceCard[] {
  if (cards === 'unchanged') return [];
  return cards.map((card) => {
    return card.product ? card : { ...card, name: nameInSet(set.name, card.name) };
  });
}

/** Returns a card with its source's current description. */
function updated(
  stored: StoredCard,
  card: SourceCard,
  { rowId: setRowId }: StoredSet,
  revision: number,
): MatchedCard {
  const unchanged = { stored, state: 'same', isNewExternalId: false } as const;
  // A card stays a card if its source no longer gives its number and rarity.
  if (card.product && !stored.product) return unchanged;
  const { name, number, product } = card;
  // Another source may have filled in the fields that this one omits.
  const [rarity, image] = [card.rarity ?? stored.rarity, card.image ?? stored.image];
  const same =
    setRowId === stored.setRowId &&
    name === stored.name &&
    number === stored.number &&
    rarity === stored.rarity &&
    image === stored.image &&
    product?.type === stored.product?.type &&
    product?.upc === stored.product?.upc;
  if (same) return unchanged;
  const contents = stored.product?.contents ?? null;
  const facts = product && { product: { ...product, contents } };
  const next = { ...stored, setRowId, name, number, rarity, image, ...facts, revision };
  return { stored: next, state: 'changed', isNewExternalId: false };
}

interface Recognised extends ComparedGroup {
  /** The new cards, with their preferred public ids. */
  readonly fresh: readonly FittingId[];
}

/**
 * Recognises cards with new external ids. A card that is already in the set and has no id in this
 * id space yet (from the starter catalogue or another source) is recognised by a property that
 * distinguishes it from all others in the set. The rest are new.
 */
function recogniseIn(
  { revision }: MatchContext,
  compared: ComparedGroup,
  unclaimed: readonly StoredCard[],
): Recognised {
  const { set, cards, unknown } = compared;
  const pairs = recognise(
    unknown.filter((card) => !card.product),
    unclaimed,
  );
  for (const [card, known] of pairs) {
    const matched = updated(known, card, set.stored, revision);
    cards.set(card.externalId, { ...matched, isNewExternalId: true });
  }
  const fresh = unknown.filter((card) => !pairs.has(card));
  return { ...compared, fresh: fittingIds(set.stored, fresh) };
}

type Described = Pick<SourceCard, 'name' | 'number' | 'rarity'>;

/** The properties that two descriptions of one card must share, simplest first. */
const MARKS: readonly ((card: Described) => string)[] = [
  ({ name, number }) => JSON.stringify([name, number]),
  ({ name, number, rarity }) => JSON.stringify([name, number, rarity]),
];

/** Pairs a card with a known one if each is the only one with its mark. Omits the others. */
function recognise(cards: readonly SourceCard[], known: readonly StoredCard[]) {
  const pairs = new Map<SourceCard, StoredCard>();
  if (known.length === 0) return pairs;
  const used = new Set<StoredCard>();
  for (const mark of MARKS) {
    const knownByMark = Map.groupBy(
      known.filter((one) => !used.has(one)),
      mark,
    );
    const cardsByMark = Map.groupBy(
      cards.filter((card) => !pairs.has(card)),
      mark,
    );
    for (const [value, [card, ...otherCards]] of cardsByMark) {
      const [one, ...others] = knownByMark.get(value) ?? [];
      if (!card || !one || otherCards.length + others.length > 0) continue;
      pairs.set(card, one);
      used.add(one);
    }
  }
  return pairs;
}

/** Creates the new cards of a group, and marks their public ids as taken. */
function addNewCards(
  { next, revision }: MatchContext,
  { set, cards, fresh }: Recognised,
  taken: Set<string>,
): void {
  for (const [card, id] of choosePublicIds(fresh, taken)) {
    const { externalId, name, number, rarity, image, product } = card;
    const setRowId = set.stored.rowId;
    const described = {
      setRowId,
      name,
      number,
      rarity,
      image,
      ...(product && { product: { ...product, contents: null } }),
    };
    const stored = { rowId: next.card++, id, ...described, revision };
    cards.set(externalId, { stored, state: 'new', isNewExternalId: true });
    taken.add(id);
  }
}
