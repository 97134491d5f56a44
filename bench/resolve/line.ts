import type { Card } from '../../src/domain/card.ts';
import type { GameSlug } from '../../src/domain/games.ts';
import type { Condition } from '../../src/domain/price.ts';
import type { ResolveItem } from '../../src/resolve/item.ts';
import type { Draw } from '../search/draw.ts';
import type { Catalogue, Written } from './catalogue.ts';

/** An item as people write it. */
export interface Line {
  readonly form: string;
  readonly item: ResolveItem;
}

/** Other details of an item, which the answer must repeat. */
export interface Details {
  readonly printing?: string;
  readonly quantity?: number;
  readonly condition?: Condition;
  readonly grade?: string;
}

/** An item that means a card. */
export interface KnownLine extends Line, Details {
  readonly card: Card;
  /** Other cards that the item describes equally well. */
  readonly rivals: readonly Card[];
}

/** An item for a card, and the fields of the card that it has. */
export interface Typed extends Details {
  readonly item: ResolveItem | string;
  readonly written: Written;
}

/** A way to write cards down. `type` returns undefined for cards that cannot be written so. */
export interface Form {
  readonly games: readonly GameSlug[];
  readonly count: number;
  readonly type: (card: Card, draw: Draw, catalogue: Catalogue) => Typed | undefined;
}

/** Draws cards until `count` of them are written in a form. */
export function makeLines(name: string, form: Form, catalogue: Catalogue, draw: Draw): KnownLine[] {
  const { games, count, type } = form;
  return draw.collect(games, count, (game) => {
    const card = draw.pick(catalogue.ofGame(game));
    const typed = type(card, draw, catalogue);
    if (typed === undefined) return undefined;
    const { item, written, ...details } = typed;
    return {
      form: name,
      item: typeof item === 'string' ? { text: item } : item,
      card,
      rivals: catalogue.rivals(card, written),
      ...details,
    };
  });
}
