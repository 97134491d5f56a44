import type { Card } from '../domain/card.ts';
import { withoutBrackets } from '../domain/card-name.ts';
import type { GameSlug } from '../domain/games.ts';
import type { LanguageCode } from '../domain/languages.ts';
import type { ForeignNames, FoundName } from './foreign-names.ts';

/** The meaning of words in another language. */
export interface Translation {
  /** The index after the last word of the name. */
  readonly to: number;
  /** The languages in which this is the name. */
  readonly languages: readonly LanguageCode[];
  /** The names in the catalogue, without variants in brackets. */
  readonly names: readonly PrintedName[];
}

export interface PrintedName {
  readonly name: string;
  readonly game: GameSlug;
}

/** At most this many names are returned. */
const MOST_NAMES = 4;

/** Translates names of cards into the names of the catalogue. */
export class Translator {
  readonly #names: () => ForeignNames;
  readonly #cardOf: (rowId: number) => Card | undefined;

  /** @param cardOf Returns a live card by row id. */
  constructor(names: () => ForeignNames, cardOf: (rowId: number) => Card | undefined) {
    this.#names = names;
    this.#cardOf = cardOf;
  }

  /** Translates the longest name that matches folded words, starting at one of them. */
  find(words: readonly string[], from: number): Translation | undefined {
    const found = this.#names().find(words, from);
    return found && this.#translate([found]);
  }

  /** Translates the shortest names that begin with folded words. */
  complete(words: readonly string[]): Translation | undefined {
    return this.#translate(this.#names().complete(words, MOST_NAMES));
  }

  #translate(found: readonly FoundName[]): Translation | undefined {
    const names = new Map<string, PrintedName>();
    for (const rowId of found.flatMap(({ cards }) => cards)) {
      const card = this.#cardOf(rowId);
      if (!card || names.size === MOST_NAMES) continue;
      const { game } = card.set;
      const name = withoutBrackets(card.name);
      names.set(`${game} ${name}`, { name, game });
    }
    const [first] = found;
    if (!first || names.size === 0) return undefined;
    const languages = [...new Set(found.flatMap((one) => one.languages))];
    return { to: first.to, languages, names: [...names.values()] };
  }
}
