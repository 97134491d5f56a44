import { formatCount } from '../ui/format.ts';
import type { SetBody } from './responses.ts';

/** Returns the sets whose name or code contains `text`, without regard to case and accents. */
export function filterSets(sets: readonly SetBody[], text: string): readonly SetBody[] {
  const part = normalize(text.trim());
  if (part === '') return sets;
  return sets.filter(
    ({ name, code }) => normalize(name).includes(part) || normalize(code).includes(part),
  );
}

function normalize(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Formats how many cards of a set have a price: `118`, `all`, `none`. */
export function formatPricedCount({ cardCount, pricedCount }: SetBody): string {
  if (pricedCount === 0) return 'none';
  return pricedCount >= cardCount ? 'all' : formatCount(pricedCount);
}
