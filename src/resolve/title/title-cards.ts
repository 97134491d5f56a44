import type { Card } from '../../domain/card.ts';
import { totalOf } from '../../domain/collector-number.ts';
import {
  isSimilarName,
  misreadDigits,
  misreadLetters,
  type SearchIndex,
  Text,
} from '../../search/index.ts';
import type { ResolveItem } from '../item.ts';
import { haveSameTotal, lookupForms } from '../numbers.ts';
import { type Explained, explain } from './explain.ts';
import { type NumberSpan, type Title, TitleCandidate } from './title.ts';

/** Search results compared with the title. */
const MOST_FOUND = 10;

/** Numbers shared by more cards than this do not lead to cards with similar names. */
const MOST_NUMBERED = 40;

/** Finds the cards that a title may mean. */
export class TitleCards {
  readonly #title: Title;
  readonly #game: ResolveItem['game'];
  readonly #search: SearchIndex;
  readonly #numbers: readonly LookupNumber[];
  /** The cards compared so far. Several steps compare the same ones. */
  readonly #candidates = new Map<Card, TitleCandidate>();
  /** The first search results. */
  #foundCards: readonly Card[] | undefined;

  /** @param game Omits the cards of other games. */
  constructor(title: Title, game: ResolveItem['game'], search: SearchIndex) {
    this.#title = title;
    this.#game = game;
    this.#search = search;
    this.#numbers = lookupNumbers(title);
  }

  /** Returns the card that explains most of the title; undefined if the title names none. */
  best(): Explained | undefined {
    const byNumber = this.#findByNumber();
    if (byNumber && (byNumber.leftover.length === 0 || isPlaced(byNumber))) return byNumber;
    const found = this.#bestOf(this.#found(), true);
    return byNumber && (!found || byNumber.score >= found.score) ? byNumber : found;
  }

  /** Returns the cards whose names equal the whole title except for a few letters. */
  similar(): Card[] {
    return this.#found().filter((card) => isSimilarName(this.#title.words, card.name));
  }

  #found(): readonly Card[] {
    const ofGame = this.#game === undefined ? {} : { game: this.#game };
    this.#foundCards ??= this.#search.best({
      text: queryOf(this.#title),
      ...ofGame,
      limit: MOST_FOUND,
    });
    return this.#foundCards;
  }

  /** Tries similar names if unexplained words remain next to the name. */
  #findByNumber(): Explained | undefined {
    const placed = this.#inSets();
    const exact = this.#bestOf([...placed, ...this.#named()], false);
    if (exact && !isBesideLeftover(exact)) return exact;
    const similar = this.#bestOf([...placed, ...this.numbered()], true);
    return exact && (!similar || exact.score >= similar.score) ? exact : similar;
  }

  #bestOf(cards: readonly Card[], maySimilar: boolean): Explained | undefined {
    let best: Explained | undefined;
    for (const card of new Set(cards)) {
      if (this.#game !== undefined && card.set.game !== this.#game) continue;
      const explained = explain(this.#title, this.#candidate(card), maySimilar);
      if (!explained || isOfOtherGame(explained)) continue;
      if (!best || explained.score > best.score) best = explained;
    }
    return best;
  }

  #candidate(card: Card): TitleCandidate {
    const known = this.#candidates.get(card);
    if (known) return known;
    const candidate = new TitleCandidate(card, this.#search.lookup);
    this.#candidates.set(card, candidate);
    return candidate;
  }

  /** Returns the cards with a number of the title in a set that it names. */
  #inSets(): Card[] {
    const { numbers, sets } = this.#title;
    return numbers.flatMap(({ text }) => {
      return this.#search.lookup.numberedIn(misreadDigits(text), sets);
    });
  }

  /** Returns the cards of any set whose number and name are in the title. */
  #named(): Card[] {
    const { lookup } = this.#search;
    return this.#numbers.flatMap(({ form, total }) => {
      return lookup.numberedWithin(form, total, this.#title.words);
    });
  }

  /** Returns the cards with a number of the title, if they are few. Some may be repeated. */
  numbered(): Card[] {
    return this.#numbers.flatMap(({ form, total }) => {
      const cards = this.#search.lookup.numbered(form, total);
      return cards.length > MOST_NUMBERED ? [] : cards;
    });
  }
}

/** A number in its lookup form, with its total. */
interface LookupNumber {
  readonly form: string;
  readonly total: string;
}

/**
 * Returns the numbers of a title, both as typed and corrected. Omits bare digits, because too many
 * cards have them.
 */
function lookupNumbers({ numbers }: Title): LookupNumber[] {
  return numbers.flatMap(({ text }) => {
    if (/^\d+$/.test(text)) return [];
    const read = misreadDigits(text);
    const forms = read === text ? lookupForms(text) : [...lookupForms(text), ...lookupForms(read)];
    const total = totalOf(read);
    return [...new Set(forms)].map((form) => ({ form, total }));
  });
}

function isBesideLeftover({ name, leftover }: Explained): boolean {
  return leftover.includes(name.from - 1) || leftover.includes(name.to);
}

/** Whether the title names another game than the card's. */
function isOfOtherGame({ phrases, facts }: Explained): boolean {
  return phrases.some(({ isFilter, fits }) => isFilter && fits && !fits(facts));
}

/** Returns the title with letters for digits that were misread: `bolt` for `b0lt`. */
function queryOf(title: Title): Text {
  const isMisread = (word: string) => /^[a-z]+\d+[a-z]+$/.test(word);
  if (!title.words.some(isMisread)) return title;
  return new Text(title.words.map((word) => (isMisread(word) ? misreadLetters(word) : word)));
}

/** Whether a title has a card's number and its set: by set name, code or total. */
export function isPlaced({ number, set, card }: Explained): boolean {
  return number !== undefined && (set !== undefined || isUnique(number, card));
}

/** A number with its total, or with letters: `4/102`, `OP01-025`, `SWSH039`. */
function isUnique({ text }: NumberSpan, { number }: Card): boolean {
  const read = misreadDigits(text);
  return haveSameTotal(read, number) || /[A-Za-z]/.test(read);
}
