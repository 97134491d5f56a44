import { matchLabels } from '../../../src/domain/label-match.ts';
import { foldText } from '../../../src/domain/text.ts';
import { formatCount } from '../ui/format.ts';
import type { SetBody } from './responses.ts';

type NamedSet = Pick<SetBody, 'setId' | 'name' | 'code'>;

/**
 * Returns the sets whose name or code contains `text`, without regard to case and accents: first
 * those that are called just that, then those that begin with it.
 */
export function findSets<Item extends NamedSet>(sets: readonly Item[], text: string): Item[] {
  if (text.trim() === '') return [...sets];
  const part = foldText(text);
  const ranked = sets.flatMap((set) => {
    const rank = matchLabels([set.name, set.code], part);
    return rank === undefined ? [] : [{ set, rank }];
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ set }) => set);
}

/** Formats how many cards of a set have a price: `118`, `all`, `none`. */
export function formatPricedCount({ cardCount, pricedCount }: SetBody): string {
  if (pricedCount === 0) return 'none';
  return pricedCount >= cardCount ? 'all' : formatCount(pricedCount);
}

/** The orders of the sets of a game, with their labels on the page. */
export const SET_ORDERS = {
  newest: 'Newest first',
  value: 'Most valuable',
  name: 'Name',
} as const;

export type SetOrder = keyof typeof SET_ORDERS;

/** Parses the order in an address; newest first for what is none. */
export function parseSetOrder(text = ''): SetOrder {
  return Object.hasOwn(SET_ORDERS, text) ? (text as SetOrder) : 'newest';
}

/** Sets under one title, which is empty when there is but one group. */
export interface SetGroup {
  readonly title: string;
  readonly sets: readonly SetBody[];
}

/**
 * Groups sets that come newest first by the year of their release. In another order they are one
 * group without a title.
 */
export function groupSets(sets: readonly SetBody[], order: SetOrder): readonly SetGroup[] {
  if (sets.length === 0) return [];
  if (order !== 'newest') return [{ title: '', sets }];
  const years = Map.groupBy(sets, ({ releaseDate }) => {
    return releaseDate?.slice(0, 4) ?? 'Release not known';
  });
  return [...years].map(([title, grouped]) => ({ title, sets: grouped }));
}
