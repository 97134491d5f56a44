import type { Card } from '../../src/domain/card.ts';
import { bracketsOf } from '../../src/domain/card-name.ts';
import { collectorPart } from '../../src/domain/collector-number.ts';
import type { GameSlug } from '../../src/domain/games.ts';
import { foldText, withoutZeros } from '../../src/domain/text.ts';
import { plainName } from '../search/queries.ts';

/** The fields of a card that an item has in addition to its name. */
export interface Written {
  readonly set?: 'name' | 'code';
  readonly number?: boolean;
  readonly rarity?: boolean;
  /** An external id, which means one card. */
  readonly id?: boolean;
}

/** The cards, by what people write of them. */
export class Catalogue {
  readonly cards: readonly Card[];
  readonly #byGame: ReadonlyMap<GameSlug, readonly Card[]>;
  readonly #bySet: ReadonlyMap<number, readonly Card[]>;
  readonly #byName: ReadonlyMap<string, readonly Card[]>;
  /** The folded names of all games, one a line. */
  readonly #names: string;

  constructor(cards: readonly Card[]) {
    this.cards = cards;
    this.#byGame = Map.groupBy(cards, ({ set }) => set.game);
    this.#bySet = Map.groupBy(cards, ({ set }) => set.rowId);
    this.#names = [...new Set(cards.map(({ name }) => foldText(name)))].join('\n');
    this.#byName = Map.groupBy(cards, nameKey);
  }

  ofGame(game: GameSlug): readonly Card[] {
    return this.#byGame.get(game) ?? [];
  }

  /** The cards of its set; itself too. */
  ofSet({ set }: Card): readonly Card[] {
    return this.#bySet.get(set.rowId) ?? [];
  }

  /** Whether the name of a card of any game contains this text. */
  isPartOfName(text: string): boolean {
    return this.#names.includes(foldText(text));
  }

  /** The cards of its game with the same name, ignoring brackets. Includes the card itself. */
  namesakes(card: Card): readonly Card[] {
    return this.#byName.get(nameKey(card)) ?? [];
  }

  /** Whether an item has to say what stands in brackets, because other cards are alike without. */
  needsTreatment(card: Card, written: Written): boolean {
    return this.#alike(card, written).some((other) => foldText(other.name) !== foldText(card.name));
  }

  /** The other cards that an item describes as well, if it has the text in brackets. */
  rivals(card: Card, written: Written): Card[] {
    return this.#alike(card, written).filter((other) => {
      return foldText(other.name) === foldText(card.name);
    });
  }

  #alike(card: Card, { set, number, rarity, id }: Written): Card[] {
    if (id === true) return [];
    return this.namesakes(card).filter((other) => {
      return (
        other !== card &&
        (set === undefined || isSameSet(other, card, set)) &&
        (number !== true || isSameNumber(other, card)) &&
        (rarity !== true || other.rarity === card.rarity)
      );
    });
  }
}

/** What stands in the brackets of a card's name, as one text; empty without any. */
export function treatmentOf({ name }: Card): string {
  return bracketsOf(name).join(' ');
}

function nameKey({ set, name }: Card): string {
  return `${set.game} ${foldText(plainName(name))}`;
}

function isSameSet({ set: a }: Card, { set: b }: Card, by: 'name' | 'code'): boolean {
  return by === 'code' ? a.code === b.code : foldText(a.name) === foldText(b.name);
}

function isSameNumber(a: Card, b: Card): boolean {
  return numberKey(a) === numberKey(b);
}

function numberKey({ number }: Card): string {
  return withoutZeros(foldText(collectorPart(number ?? '')));
}
