import type { ExternalId } from '../domain/sources.ts';
import { IntegerMap } from '../lib/integer-map.ts';
import { AmountColumn } from './columns.ts';

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

  /** The row ids of the cards with an id of a space whose ids are not numbers. */
  textOwners(space: string): Iterable<number> {
    return this.#spaces.get(space)?.textOwners() ?? [];
  }

  /** The external ids of a card, by row id of the card. */
  of(rowId: number): ExternalId[] {
    return [...this.#spaces].flatMap(([space, ids]) => {
      return ids.of(rowId).map((id) => ({ space, id: String(id) }));
    });
  }
}

/** An id in memory: a number takes far less memory than a text. */
type CompactId = string | number;

function compact(id: string): CompactId {
  return /^(?:0|[1-9]\d{0,8})$/.test(id) ? Number(id) : id;
}

/** The ids of one id space. */
class IdSpace {
  /** Row ids of cards, by id. */
  readonly #ofNumbers = new IntegerMap();
  readonly #ofTexts = new Map<string, number>();
  /** The id of each card with exactly one id, which is a number. */
  readonly #numbers = new AmountColumn<number>();
  /** The ids of all other cards, by row id. */
  readonly #others = new Map<number, readonly CompactId[]>();

  add(rowId: number, id: CompactId): void {
    const owner = this.find(id);
    if (owner === rowId) return;
    if (owner !== undefined) {
      const left = this.of(owner).filter((other) => other !== id);
      this.#set(owner, left);
    }
    this.#set(rowId, [...this.of(rowId), id]);
    if (typeof id === 'number') this.#ofNumbers.set(id, rowId);
    else this.#ofTexts.set(id, rowId);
  }

  find(id: CompactId): number | undefined {
    return typeof id === 'number' ? this.#ofNumbers.get(id) : this.#ofTexts.get(id);
  }

  textOwners(): Iterable<number> {
    return this.#ofTexts.values();
  }

  of(rowId: number): readonly CompactId[] {
    const number = this.#numbers.get(rowId);
    return number === null ? (this.#others.get(rowId) ?? []) : [number];
  }

  #set(rowId: number, ids: readonly CompactId[]): void {
    const [first] = ids;
    const isNumber = ids.length === 1 && typeof first === 'number';
    this.#numbers.set(rowId, isNumber ? first : null);
    if (isNumber || ids.length === 0) this.#others.delete(rowId);
    else this.#others.set(rowId, ids);
  }
}
