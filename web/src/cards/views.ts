import { useLayoutEffect, useState } from 'preact/hooks';
import type { CardSummaryBody } from '../api/responses.ts';

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

/** How lists of cards are shown: as rows, or as a grid of pictures. */
export type View = 'rows' | 'grid';

const KEY = 'cardprice-view';

/** What the reader has chosen; undefined until it is read, as on a server. */
let chosen: View | undefined;

/** Returns how lists of cards are shown, and what changes it from now on, for all lists. */
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

/** Browsers may refuse to store anything: then the choice lasts until the page is closed. */
function storeView(view: View): void {
  try {
    localStorage.setItem(KEY, view);
  } catch {}
}
