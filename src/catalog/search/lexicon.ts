import { append } from './append.ts';
import type { Entry } from './entries.ts';
import { Names } from './names.ts';
import { Numbers } from './numbers.ts';

/** Everything by which a word can find cards: names, printed numbers, codes of sets. */
export class Lexicon {
  readonly names = new Names();
  readonly numbers = new Numbers();
  readonly #codes = new Map<string, Entry[]>();

  /** Lists a card under its number and codes. */
  addEntry(entry: Entry): void {
    entry.number.entries = append(entry.number.entries, entry);
    this.#addCode(entry.setCode, entry);
    const { code } = entry.number;
    if (code !== '' && code !== entry.setCode) this.#addCode(code, entry);
  }

  /** Prepares what was added since the last time to be found. */
  settle(): void {
    this.names.settle();
    this.numbers.settle();
  }

  /** The cards under a folded code: their set's, or the one in front of their number. */
  withCode(code: string): readonly Entry[] {
    return this.#codes.get(code) ?? [];
  }

  #addCode(code: string, entry: Entry): void {
    this.#codes.set(code, append(this.#codes.get(code) ?? [], entry));
  }
}
