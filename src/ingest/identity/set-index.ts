import { numberForms } from '../../domain/collector-number.ts';
import {
  type ComparableName,
  readName,
  variantWords,
  withoutArts,
} from '../../domain/naming/comparable-name.ts';
import type { GameRules } from '../../domain/naming/game-rules.ts';
import { withoutZeros } from '../../domain/text.ts';
import type { KnownCard } from '../../store/catalogue/identities.ts';

/** A card of ours as references are compared with it. */
export interface IndexedCard {
  readonly card: KnownCard;
  readonly name: ComparableName;
  /** The words of its variants that follow neither from its number nor from its rarity. */
  readonly ownWords: string;
  /** Whether the set gathers cards of other sets, so that numbers do not distinguish arts. */
  readonly isMixed: boolean;
}

/** What the index needs to know of the set. */
export interface SetFacts {
  readonly rules: GameRules;
  /** Folded, as numbers begin with it. */
  readonly code: string;
  /** In folded words. */
  readonly names: readonly string[];
}

/** A variant that says nothing in a set of promos, which number a promo for whatever event. */
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

  /** Returns the cards that bear a number, or one of several numbers. */
  withNumber(number: string): readonly IndexedCard[] {
    const forms = numberForms(number, this.#code);
    const [first = [], ...others] = forms.map((form) => this.#byNumber.get(form) ?? []);
    return others.length === 0 ? first : [...new Set([first, ...others].flat())];
  }

  /** Returns the cards that bear a folded title. */
  withTitle(title: string): readonly IndexedCard[] {
    return this.#byTitle.get(title) ?? [];
  }
}

function add(index: Map<string, IndexedCard[]>, key: string, card: IndexedCard): void {
  const cards = index.get(key);
  if (cards) cards.push(card);
  else index.set(key, [card]);
}
