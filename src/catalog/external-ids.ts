import type { ExternalId } from '../domain/sources.ts';

/** The external ids of all cards, by id and by card. */
export class ExternalIds {
  readonly #spaces = new Map<string, IdSpace>();

  /** Gives an id to a card, by row id. If another card had the id, it moves to this one. */
  add(rowId: number, { space, id }: ExternalId): void {
    const ids = this.#spaces.get(space) ?? new IdSpace();
    this.#spaces.set(space, ids);
    ids.add(rowId, compact(id));
  }

  /** The row id of the card that has an external id. */
  find({ space, id }: ExternalId): number | undefined {
    return this.#spaces.get(space)?.find(compact(id));
  }

  /** The external ids of a card, by row id of the card. */
  of(rowId: number): ExternalId[] {
    return [...this.#spaces].flatMap(([space, ids]) => {
      return ids.of(rowId).map((id) => ({ space, id: String(id) }));
    });
  }
}

/** An id in memory: a number takes a fraction of the memory of a text. */
type CompactId = string | number;

function compact(id: string): CompactId {
  return /^(?:0|[1-9]\d{0,8})$/.test(id) ? Number(id) : id;
}

/** The ids of one id space. */
class IdSpace {
  /** Row ids of cards. */
  readonly #cards = new Map<CompactId, number>();
  /** Ids by row id of the card; a list only if the card has several. */
  readonly #ids: (CompactId | readonly CompactId[] | undefined)[] = [];

  add(rowId: number, id: CompactId): void {
    const owner = this.#cards.get(id);
    if (owner === rowId) return;
    if (owner !== undefined)
      this.#set(
        owner,
        this.of(owner).filter((other) => other !== id),
      );
    this.#set(rowId, [...this.of(rowId), id]);
    this.#cards.set(id, rowId);
  }

  find(id: CompactId): number | undefined {
    return this.#cards.get(id);
  }

  of(rowId: number): readonly CompactId[] {
    return [this.#ids[rowId] ?? []].flat();
  }

  #set(rowId: number, ids: readonly CompactId[]): void {
    this.#ids[rowId] = ids.length > 1 ? ids : ids[0];
  }
}
