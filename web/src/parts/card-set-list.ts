import { formatCount } from '../format.ts';
import type { CardSet } from './card-bodies.ts';

/** Sets whose name or code holds what is typed, whatever the case and accents. */
export function setsNamed(sets: readonly CardSet[], typed: string): readonly CardSet[] {
  const wanted = plain(typed.trim());
  if (wanted === '') return sets;
  return sets.filter(
    ({ name, code }) => plain(name).includes(wanted) || plain(code).includes(wanted),
  );
}

function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** How many cards of a set have a price: `118`, `all`, `none`. */
export function pricedText({ cardCount, pricedCount }: CardSet): string {
  if (pricedCount === 0) return 'none';
  return pricedCount >= cardCount ? 'all' : formatCount(pricedCount);
}
