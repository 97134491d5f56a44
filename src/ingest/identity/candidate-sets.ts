import { isOversizedSet } from '../../domain/card-name.ts';
import { numberForms } from '../../domain/collector-number.ts';
import {
  type ComparableName,
  readName,
  variantWords,
  withoutArts,
} from '../../domain/naming/comparable-name.ts';
import { type GameRules, OVERSIZED, type VariantSet } from '../../domain/naming/game-rules.ts';
import { foldCode, SetNames, setNames } from '../../domain/naming/set-names.ts';
import { withoutZeros } from '../../domain/text.ts';
import type { CardReference } from '../../sources/contract/feed.ts';
import type { KnownCard } from '../../store/catalogue/identities.ts';
import type { StoredSet } from '../../store/catalogue/records.ts';

/** A card of ours, prepared for comparison with references. */
export interface IndexedCard {
  readonly card: KnownCard;
  readonly name: ComparableName;
  /** The words of its variants that neither its number nor its rarity implies. */
  readonly ownWords: string;
  /** Whether the set collects cards of other sets, so numbers do not distinguish arts. */
  readonly isMixed: boolean;
}

/** The facts about a set that its index needs. */
export interface SetFacts {
  readonly rules: GameRules;
  /** Folded, as the prefix of numbers. */
  readonly code: string;
  /** In folded words. */
  readonly names: readonly string[];
}

/**
 * A variant that distinguishes nothing in a set of promos, in which every promo has its own number.
 */
const EVENT = 'prerelease';

/** The cards of one set, by number and by title. */
export class SetIndex {
  readonly #byNumber = new Map<string, IndexedCard[]>();
  readonly #byTitle = new Map<string, IndexedCard[]>();
  readonly #code: string;

  constructor({ rules, code, names }: SetFacts, cards: readonly KnownCard[]) {
    this.#code = code;
    const isMixed = names.some((name) => rules.mixedSets?.test(name));
    const isPromo =
      rules.isArtNumbered && !isMixed && names.some((name) => /\bpromos?\b/.test(name));
    for (const card of cards) {
      const name = readName(rules, card.name, null);
      const forms = numberForms(card.number, code);
      const variants = (isMixed ? name.variants : withoutArts(rules, name.variants)).filter(
        (phrase) => !(isPromo && phrase === EVENT) && !forms.includes(withoutZeros(phrase)),
      );
      const indexed = { card, name, ownWords: variantWords(variants), isMixed };
      add(this.#byTitle, name.title, indexed);
      for (const form of new Set(forms)) add(this.#byNumber, form, indexed);
    }
  }

  /** Returns the cards that have a number, or one of several numbers. */
  withNumber(number: string): readonly IndexedCard[] {
    const forms = numberForms(number, this.#code);
    const [first = [], ...others] = forms.map((form) => this.#byNumber.get(form) ?? []);
    return others.length === 0 ? first : [...new Set([first, ...others].flat())];
  }

  /** Returns the cards that have a folded title. */
  withTitle(title: string): readonly IndexedCard[] {
    return this.#byTitle.get(title) ?? [];
  }
}

function add(index: Map<string, IndexedCard[]>, key: string, card: IndexedCard): void {
  const cards = index.get(key);
  if (cards) cards.push(card);
  else index.set(key, [card]);
}

/** A set of ours with its cards, prepared for comparison with references. */
export class IndexedSet {
  readonly row: StoredSet;
  readonly rules: GameRules;
  readonly cards: KnownCard[] = [];
  /** Its possible names, in folded words; the written one comes first. */
  readonly names: readonly string[];
  /** Folded, as the prefix of numbers. */
  readonly code: string;
  #index: SetIndex | undefined;

  constructor(row: StoredSet, rules: GameRules) {
    this.row = row;
    this.rules = rules;
    this.names = setNames(rules, row.name);
    this.code = foldCode(row.code);
  }

  /** Its cards by number and title, indexed at the first use. */
  get index(): SetIndex {
    this.#index ??= new SetIndex(this, this.cards);
    return this.#index;
  }
}

/** The sets that a reference may mean. */
export interface CandidateSets {
  readonly sets: readonly IndexedSet[];
  /** Variants that all cards of these sets have, so they distinguish none. */
  readonly impliedVariants: RegExp | null;
}

export const NO_SETS: CandidateSets = { sets: [], impliedVariants: null };

/** Finds the sets of one game by the names and codes that sources give them. */
export class SetFinder {
  readonly #rules: GameRules;
  readonly #names: SetNames<IndexedSet>;
  /** The sets of oversized cards, which other sources list in the sets of the regular cards. */
  readonly #oversized: readonly IndexedSet[];
  /** Caches results by code and name, because a source repeats the set with each card. */
  readonly #found = new Map<string, CandidateSets>();

  constructor(rules: GameRules, sets: readonly IndexedSet[]) {
    this.#rules = rules;
    this.#names = new SetNames(rules, sets);
    this.#oversized = sets.filter(({ row }) => isOversizedSet(row.name));
  }

  /**
   * Returns the sets that a reference may mean: the sets with the name and code of its set,
   * otherwise with the name, otherwise with the code. Returns none for an unknown set.
   */
  find(reference: CardReference): CandidateSets {
    const { setCode, setName, number } = reference;
    const hasSet = setCode !== null || setName !== null;
    const code = setCode ?? (hasSet ? '' : this.#codeIn(number));
    const key = `${code}\n${setName ?? ''}`;
    let candidates = this.#found.get(key);
    if (!candidates) {
      const sets = this.#find(code, setName);
      candidates = { sets: [...sets, ...this.#names.partsOf(sets)], impliedVariants: null };
      this.#found.set(key, candidates);
    }
    return this.#withVariant(candidates, reference);
  }

  #find(code: string, name: string | null): readonly IndexedSet[] {
    const named = name === null ? [] : this.#names.named(name);
    const coded = this.#names.withCode(code);
    const both = named.filter((set) => coded.includes(set));
    return [both, named, coded].find((sets) => sets.length > 0) ?? [];
  }

  #codeIn(number: string | null): string {
    return this.#rules.codeInNumber?.exec(number ?? '')?.[1] ?? '';
  }

  /** Returns the sets of the reference's variant, if that variant has its own set. */
  #withVariant(candidates: CandidateSets, reference: CardReference): CandidateSets {
    const rules = this.#rules.variantSets.filter((rule) => isWithin(candidates.sets, rule));
    const oversized = candidates.sets.length === 0 ? [] : this.#oversized;
    if (rules.length + oversized.length === 0) return candidates;
    const { title, variants } = readName(this.#rules, reference.name, reference.variant);
    if (oversized.length > 0 && variants.some((phrase) => OVERSIZED.test(phrase))) {
      return { sets: oversized, impliedVariants: null };
    }
    for (const { ownSet, variant: impliedVariants, inBoth } of rules) {
      const own = this.#names.withName(ownSet);
      if (own.length === 0) continue;
      if (inBoth.includes(title)) return { sets: [...candidates.sets, ...own], impliedVariants };
      if (variants.some((phrase) => impliedVariants.test(phrase))) {
        return { sets: own, impliedVariants };
      }
    }
    return candidates;
  }
}

function isWithin(sets: readonly IndexedSet[], { within }: VariantSet): boolean {
  return sets.some(({ names }) => names.includes(within));
}
