import type { Kysely } from 'kysely';
import { cardId } from '../domain/ids.ts';
import type { Group, SourceCard, SourceSet } from '../sources/source.ts';
import {
  cardsKnownTo,
  findCardsById,
  findCardsByKey,
  type KnownSet,
  type NextKeys,
} from '../store/catalogue.ts';
import type { CardRow, Database, SetRow } from '../store/schema.ts';

/** Finds which set and cards of ours a source means, or makes room for new ones. */

export interface MatchedSet {
  readonly row: SetRow;
  /** Whether the source's key of the set is new to us. */
  readonly newKey: boolean;
  readonly isNew: boolean;
  /** Whether the set is new, or the source now describes it differently. */
  readonly changed: boolean;
}

export interface MatchedCard {
  readonly row: CardRow;
  readonly state: 'new' | 'changed' | 'same';
  /** Whether the source's key of the card is new to us. */
  readonly newKey: boolean;
}

/** The sets we have, as the importer meets them. */
export class SetBook {
  readonly #sets: KnownSet[];

  constructor(sets: readonly KnownSet[]) {
    this.#sets = [...sets];
  }

  /**
   * The set that a source means: the one that it named before, or one of the same game, code and
   * name that it has no other key for (the starter catalogue's, another source's), or a new one.
   */
  match(ids: string, set: SourceSet, next: NextKeys, revision: number): MatchedSet {
    const keyed = this.#sets.find((known) => known.keys.get(ids) === set.key);
    const known =
      keyed ?? this.#sets.find((other) => isSameSet(other, set) && !other.keys.has(ids));
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
    return { row: known && !changed ? known : row, isNew, newKey: !keyed, changed };
  }

  /** Remembers a set once it is written. */
  remember(ids: string, key: string, row: SetRow): void {
    const at = this.#sets.findIndex((known) => known.id === row.id);
    const before = at === -1 ? undefined : this.#sets[at];
    const known = { ...row, keys: new Map(before?.keys).set(ids, key) };
    if (at === -1) this.#sets.push(known);
    else this.#sets[at] = known;
  }
}

function isSameSet(known: KnownSet, set: SourceSet): boolean {
  return known.game === set.game && known.code === set.code && known.name === set.name;
}

export interface MatchRun {
  readonly db: Kysely<Database>;
  readonly next: NextKeys;
  readonly revision: number;
}

/**
 * The card that each of a group's keys means. A key that is known keeps its card and that card
 * its id, whatever the source calls it now; the rest are new.
 */
export async function matchCards(
  run: MatchRun,
  group: Group,
  set: SetRow,
): Promise<Map<string, MatchedCard>> {
  const cards = group.cards === 'unchanged' ? [] : group.cards;
  const keys = new Set([...cards, ...group.listings].map(keyOf));
  const known = await findCardsByKey(run.db, group.ids, [...keys]);
  const matched = new Map<string, MatchedCard>();
  for (const [key, row] of known) matched.set(key, { row, state: 'same', newKey: false });
  for (const card of cards) {
    const row = known.get(card.key);
    if (row) matched.set(card.key, renewed(row, card, set, run.revision));
  }
  const fresh = cards.filter((card) => !known.has(card.key));
  for (const [key, card] of await admit(run, group.ids, set, fresh)) matched.set(key, card);
  return matched;
}

function keyOf(item: { key: string } | { cardKey: string }): string {
  return 'key' in item ? item.key : item.cardKey;
}

function renewed(row: CardRow, card: SourceCard, set: SetRow, revision: number): MatchedCard {
  const { name, number, rarity, image } = card;
  const next = { ...row, set_id: set.id, name, number, rarity, image };
  const same =
    next.set_id === row.set_id &&
    name === row.name &&
    number === row.number &&
    rarity === row.rarity &&
    image === row.image;
  return same
    ? { row, state: 'same', newKey: false }
    : { row: { ...next, revision }, state: 'changed', newKey: false };
}

/**
 * Gives new cards their ids, in the order of the source's keys so that a fresh import anywhere
 * gives the same ones. A card that we have under the very same id and that this source has no
 * key for yet is that card, unless two of the group could be it.
 */
async function admit(
  run: MatchRun,
  ids: string,
  set: SetRow,
  cards: readonly SourceCard[],
): Promise<Map<string, MatchedCard>> {
  const wished = new Map<string, SourceCard[]>();
  for (const card of [...cards].sort(bySourceKey)) {
    const id = cardId(set.game, set.code, card.name, card.number);
    wished.set(id, [...(wished.get(id) ?? []), card]);
  }
  const holders = await findCardsById(run.db, [...wished.keys()]);
  const ours = await cardsKnownTo(
    run.db,
    ids,
    [...holders.values()].map((card) => card.id),
  );
  const admitted = new Map<string, MatchedCard>();
  for (const [id, claimants] of wished) {
    const holder = holders.get(id);
    const [only, ...others] = claimants;
    if (holder && only && others.length === 0 && !ours.has(holder.id)) {
      admitted.set(only.key, { ...renewed(holder, only, set, run.revision), newKey: true });
      continue;
    }
    const isFree = (candidate: string) => (candidate === id ? !holder : !wished.has(candidate));
    const free = await freeIds(run.db, id, isFree, claimants.length);
    for (const [index, card] of claimants.entries()) {
      admitted.set(card.key, newCard(run, set, card, free[index] ?? id));
    }
  }
  return admitted;
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
  return { row, state: 'new', newKey: true };
}

/** Keys that are numbers in their own order, others by code point. */
function bySourceKey(a: SourceCard, b: SourceCard): number {
  return Number(a.key) - Number(b.key) || (a.key < b.key ? -1 : 1);
}
