import { append } from './append.ts';
import type { Cards, Slot } from './cards.ts';
import { Names } from './names.ts';
import { type MeantNumbers, Numbers } from './numbers.ts';
import type { PrintedNumber } from './records.ts';

/** Everything by which a word can find cards: names, printed numbers, codes of sets. */
export class Lexicon {
  readonly names = new Names();
  readonly numbers = new Numbers();
  readonly #cards: Cards;
  readonly #codes = new Map<string, Slot[]>();

  constructor(cards: Cards) {
    this.#cards = cards;
  }

  /** Lists a card under its number and codes. */
  addCard(slot: Slot): void {
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
  withCode(code: string): readonly Slot[] {
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
  isAnyNumbered(slots: readonly Slot[], numbers: MeantNumbers): boolean {
    return slots.some((slot) => {
      return this.#cards.isLive(slot) && numbers.has(this.#cards.number(slot));
    });
  }

  #addCode(code: string, slot: Slot): void {
    this.#codes.set(code, append(this.#codes.get(code) ?? [], slot));
  }
}
