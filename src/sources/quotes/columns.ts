import { OperatorError } from '../../domain/errors.ts';
import type { PriceQuad } from '../../domain/price.ts';

/** Every column that a file of quotes may have, with what it holds. */
export const QUOTE_COLUMNS = {
  card: 'the card, by our id, such as pokemon-bs-charizard-004',
  tcgplayer: 'in its place: the product id at TCGplayer',
  printing: "such as Holofoil; empty or left out: the card's default printing",
  date: 'the day (UTC), YYYY-MM-DD',
  market: 'what it sold for, in US dollars, such as 453.86',
  low: 'the lowest listing',
  mid: 'the median listing',
  high: 'the highest listing',
} as const;

export type QuoteColumn = keyof typeof QUOTE_COLUMNS;

const FIGURES = ['market', 'low', 'mid', 'high'] as const satisfies readonly (keyof PriceQuad)[];

/** What a file calls our columns, as far as it has them. */
export interface ColumnNames {
  readonly card: string;
  /** Whose ids stand in it: ours when null. */
  readonly ids: 'tcgcsv' | null;
  readonly date: string;
  readonly printing: string | undefined;
  readonly figures: Readonly<Partial<Record<keyof PriceQuad, string>>>;
}

/**
 * Reads which of a file's own names stands for which column: `card_id=tcgplayer,price=market`.
 *
 * @throws OperatorError for a column that there is not.
 */
export function parseColumns(text: string): Map<string, QuoteColumn> {
  return new Map(
    text.split(',').map((pair) => {
      const [name = '', column = ''] = pair.split('=').map((part) => part.trim());
      if (name !== '' && isColumn(column)) return [name, column];
      throw new OperatorError(
        `--columns "${pair}" is not <name in the file>=<column>; the columns are ${COLUMN_LIST}.`,
      );
    }),
  );
}

/**
 * Finds the columns in a file that has these names. Other names are left alone.
 *
 * @throws OperatorError when the card, the date or every price is missing.
 */
export function findColumns(
  names: readonly string[],
  renamed: ReadonlyMap<string, QuoteColumn>,
): ColumnNames {
  const byColumn = new Map(names.map((name) => [renamed.get(name) ?? name, name]));
  const ours = byColumn.get('card');
  const figures = FIGURES.flatMap((figure) => {
    const name = byColumn.get(figure);
    return name === undefined ? [] : [[figure, name] as const];
  });
  const card = ours ?? byColumn.get('tcgplayer');
  const date = byColumn.get('date');
  if (card === undefined || date === undefined || figures.length === 0) {
    throw new OperatorError(
      `The columns ${names.join(', ')} do not tell the card, the date and a price. The columns ` +
        `are ${COLUMN_LIST}; say which stands for which: --columns price=market`,
    );
  }
  return {
    card,
    ids: ours === undefined ? 'tcgcsv' : null,
    date,
    printing: byColumn.get('printing'),
    figures: Object.fromEntries(figures),
  };
}

const COLUMN_LIST = Object.keys(QUOTE_COLUMNS).join(', ');

function isColumn(text: string): text is QuoteColumn {
  return Object.hasOwn(QUOTE_COLUMNS, text);
}
