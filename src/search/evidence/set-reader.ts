import type { GameSlug } from '../../domain/games.ts';
import type { IndexedSet } from '../fields.ts';
import type { Phrase } from '../lexicon/index.ts';
import { type Hits, keepSurest } from './hits.ts';
import type { WordPhrase, Words } from './words.ts';

/** The bonus for a full set name, in bits. Part of a set name gets part of it. */
const SET_BITS = 1.5;

/** How well a set fits the words of a query, for each word and as a whole. */
export interface SetEvidence {
  readonly certainties: Float32Array;
  /** The share of the name that was typed; 1 if the code was typed. */
  readonly coverage: number;
  /** The bonus, in bits. */
  readonly bits: number;
  /** The phrases that may agree with cards of the set's game. */
  readonly phrases: readonly WordPhrase[];
  /** Whether it has none of the words, and no phrase may agree with its cards. */
  readonly isSilent: boolean;
}

/** Compares sets with the words of a query, each set once. */
export class SetReader {
  readonly #words: Words;
  readonly #known = new Map<IndexedSet, SetEvidence>();
  /** The evidence of all sets of a game that have none of the words. */
  readonly #noneByGame = new Map<GameSlug, SetEvidence>();

  constructor(words: Words) {
    this.#words = words;
  }

  read(set: IndexedSet): SetEvidence {
    const known = this.#known.get(set);
    if (known) return known;
    const none = this.#noneOf(set.game);
    const evidence = mayHaveWords(set, this.#words.inSets) ? this.#compare(set, none) : none;
    this.#known.set(set, evidence);
    return evidence;
  }

  #compare(set: IndexedSet, { phrases }: SetEvidence): SetEvidence {
    const { inSets, words } = this.#words;
    const certainties = new Float32Array(words.length);
    let typed = 0;
    for (const term of set.terms) {
      const hits = inSets.of(term);
      if (hits) typed += keepSurest(certainties, hits, 1);
    }
    for (const word of set.leadingCode) keepSurest(certainties, inSets.of(word) ?? [], 1);
    const byCode = inSets.of(set.code);
    const isCode = byCode !== undefined && keepSurest(certainties, byCode, 1) === 1;
    const share = typed / Math.max(1, set.terms.length);
    // A code may also be a word of a name (`ex`), so it gets no bonus.
    return {
      certainties,
      coverage: isCode ? 1 : share,
      bits: SET_BITS * share,
      phrases,
      isSilent: false,
    };
  }

  #noneOf(game: GameSlug): SetEvidence {
    const known = this.#noneByGame.get(game);
    if (known) return known;
    const { words, phrases: all } = this.#words;
    const phrases = all.filter(({ phrase }) => mayAgree(phrase, game));
    const certainties = new Float32Array(words.length);
    const none = { certainties, coverage: 0, bits: 0, phrases, isSilent: phrases.length === 0 };
    this.#noneByGame.set(game, none);
    return none;
  }
}

/** Whether the name or the code of a set may have a word. Most sets have none. */
function mayHaveWords({ terms, leadingCode, code }: IndexedSet, inSets: Hits): boolean {
  for (const term of terms) if (inSets.of(term)) return true;
  for (const word of leadingCode) if (inSets.of(word)) return true;
  return inSets.of(code) !== undefined;
}

/** Whether a phrase describes cards, and cards of this game may agree with it. */
function mayAgree({ fits, games }: Phrase, game: GameSlug): boolean {
  return fits !== undefined && (games?.includes(game) ?? true);
}
