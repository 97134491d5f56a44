import type { CardSummaryBody } from '../responses.ts';

/** What a list of cards shows of each card besides its name and price, in this order. */
export const COLUMNS = ['set', 'number', 'rarity', 'printing', 'change'] as const;

export type Column = (typeof COLUMNS)[number];

export const COLUMN_LABELS: Readonly<Record<Column, string>> = {
  set: 'Set',
  number: 'Number',
  rarity: 'Rarity',
  printing: 'Printing',
  change: '7 days',
};

const HAS: Readonly<Record<Column, (card: CardSummaryBody) => boolean>> = {
  set: () => true,
  number: ({ number }) => number !== null,
  rarity: ({ rarity }) => rarity !== null,
  printing: ({ printing }) => printing !== null,
  change: ({ prices }) => prices.changes?.['7d'] != null,
};

/** Returns the columns that any of the cards has something for, without those `left` out. */
export function columnsOf(
  cards: readonly CardSummaryBody[],
  left: readonly Column[] = [],
): readonly Column[] {
  return COLUMNS.filter((column) => !left.includes(column) && cards.some(HAS[column]));
}
