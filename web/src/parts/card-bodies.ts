import type { Static } from 'typebox';
import type { FiltersView } from '../../../src/dashboard/schemas.ts';
import type { ExplainedCard } from '../../../src/http/explain-schemas.ts';
import type {
  CardDetail,
  CardSummary,
  GameItem,
  PeriodHistory,
  SetItem,
} from '../../../src/http/schemas.ts';

/** What the calls about cards and sets answer. */

export type Summary = Static<typeof CardSummary>;
export type Detail = Static<typeof CardDetail>;
export type Printing = Detail['printings'][number];
export type Explained = Static<typeof ExplainedCard>;
export type PastPrices = Static<typeof PeriodHistory>;
export type Game = Static<typeof GameItem>;
export type Filters = Static<typeof FiltersView>;

export type CardSet = Static<typeof SetItem>;

/** A page of a list. */
export interface PageOf<Item> {
  readonly data: readonly Item[];
  /** How many there are on all pages. */
  readonly total: number;
}

export interface SearchPageBody extends PageOf<Summary> {
  /** The nearest name that matches, when none does. */
  readonly suggestion?: string;
}
