import { append } from '../lib/append.ts';
import type { DocId, Documents } from './cards.ts';
import { Names } from './names.ts';
import { type MeantNumbers, Numbers } from './numbers.ts';
import type { PrintedNumber } from './records.ts';

/** Everything by which a word can find cards: names, printed numbers, codes of sets. */
export class Lexicon {
  readonly names = new Names();
  readonly numbers = new Numbers();
  readonly #cards: Documents;
  readonly #codes = new Map<string, DocId[]>();

  constructor(cards: Documents) {
    this.#cards = cards;
  }

  /** Lists a card under its number and codes. */
  addCard(slot: DocId): void {
    const number = this.#cards.number(slot);
    const { code } = this.#cards.set(slot);
    number.slots = append(number.slots, slot);
    this.#addCode(code, slot);
    if (number.code !== '' && number.code !== code) this.#addCode(number.code, slot);
  }

  /** Prepares what was added since the last time to be found. */
  settle(): void {
    this.names.settle();
    this.numbers.settle();
  }

  /** The cards under a folded code: their set's, or the one in front of their number. */
  withCode(code: string): readonly DocId[] {
    return this.#codes.get(code) ?? [];
  }

  /** Whether a visible card is under a code. */
  hasCode(code: string): boolean {
    return this.#cards.isAnyLive(this.withCode(code));
  }

  /** Whether a visible card bears one of some numbers. */
  isAnyBorne(numbers: readonly PrintedNumber[]): boolean {
    return numbers.some(({ slots }) => this.#cards.isAnyLive(slots));
  }

  /** Whether any of some cards is visible and bears one of these numbers. */
  isAnyNumbered(slots: readonly DocId[], numbers: MeantNumbers): boolean {
    return slots.some((slot) => {
      return this.#cards.isLive(slot) && numbers.has(this.#cards.number(slot));
    });
  }

  #addCode(code: string, slot: DocId): void {
    this.#codes.set(code, append(this.#codes.get(code) ?? [], slot));
  }
}
