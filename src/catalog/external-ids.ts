import type { ExternalId } from '../domain/id-spaces.ts';

/** The external ids of all cards, by id and by card. */
export class ExternalIds {
  readonly #spaces = new Map<string, IdSpace>();

  /** Replaces the external ids of a card. An id that another card had is of this one from now on. */
  put(rowId: number, ids: readonly ExternalId[]): void {
    for (const { space } of ids) {
      if (!this.#spaces.has(space)) this.#spaces.set(space, new IdSpace());
    }
    for (const [name, space] of this.#spaces) {
      space.put(
        rowId,
        ids.filter((one) => one.space === name).map(({ id }) => compact(id)),
      );
    }
  }

  /** The row id of the card that has an external id. */
  find({ space, id }: ExternalId): number | undefined {
    return this.#spaces.get(space)?.find(compact(id));
  }

  /** The external ids of a card, which is given by row id. */
  of(rowId: number): ExternalId[] {
    return [...this.#spaces].flatMap(([space, ids]) => {
      return ids.of(rowId).map((id) => ({ space, id: String(id) }));
    });
  }
}

/** An id as it is kept: a number takes a fraction of the memory of a text. */
type CompactId = string | number;

function compact(id: string): CompactId {
  return /^(?:0|[1-9]\d{0,8})$/.test(id) ? Number(id) : id;
}

/** The ids of one id space. */
class IdSpace {
  /** Row ids of cards. */
  readonly #cards = new Map<CompactId, number>();
  /** By row id of the card, in a list only where a card has several. */
  readonly #ids: (CompactId | readonly CompactId[] | undefined)[] = [];

  put(rowId: number, ids: readonly CompactId[]): void {
    for (const id of this.of(rowId)) if (this.#cards.get(id) === rowId) this.#cards.delete(id);
    if (ids.length > 0 || rowId < this.#ids.length)
      this.#ids[rowId] = ids.length > 1 ? ids : ids[0];
    for (const id of ids) this.#cards.set(id, rowId);
  }

  find(id: CompactId): number | undefined {
    return this.#cards.get(id);
  }

  of(rowId: number): readonly CompactId[] {
    return [this.#ids[rowId] ?? []].flat();
  }
}
