import type { SearchedFacts } from '../domain/searched-facts.ts';

/**
 * The facts of cards in columns by row id. Many cards share what is searched, so each text is kept
 * once, and a condition is decided once for each text instead of for each card.
 */
export class FactColumns {
  readonly words = new TextColumn();
  readonly numbers = new TextColumn();
  readonly artists = new TextColumn();
  readonly #known = new TextColumn();

  put(card: number, { words, numbers, artist }: SearchedFacts): void {
    this.words.put(card, words);
    this.numbers.put(card, numbers);
    this.artists.put(card, artist ?? '');
    this.#known.put(card, 'known');
  }

  /** Whether a card has facts, including facts that no search compares. */
  has(card: number): boolean {
    return this.#known.at(card) !== '';
  }
}

const INITIAL_CAPACITY = 1024;

/** A text for each row id; empty for most. */
export class TextColumn {
  /** Every text that a card has, or has had. */
  readonly #texts: string[] = [''];
  readonly #ids = new Map<string, number>([['', 0]]);
  #column = new Uint32Array(INITIAL_CAPACITY);

  put(rowId: number, text: string): void {
    let id = this.#ids.get(text);
    if (id === undefined) {
      id = this.#texts.push(text) - 1;
      this.#ids.set(text, id);
    }
    while (rowId >= this.#column.length) this.#grow();
    this.#column[rowId] = id;
  }

  at(rowId: number): string {
    return this.#texts[this.#column[rowId] ?? 0] ?? '';
  }

  /** Whether any text passes a test. */
  some(passes: (text: string) => boolean): boolean {
    return this.#texts.some((text) => text !== '' && passes(text));
  }

  /** Returns a test of row ids, which pass if their text does. Tests each text once, here. */
  test(passes: (text: string) => boolean): (rowId: number) => boolean {
    const passing = Uint8Array.from(this.#texts, (text) => (text !== '' && passes(text) ? 1 : 0));
    return (rowId) => passing[this.#column[rowId] ?? 0] === 1;
  }

  #grow(): void {
    this.#column = new Uint32Array(this.#column.buffer.transfer(2 * this.#column.byteLength));
  }
}
