import type { Kysely } from 'kysely';
import { cardId } from '../../domain/ids.ts';
import type { Group, SourceCard, SourceSet } from '../../sources/contract/snapshot.ts';
import {
  cardsWithoutExternalId,
  findCardsByExternalId,
  findCardsById,
  type KnownSet,
  type NextRowIds,
} from '../../store/catalogue.ts';
import type { CardRow, Database, SetRow } from '../../store/schema.ts';

/** Finds which set and cards of ours a source means, or makes room for new ones. */

export interface MatchedSet {
  readonly row: SetRow;
  /** Whether the source's key of the set is new to us. */
  readonly isNewExternalId: boolean;
  readonly isNew: boolean;
  /** Whether the set is new, or the source now describes it differently. */
  readonly changed: boolean;
}

export interface MatchedCard {
  readonly row: CardRow;
  readonly state: 'new' | 'changed' | 'same';
  /** Whether the source's key of the card is new to us. */
  readonly isNewExternalId: boolean;
}

/** The sets we have, as the importer meets them. */
export class KnownSets {
  readonly #sets: KnownSet[];

  constructor(sets: readonly KnownSet[]) {
    this.#sets = [...sets];
  }

  /**
   * The set that a source means: the one that it named before, or one of the same game, code and
   * name that it has no other key for (the starter catalogue's, another source's), or a new one.
   */
  match(ids: string, set: SourceSet, next: NextRowIds, revision: number): MatchedSet {
    const keyed = this.#sets.find((known) => known.externalIds.get(ids) === set.externalId);
    const known =
      keyed ?? this.#sets.find((other) => isSameSet(other, set) && !other.externalIds.has(ids));
    const row: SetRow = {
      id: known?.id ?? next.set++,
      game: set.game,
      // A code is a part of the ids of its cards: it stays when the source finds another.
      code: known?.code ?? set.code,
      name: set.name,
      release_date: set.releaseDate ?? known?.release_date ?? null,
      revision,
    };
    const changed = known?.name !== row.name || known.release_date !== row.release_date;
    const isNew = known === undefined;
    return { row: known && !changed ? known : row, isNew, isNewExternalId: !keyed, changed };
  }

  /** Remembers a set once it is written. */
  remember(ids: string, key: string, row: SetRow): void {
    const at = this.#sets.findIndex((known) => known.id === row.id);
    const before = at === -1 ? undefined : this.#sets[at];
    const known = { ...row, externalIds: new Map(before?.externalIds).set(ids, key) };
    if (at === -1) this.#sets.push(known);
    else this.#sets[at] = known;
  }
}

function isSameSet(known: KnownSet, set: SourceSet): boolean {
  return known.game === set.game && known.code === set.code && known.name === set.name;
}

export interface MatchRun {
  readonly db: Kysely<Database>;
  readonly next: NextRowIds;
  readonly revision: number;
}

/**
 * The card that each of a group's keys means. A key that is known keeps its card and that card
 * its id, whatever the source calls it now; the rest are new.
 */
export async function matchCards(
  run: MatchRun,
  group: Group,
  set: MatchedSet,
): Promise<Map<string, MatchedCard>> {
  const cards = group.cards === 'unchanged' ? [] : group.cards;
  const keys = new Set([...cards, ...group.listings].map(keyOf));
  const known = await findCardsByExternalId(run.db, group.idSpace, [...keys]);
  const matched = new Map<string, MatchedCard>();
  for (const [key, row] of known) matched.set(key, { row, state: 'same', isNewExternalId: false });
  for (const card of cards) {
    const row = known.get(card.externalId);
    if (row) matched.set(card.externalId, renewed(row, card, set.row, run.revision));
  }
  const fresh = cards.filter((card) => !known.has(card.externalId));
  for (const [key, card] of await admit(run, group.idSpace, set, fresh)) matched.set(key, card);
  return matched;
}

function keyOf(item: { externalId: string }): string {
  return item.externalId;
}

function renewed(row: CardRow, card: SourceCard, set: SetRow, revision: number): MatchedCard {
  const { name, number } = card;
  // What this source does not tell, another may have filled in.
  const [rarity, image] = [card.rarity ?? row.rarity, card.image ?? row.image];
  const next = { ...row, set_id: set.id, name, number, rarity, image };
  const same =
    next.set_id === row.set_id &&
    name === row.name &&
    number === row.number &&
    rarity === row.rarity &&
    image === row.image;
  return same
    ? { row, state: 'same', isNewExternalId: false }
    : { row: { ...next, revision }, state: 'changed', isNewExternalId: false };
}

/**
 * Finds new keys their cards. One that the set has already and that this source has no key for
 * yet (the starter catalogue's, another source's) is recognised by what tells it from all others
 * of the set; the rest are new. They get their ids in the order of the source's keys, so that a
 * fresh import anywhere gives the same ones.
 */
async function admit(
  run: MatchRun,
  ids: string,
  set: MatchedSet,
  cards: readonly SourceCard[],
): Promise<Map<string, MatchedCard>> {
  const admitted = new Map<string, MatchedCard>();
  if (cards.length === 0) return admitted;
  const unknown = set.isNew ? [] : await cardsWithoutExternalId(run.db, ids, set.row.id);
  for (const [card, row] of recognise(cards, unknown)) {
    admitted.set(card.externalId, {
      ...renewed(row, card, set.row, run.revision),
      isNewExternalId: true,
    });
  }
  const fresh = cards.filter((card) => !admitted.has(card.externalId)).sort(bySourceKey);
  const wished = Map.groupBy(fresh, (card) => {
    return cardId(set.row.game, set.row.code, card.name, card.number);
  });
  const taken = await findCardsById(run.db, [...wished.keys()]);
  for (const [id, claimants] of wished) {
    const isFree = (candidate: string) => {
      return candidate === id ? !taken.has(id) : !wished.has(candidate);
    };
    const free = await freeIds(run.db, id, isFree, claimants.length);
    for (const [index, card] of claimants.entries()) {
      admitted.set(card.externalId, newCard(run, set.row, card, free[index] ?? id));
    }
  }
  return admitted;
}

type Described = Pick<SourceCard, 'name' | 'number' | 'rarity'>;

/** By what two descriptions of one card are recognised, the simplest first. */
const MARKS: readonly ((card: Described) => string)[] = [
  ({ name, number }) => JSON.stringify([name, number]),
  ({ name, number, rarity }) => JSON.stringify([name, number, rarity]),
];

/** Pairs of which each side is the only one of its kind. Where two could be it, none is. */
function recognise(cards: readonly SourceCard[], rows: readonly CardRow[]) {
  const pairs = new Map<SourceCard, CardRow>();
  const used = new Set<CardRow>();
  for (const mark of MARKS) {
    const candidates = Map.groupBy(
      rows.filter((row) => !used.has(row)),
      mark,
    );
    const seekers = Map.groupBy(
      cards.filter((card) => !pairs.has(card)),
      mark,
    );
    for (const [kind, [card, ...others]] of seekers) {
      const [row, ...rivals] = candidates.get(kind) ?? [];
      if (!card || !row || others.length + rivals.length > 0) continue;
      pairs.set(card, row);
      used.add(row);
    }
  }
  return pairs;
}

/** The first `count` ids that are free among `id`, `id-2`, `id-3` … */
async function freeIds(
  db: Kysely<Database>,
  id: string,
  isFree: (candidate: string) => boolean,
  count: number,
): Promise<string[]> {
  if (count === 1 && isFree(id)) return [id];
  const free: string[] = [];
  for (let first = 1; free.length < count; first += 50) {
    const candidates = Array.from({ length: 50 }, (_, index) => {
      return first + index === 1 ? id : `${id}-${first + index}`;
    });
    const taken = await findCardsById(db, candidates);
    free.push(...candidates.filter((candidate) => !taken.has(candidate) && isFree(candidate)));
  }
  return free.slice(0, count);
}

function newCard(run: MatchRun, set: SetRow, card: SourceCard, id: string): MatchedCard {
  const { name, number, rarity, image } = card;
  const row: CardRow = {
    id: run.next.card++,
    public_id: id,
    set_id: set.id,
    name,
    number,
    rarity,
    image,
    revision: run.revision,
  };
  return { row, state: 'new', isNewExternalId: true };
}

/** Keys that are numbers in their own order, others by code point. */
function bySourceKey(a: SourceCard, b: SourceCard): number {
  return Number(a.externalId) - Number(b.externalId) || (a.externalId < b.externalId ? -1 : 1);
}
