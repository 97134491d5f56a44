import { useLayoutEffect, useState } from 'preact/hooks';
import type { CardSummaryBody } from '../api/responses.ts';

/** The columns of a list of cards after the name and before the price, in order. */
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

/** Returns the columns for which any of the cards has a value, without the columns in `left`. */
export function columnsOf(
  cards: readonly CardSummaryBody[],
  left: readonly Column[] = [],
): readonly Column[] {
  return COLUMNS.filter((column) => !left.includes(column) && cards.some(HAS[column]));
}

/** How lists of cards are shown: as rows, or as a grid of pictures. */
export type View = 'rows' | 'grid';

const KEY = 'cardprice-view';

/** The reader's choice; undefined until it is read, as on the server. */
let chosen: View | undefined;

/** Returns the view of all lists of cards, and a function that changes it. */
export function useView(): readonly [View, (view: View) => void] {
  const [view, setView] = useState<View>(chosen ?? 'rows');
  useLayoutEffect(() => {
    chosen ??= readView();
    setView(chosen);
  }, []);
  const choose = (next: View) => {
    chosen = next;
    setView(next);
    storeView(next);
  };
  return [view, choose];
}

function readView(): View {
  try {
    return localStorage.getItem(KEY) === 'grid' ? 'grid' : 'rows';
  } catch {
    return 'rows';
  }
}

/** If the browser stores nothing, the choice lasts until the page is closed. */
function storeView(view: View): void {
  try {
    localStorage.setItem(KEY, view);
  } catch {}
}
