import { nameInSet } from '../../domain/card-name.ts';
import { cardId, clashingId, compareExternalIds, setId } from '../../domain/ids.ts';
import type { Group, SourceCard, SourceSet } from '../../sources/contract/snapshot.ts';
import {
  cardsWithoutExternalId,
  findCardsByExternalId,
  findCardsById,
  type KnownSet,
  type NextRowIds,
} from '../../store/catalogue/catalogue.ts';
import type { StoredCard, StoredSet } from '../../store/catalogue/records.ts';
import type { Transaction } from '../../store/connect.ts';

/** Recognises the sets and cards of a source that gives the catalogue, or creates new ones. */

/** The set of ours that a source means. */
export interface MatchedSet {
  readonly stored: StoredSet;
  /** Whether the source's id of the set is new to us. */
  readonly isNewExternalId: boolean;
  readonly isNew: boolean;
  /** Whether the set is new, or the source now describes it differently. */
  readonly changed: boolean;
}

/** The card of ours that a source means. */
export interface MatchedCard {
  readonly stored: StoredCard;
  readonly state: 'new' | 'changed' | 'same';
  /** Whether the source's id of the card is new to us. */
  readonly isNewExternalId: boolean;
}

/** The sets that we have, kept up to date during an import. */
export class KnownSets {
  readonly #sets: KnownSet[];

  constructor(sets: readonly KnownSet[]) {
    this.#sets = [...sets];
  }

  /**
   * Returns the set that a source means. This is the set with its id; otherwise a set with the same
   * game, code and name that has no id in this id space yet (from the starter catalogue or another
   * source); otherwise a new set.
   */
  match(idSpace: string, set: SourceSet, next: NextRowIds, revision: number): MatchedSet {
    const byId = this.#sets.find((known) => known.externalIds.get(idSpace) === set.externalId);
    const known =
      byId ?? this.#sets.find((other) => isSameSet(other, set) && !other.externalIds.has(idSpace));
    const stored: StoredSet = {
      rowId: known?.rowId ?? next.set++,
      id: known?.id ?? this.#chooseSetId(set),
      game: set.game,
      // The public ids of its cards contain the code, so it stays when the source changes it.
      code: known?.code ?? set.code,
      name: set.name,
      releaseDate: set.releaseDate ?? known?.releaseDate ?? null,
      revision,
    };
    const changed = known?.name !== stored.name || known.releaseDate !== stored.releaseDate;
    const isNew = known === undefined;
    const current = known && !changed ? known : stored;
    return { stored: current, isNew, isNewExternalId: !byId, changed };
  }

  /** Returns a setId for a new set. If it fits two sets, the older one gets it. */
  #chooseSetId({ game, code, name, externalId }: SourceSet): string {
    const fitting = setId(game, code, name);
    const isTaken = this.#sets.some(({ id }) => id === fitting);
    return isTaken ? clashingId(fitting, externalId) : fitting;
  }

  /** Remembers a set once it is written. */
  remember(idSpace: string, externalId: string, set: StoredSet): void {
    const at = this.#sets.findIndex(({ rowId }) => rowId === set.rowId);
    const before = at === -1 ? undefined : this.#sets[at];
    const known = { ...set, externalIds: new Map(before?.externalIds).set(idSpace, externalId) };
    if (at === -1) this.#sets.push(known);
    else this.#sets[at] = known;
  }
}

function isSameSet(known: KnownSet, set: SourceSet): boolean {
  return known.game === set.game && known.code === set.code && known.name === set.name;
}

/** What admitting cards needs. */
export interface AdmitContext {
  readonly db: Transaction;
  readonly next: NextRowIds;
  readonly revision: number;
}

/**
 * Returns the card of each external id in a group. A known id keeps its card, and the card keeps
 * its public id, even if the source has renamed it. The other cards are recognised or new.
 */
export async function matchCards(
  context: AdmitContext,
  group: Group,
  set: MatchedSet,
): Promise<Map<string, MatchedCard>> {
  const cards = cardsOf(group);
  const ids = new Set([...cards, ...group.listings].map(({ externalId }) => externalId));
  const known = await findCardsByExternalId(context.db, group.idSpace, [...ids]);
  const matched = new Map<string, MatchedCard>();
  for (const [id, stored] of known) {
    matched.set(id, { stored, state: 'same', isNewExternalId: false });
  }
  for (const card of cards) {
    const stored = known.get(card.externalId);
    if (stored) matched.set(card.externalId, updated(stored, card, set.stored, context.revision));
  }
  const unknown = cards.filter((card) => !known.has(card.externalId));
  for (const [id, card] of await admit(context, group.idSpace, set, unknown)) matched.set(id, card);
  return matched;
}

/** Returns the cards that a group lists, as they are called here. */
function cardsOf({ cards, set }: Group): SourceCard[] {
  if (cards === 'unchanged') return [];
  return cards.map((card) => ({ ...card, name: nameInSet(set.name, card.name) }));
}

/** Returns a card as its source describes it now. */
function updated(
  stored: StoredCard,
  card: SourceCard,
  { rowId: setRowId }: StoredSet,
  revision: number,
): MatchedCard {
  const { name, number } = card;
  // What this source leaves out, another may have filled in.
  const [rarity, image] = [card.rarity ?? stored.rarity, card.image ?? stored.image];
  const same =
    setRowId === stored.setRowId &&
    name === stored.name &&
    number === stored.number &&
    rarity === stored.rarity &&
    image === stored.image;
  if (same) return { stored, state: 'same', isNewExternalId: false };
  const next = { ...stored, setRowId, name, number, rarity, image, revision };
  return { stored: next, state: 'changed', isNewExternalId: false };
}

/**
 * Returns the cards of new external ids. A card that is already in the set and has no id in this id
 * space yet (from the starter catalogue or another source) is recognised by what distinguishes it
 * from all others of the set. The rest are new.
 */
async function admit(
  context: AdmitContext,
  idSpace: string,
  set: MatchedSet,
  cards: readonly SourceCard[],
): Promise<Map<string, MatchedCard>> {
  const admitted = new Map<string, MatchedCard>();
  if (cards.length === 0) return admitted;
  const withoutId = set.isNew
    ? []
    : await cardsWithoutExternalId(context.db, idSpace, set.stored.rowId);
  for (const [card, known] of recognise(cards, withoutId)) {
    admitted.set(card.externalId, {
      ...updated(known, card, set.stored, context.revision),
      isNewExternalId: true,
    });
  }
  const fresh = cards.filter((card) => !admitted.has(card.externalId));
  const taken = await findCardsById(context.db, fittingIds(set.stored, fresh));
  for (const [card, publicId] of choosePublicIds(set.stored, fresh, taken)) {
    admitted.set(card.externalId, newCard(context, set.stored, card, publicId));
  }
  return admitted;
}

type Described = Pick<SourceCard, 'name' | 'number' | 'rarity'>;

/** What two descriptions of one card must have in common, the simplest first. */
const MARKS: readonly ((card: Described) => string)[] = [
  ({ name, number }) => JSON.stringify([name, number]),
  ({ name, number, rarity }) => JSON.stringify([name, number, rarity]),
];

/** Pairs a card with a known one if each is the only one with its mark. Leaves out the others. */
function recognise(cards: readonly SourceCard[], known: readonly StoredCard[]) {
  const pairs = new Map<SourceCard, StoredCard>();
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

function newCard(context: AdmitContext, set: StoredSet, card: SourceCard, id: string): MatchedCard {
  const { name, number, rarity, image } = card;
  const stored: StoredCard = {
    rowId: context.next.card++,
    id,
    setRowId: set.rowId,
    name,
    number,
    rarity,
    image,
    revision: context.revision,
  };
  return { stored, state: 'new', isNewExternalId: true };
}

/** Which of a source's cards get which public ids (docs/adr/0004-ids-for-good.md). */

type CodedSet = Pick<SourceSet, 'game' | 'code'>;

/** Returns the public ids that fit some cards of a set, each once. */
export function fittingIds(set: CodedSet, cards: readonly SourceCard[]): string[] {
  return [...new Set(cards.map((card) => fittingId(set, card)))];
}

/**
 * Returns a public id for each new card of a set. If one id fits several cards, the oldest gets it,
 * unless it is `taken` by a card of an older set or of an earlier import. The others get an id made
 * of their external id, so ids do not depend on the order in which a source lists its cards.
 */
export function choosePublicIds(
  set: CodedSet,
  cards: readonly SourceCard[],
  taken: Pick<ReadonlySet<string>, 'has'>,
): [card: SourceCard, publicId: string][] {
  const sorted = cards.toSorted((a, b) => compareExternalIds(a.externalId, b.externalId));
  const byFittingId = Map.groupBy(sorted, (card) => fittingId(set, card));
  return [...byFittingId].flatMap(([id, alike]) =>
    alike.map((card, index): [SourceCard, string] => {
      const isFree = index === 0 && !taken.has(id);
      return [card, isFree ? id : clashingId(id, card.externalId)];
    }),
  );
}

function fittingId({ game, code }: CodedSet, { name, number }: SourceCard): string {
  return cardId(game, code, name, number);
}
