import { withoutBrackets } from '../domain/card-name.ts';
import { foldWords, isJapanese } from '../domain/text.ts';
import { firstLetter, firstLetters } from './letters.ts';
import type { Name, NameKey } from './records.ts';
import { ownRank, SortedList } from './sorted.ts';
import { Spelling } from './spelling.ts';
import { Vocabulary } from './vocabulary.ts';

/** The names of all cards, and the words that lead to them. */
export class Names {
  /** By their index. */
  readonly #all: Name[] = [];
  readonly words = new Vocabulary(this.#all);
  /** The rests of Japanese words from each character on: Japanese is also found by part. */
  readonly tails = new Vocabulary(this.#all);
  readonly spelling = new Spelling();
  readonly #byText = new Map<string, Name>();
  readonly #sorted = new SortedList<Name>(
    ({ words, text }) => `${words.join(' ')}\n${text}`,
    ownRank,
  );

  /** The name with this spelling, one object for all cards that bear it. */
  add(text: string): Name {
    const known = this.#byText.get(text);
    if (known) return known;
    const name = makeName(text, this.#all.length, this.words);
    this.#byText.set(text, name);
    this.#all.push(name);
    this.#sorted.stage(name);
    for (const word of name.words) this.#addWord(word, name);
    return name;
  }

  /** Puts the names added since the last time in order, and their words too. */
  settle(): void {
    this.words.settle();
    this.tails.settle();
    this.#sorted.settle();
  }

  #addWord(word: string, name: Name): void {
    const fresh = this.words.add(word, name);
    if (fresh) this.spelling.add(fresh);
    if (!isJapanese(word)) return;
    for (let i = 1; i < word.length; i++) this.tails.add(word.slice(i), name);
  }
}

function makeName(text: string, index: number, vocabulary: Vocabulary): Name {
  const words = foldWords(text).map((word) => vocabulary.shared(word));
  const plain = withoutBrackets(text);
  const others = plain.includes(' // ') ? plain.split(' // ') : [];
  if (plain !== text) others.unshift(plain);
  const otherKeys = others.length === 0 ? NONE : others.map(nameKey);
  const key = words.join('');
  return {
    // What is looked at for each candidate comes first: it is then next to each other in memory.
    seen: 0,
    initials: firstLetters(words),
    openings: firstLetter(key) | firstLetters(otherKeys.map((other) => other.text)),
    slots: [],
    key,
    otherKeys,
    words,
    text,
    plain,
    index,
    rank: 0,
  };
}

/** One for all: most names have no other keys. */
const NONE: readonly NameKey[] = [];

function nameKey(text: string): NameKey {
  const words = foldWords(text);
  return { text: words.join(''), wordCount: words.length };
}
