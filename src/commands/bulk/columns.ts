import type { BulkType } from '../../domain/bulk.ts';
import { CONDITIONS, FIGURES } from '../../domain/price.ts';

/** The columns of bulk files, which docs/bulk.md describes one by one. */

/**
 * An amount is in US dollars with two decimals; a list is a text separated by spaces except in
 * JSON.
 */
export type ColumnKind = 'text' | 'amount' | 'day' | 'moment' | 'flag' | 'list' | 'json';

type Columns = Readonly<Record<string, ColumnKind>>;

const FIGURE_COLUMNS = columns(FIGURES, 'amount');

const PRICE_COLUMNS: Columns = {
  ...FIGURE_COLUMNS,
  ...columns(CONDITIONS, 'amount'),
  graded: 'json',
  updatedAt: 'moment',
  conditionsAt: 'moment',
  gradedAt: 'moment',
  marketplaces: 'list',
  origins: 'json',
  sources: 'list',
};

export const BULK_COLUMNS: Readonly<Record<BulkType, Columns>> = {
  sets: { setId: 'text', game: 'text', code: 'text', name: 'text', releaseDate: 'day' },
  cards: {
    id: 'text',
    name: 'text',
    game: 'text',
    set: 'text',
    setId: 'text',
    setCode: 'text',
    number: 'text',
    rarity: 'text',
    image: 'text',
    product: 'text',
    upc: 'text',
    externalIds: 'json',
    printing: 'text',
    ...PRICE_COLUMNS,
  },
  prices: { id: 'text', printing: 'text', ...PRICE_COLUMNS },
  history: {
    id: 'text',
    printing: 'text',
    copy: 'text',
    date: 'day',
    ...FIGURE_COLUMNS,
    source: 'text',
    marketplace: 'text',
    repeated: 'flag',
  },
};

function columns(names: readonly string[], kind: ColumnKind): Columns {
  return Object.fromEntries(names.map((name) => [name, kind]));
}
