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
  if (part === '') return []; // nothing but signs
  const ranked = sets.map((set) => ({ set, rank: rankOf(set, part) }));
  const found = ranked.filter(({ rank }) => rank !== undefined);
  return found.sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0)).map(({ set }) => set);
}

/** 0 for the whole name or code, 1 for its beginning, 2 for another part; undefined for none. */
function rankOf({ name, code }: NamedSet, part: string): number | undefined {
  const labels = [foldText(name), foldText(code)];
  if (labels.includes(part)) return 0;
  if (labels.some((label) => label.startsWith(part))) return 1;
  return labels.some((label) => label.includes(part)) ? 2 : undefined;
}

/** Returns the name of the set of a setId, or `set` as it is where no set has this id. */
export function setName(set: string, sets: readonly NamedSet[]): string {
  return sets.find(({ setId }) => setId === set)?.name ?? set;
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
 * Returns sets in an order: the newest first, in a group for each year, as the API lists them; by
 * value or name in one group.
 */
export function groupSets(sets: readonly SetBody[], order: SetOrder): readonly SetGroup[] {
  if (sets.length === 0) return [];
  if (order !== 'newest') return [{ title: '', sets: sets.toSorted(COMPARE[order]) }];
  const years = new Map<string, SetBody[]>();
  for (const set of sets) {
    const year = set.releaseDate?.slice(0, 4) ?? 'Release not known';
    years.set(year, [...(years.get(year) ?? []), set]);
  }
  return [...years].map(([title, grouped]) => ({ title, sets: grouped }));
}

const COMPARE = {
  value: (a: SetBody, b: SetBody) => (b.value ?? -1) - (a.value ?? -1),
  name: (a: SetBody, b: SetBody) => a.name.localeCompare(b.name, 'en'),
};
