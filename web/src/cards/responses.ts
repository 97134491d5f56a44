import type { Static } from 'typebox';
import type { ExplainedCard } from '../../../src/http/explain-schemas.ts';
import type { ResolvedItem } from '../../../src/http/resolve-schemas.ts';
import type {
  CardDetail,
  CardSummary,
  GameItem,
  PeriodHistory,
  SetItem,
} from '../../../src/http/schemas.ts';
import type { RarityItem, Related, SetDetail } from '../../../src/http/set-schemas.ts';
import type { Understood } from '../../../src/search/index.ts';

/** The bodies of the responses about cards and sets. */

export type CardSummaryBody = Static<typeof CardSummary>;
export type CardBody = Static<typeof CardDetail>;
export type RelatedBody = Static<typeof Related>;
export type PrintingBody = CardBody['printings'][number];
export type ExplanationBody = Static<typeof ExplainedCard>;
export type HistoryBody = Static<typeof PeriodHistory>;
export type GameBody = Static<typeof GameItem>;
export type SetBody = Static<typeof SetItem>;
export type RarityBody = Static<typeof RarityItem>;
export type SetDetailBody = Static<typeof SetDetail>;
export type ResolvedBody = Static<typeof ResolvedItem>;
export type CandidateBody = NonNullable<ResolvedBody['candidates']>[number];

/** A page of a list. */
export interface PageBody<Item> {
  readonly data: readonly Item[];
  /** The items on all pages. */
  readonly total: number;
  /** The items before these. */
  readonly offset: number;
}

export interface SearchPageBody extends PageBody<CardSummaryBody> {
  /** The most similar name of a card, when no card matches. */
  readonly suggestion?: string;
  /** The query in the spelling of the first card, where a word was misspelt. */
  readonly corrected?: string;
  /** How the query was read, when it was more than a name. */
  readonly understood?: Understood;
}
