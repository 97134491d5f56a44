import { clashingId, setId } from '../../domain/ids.ts';
import type { SourceSet } from '../../sources/contract/snapshot.ts';
import type { KnownSet, NextRowIds } from '../../store/catalogue/catalogue.ts';
import type { StoredSet } from '../../store/catalogue/records.ts';

/** The set of ours for a source's set. */
export interface MatchedSet {
  readonly stored: StoredSet;
  /** Whether the source's id of the set is new to us. */
  readonly isNewExternalId: boolean;
  readonly isNew: boolean;
  /** Whether the set is new, or the source now describes it differently. */
  readonly changed: boolean;
}

/** Our sets, kept up to date during an import. */
export class KnownSets {
  readonly #sets: KnownSet[];

  constructor(sets: readonly KnownSet[]) {
    this.#sets = [...sets];
  }

  /**
   * Returns the set for a source's set: the one with its id; otherwise a set with the same game,
   * code and name that has no id in this id space yet (from the starter catalogue or another
   * source); otherwise a new set.
   */
  match(idSpace: string, set: SourceSet, next: NextRowIds, revision: number): MatchedSet {
    const byId = this.#sets.find((known) => known.externalIds.get(idSpace) === set.externalId);
    const known =
      byId ?? this.#sets.find((other) => isSameSet(other, set) && !other.externalIds.has(idSpace));
    const stored: StoredSet = {
      rowId: known?.rowId ?? next.set++,
      id: known?.id ?? this.#chooseSetId(idSpace, set),
      game: set.game,
      // The public ids of its cards contain the code, so it stays even if the source changes it.
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

  /**
   * Returns a setId for a new set. If it fits two sets, the older one gets it. Two sources may use
   * the same id for different sets, so the last choice also contains the id space.
   */
  #chooseSetId(idSpace: string, { game, code, name, externalId }: SourceSet): string {
    const fitting = setId(game, code, name);
    const isTaken = (one: string) => this.#sets.some(({ id }) => id === one);
    if (!isTaken(fitting)) return fitting;
    const clashing = clashingId(fitting, externalId);
    return isTaken(clashing) ? clashingId(fitting, `${idSpace} ${externalId}`) : clashing;
  }

  /** Remembers a set that will be written. */
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
