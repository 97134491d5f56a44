import { LANGUAGES, type LanguageCode } from '../domain/languages.ts';
import { foldText } from '../domain/text.ts';
import { IntegerMap } from '../lib/integer-map.ts';

/** A name in another language than the one in which its card is catalogued. */
export interface ForeignName {
  readonly language: LanguageCode;
  readonly name: string;
}

/** A foreign name that equals, or begins with, words of a query. */
export interface FoundName {
  /** The index after its last word. */
  readonly to: number;
  /** The row ids of the cards with this name. */
  readonly cards: readonly number[];
  readonly languages: readonly LanguageCode[];
}

/** No name has more words than this, with few exceptions. */
const MOST_WORDS = 16;

/**
 * The beginning of a name needs at least this many folded letters. For logographic signs, which
 * carry more information, two are enough.
 */
const FEWEST_LETTERS = 4;
const FEWEST_SIGNS = 2;

/** At most this many names with the same beginning are compared. */
const MOST_COMPARED = 2000;

const CODES = LANGUAGES.map(({ code }) => code);

/**
 * Names of cards in other languages, by card and by name. A name that several cards have in a
 * language is kept once. Folded names are kept only as hashes, because texts in a `Map` would take
 * most of the memory.
 */
export class ForeignNames {
  /** The entries: a name in a language. The first is empty, because 0 ends the lists. */
  readonly #names: string[] = [''];
  readonly #languages: number[] = [0];
  /** The next entry with the same hash, the next one with the same beginning; 0 after the last. */
  readonly #nextSame: number[] = [0];
  readonly #nextAlike: number[] = [0];
  readonly #firstUse: number[] = [0];
  /** The first entry by its hash, and by the hash of its beginning; the hashes lack two bits. */
  readonly #byName = new IntegerMap();
  readonly #byBeginning = new IntegerMap();
  /** The uses: pairs of a card and a name. Removed uses keep their position, with the entry 0. */
  readonly #entries: number[] = [0];
  readonly #cards: number[] = [0];
  readonly #nextOfCard: number[] = [0];
  readonly #nextOfEntry: number[] = [0];
  readonly #byCard = new IntegerMap();

  /** The number of names, each counted once per language. */
  get count(): number {
    return this.#names.length - 1;
  }

  /** Gives a card a name in a language, in place of the one that it had. */
  put(card: number, language: LanguageCode, name: string): void {
    const code = CODES.indexOf(language);
    const before = this.#usesOf(card).find((use) => this.#languageOf(use) === code);
    if (before !== undefined && this.#nameOf(before) === name) return;
    if (before !== undefined) this.#entries[before] = 0;
    const entry = this.#entryOf(name, code);
    const use = this.#entries.push(entry) - 1;
    this.#cards.push(card);
    this.#nextOfCard.push(this.#byCard.get(card) ?? 0);
    this.#byCard.set(card, use);
    this.#nextOfEntry.push(this.#firstUse[entry] ?? 0);
    this.#firstUse[entry] = use;
  }

  /** Returns the names of a card, in the order of the languages. */
  of(card: number): ForeignName[] {
    if (this.count === 0) return [];
    const uses = this.#usesOf(card);
    uses.sort((a, b) => (this.#languageOf(a) ?? 0) - (this.#languageOf(b) ?? 0));
    return uses.map((use) => {
      const language = CODES[this.#languageOf(use) ?? 0] ?? 'en';
      return { language, name: this.#nameOf(use) };
    });
  }

  /** Finds the longest name that matches folded words, starting at one of them. */
  find(words: readonly string[], from: number): FoundName | undefined {
    if (this.count === 0) return undefined;
    let hash = EMPTY_HASH;
    let folded = '';
    let longest: FoundName | undefined;
    for (let to = from; to < words.length && to < from + MOST_WORDS; to++) {
      const word = words[to] ?? '';
      hash = hashOf(word, hash);
      folded += word;
      const entries = this.#named(hash, folded);
      if (entries.length > 0) longest = this.#found(to + 1, entries);
    }
    return longest;
  }

  /** Finds the shortest names that begin with all of some folded words: at most `most`. */
  complete(words: readonly string[], most: number): FoundName[] {
    const folded = words.join('');
    const beginning = beginningOf(folded);
    if (this.count === 0 || beginning === undefined) return [];
    const found: { readonly entry: number; readonly length: number }[] = [];
    let entry = this.#byBeginning.get(hashOf(beginning) >>> 2) ?? 0;
    for (let i = 0; entry !== 0 && i < MOST_COMPARED; i++) {
      const name = foldText(this.#names[entry] ?? '');
      if (name.startsWith(folded)) found.push({ entry, length: name.length });
      entry = this.#nextAlike[entry] ?? 0;
    }
    found.sort((a, b) => a.length - b.length || a.entry - b.entry);
    return found.slice(0, most).map((one) => this.#found(words.length, [one.entry]));
  }

  #found(to: number, entries: readonly number[]): FoundName {
    const cards = new Set<number>();
    const languages = new Set<LanguageCode>();
    for (const entry of entries) {
      let isUsed = false;
      for (let use = this.#firstUse[entry] ?? 0; use !== 0; use = this.#nextOfEntry[use] ?? 0) {
        if (this.#entries[use] !== entry) continue;
        cards.add(this.#cards[use] ?? 0);
        isUsed = true;
      }
      const language = CODES[this.#languages[entry] ?? 0];
      if (isUsed && language) languages.add(language);
    }
    return { to, cards: [...cards], languages: [...languages] };
  }

  /** Returns the entries with a folded name. */
  #named(hash: number, folded: string): number[] {
    const entries: number[] = [];
    let entry = this.#byName.get(hash >>> 2) ?? 0;
    for (; entry !== 0; entry = this.#nextSame[entry] ?? 0) {
      if (foldText(this.#names[entry] ?? '') === folded) entries.push(entry);
    }
    return entries;
  }

  #entryOf(name: string, code: number): number {
    const folded = foldText(name);
    const hash = hashOf(folded);
    const known = this.#named(hash, folded).find((entry) => {
      return this.#names[entry] === name && this.#languages[entry] === code;
    });
    return known ?? this.#addEntry(name, folded, code, hash);
  }

  #addEntry(name: string, folded: string, code: number, hash: number): number {
    const entry = this.#names.push(name) - 1;
    this.#languages.push(code);
    this.#firstUse.push(0);
    this.#nextSame.push(this.#byName.get(hash >>> 2) ?? 0);
    this.#byName.set(hash >>> 2, entry);
    const beginning = beginningOf(folded);
    const alike = hashOf(beginning ?? '') >>> 2;
    this.#nextAlike.push(beginning === undefined ? 0 : (this.#byBeginning.get(alike) ?? 0));
    if (beginning !== undefined) this.#byBeginning.set(alike, entry);
    return entry;
  }

  #usesOf(card: number): number[] {
    const uses: number[] = [];
    for (let use = this.#byCard.get(card) ?? 0; use !== 0; use = this.#nextOfCard[use] ?? 0) {
      if (this.#entries[use] !== 0) uses.push(use);
    }
    return uses;
  }

  #nameOf(use: number): string {
    return this.#names[this.#entries[use] ?? 0] ?? '';
  }

  #languageOf(use: number): number | undefined {
    return this.#languages[this.#entries[use] ?? 0];
  }
}

/** Returns the letters by which beginnings of names are found; undefined if there are too few. */
function beginningOf(folded: string): string | undefined {
  const fewest = folded.charCodeAt(0) > LAST_LETTER ? FEWEST_SIGNS : FEWEST_LETTERS;
  return folded.length < fewest ? undefined : folded.slice(0, fewest);
}

/** The last code unit of the alphabets. Most scripts after it write a word in one or two signs. */
const LAST_LETTER = 0x0fff;

const EMPTY_HASH = 0x811c9dc5;

/**
 * Returns the FNV-1a hash of a text, as an unsigned 32-bit number. `before` is the hash of its
 * beginning.
 */
function hashOf(text: string, before = EMPTY_HASH): number {
  let hash = before;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  }
  return hash;
}
