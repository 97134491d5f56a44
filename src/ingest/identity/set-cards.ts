import { withoutZeros } from '../../domain/text.ts';
import type { KnownCard } from '../../store/identities.ts';
import type { GameRules } from './game-rules.ts';
import { numberForms } from './numbers.ts';
import { type CardName, readName, withoutArts, wordsOf } from './reading.ts';

/** A card of ours with its name taken apart. */
export interface ReadCard {
  readonly card: KnownCard;
  readonly name: CardName;
  /** The words of its variants that neither its number nor its rarity tells. */
  readonly untold: string;
  /** Whether the numbers of its set tell nothing of the art. */
  readonly isMixed: boolean;
}

/** What is known of the set itself. */
export interface SetFacts {
  readonly rules: GameRules;
  /** As numbers begin with it. */
  readonly code: string;
  /** In folded words. */
  readonly names: readonly string[];
}

/** In a set of promos the number is that of the promo, whatever event it was for. */
const EVENT = 'prerelease';

/** The cards of one set, by number and by title. */
export class SetCards {
  readonly #byNumber = new Map<string, ReadCard[]>();
  readonly #byTitle = new Map<string, ReadCard[]>();
  readonly #code: string;

  constructor({ rules, code, names }: SetFacts, cards: readonly KnownCard[]) {
    this.#code = code;
    const isMixed = names.some((name) => rules.mixedSets?.test(name));
    const isPromo =
      rules.numberTellsArt && !isMixed && names.some((name) => /\bpromos?\b/.test(name));
    for (const card of cards) {
      const name = readName(rules, card.name, null);
      const forms = numberForms(card.number, code);
      const variants = (isMixed ? name.variants : withoutArts(rules, name.variants)).filter(
        (phrase) => !(isPromo && phrase === EVENT) && !forms.includes(withoutZeros(phrase)),
      );
      const read = { card, name, untold: wordsOf(variants), isMixed };
      append(this.#byTitle, name.title, read);
      for (const form of new Set(forms)) append(this.#byNumber, form, read);
    }
  }

  /** The cards that bear a number. */
  numbered(number: string): readonly ReadCard[] {
    const forms = numberForms(number, this.#code);
    const [first = [], ...others] = forms.map((form) => this.#byNumber.get(form) ?? []);
    return others.length === 0 ? first : [...new Set([first, ...others].flat())];
  }

  titled(title: string): readonly ReadCard[] {
    return this.#byTitle.get(title) ?? [];
  }
}

function append(index: Map<string, ReadCard[]>, key: string, card: ReadCard): void {
  const cards = index.get(key);
  if (cards) cards.push(card);
  else index.set(key, [card]);
}
