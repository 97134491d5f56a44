import { OperatorError } from '../../domain/errors.ts';
import {
  CONDITIONS,
  type Condition,
  FIGURES,
  GRADES,
  type Grade,
  type PriceFigures,
} from '../../domain/price.ts';

/** Every column that a file of quotes may have, with what it holds. */
export const QUOTE_COLUMNS = {
  card: 'the card, by our id, such as pokemon-bs-charizard-004',
  tcgplayer: 'in its place: the product id at TCGplayer',
  printing: "such as Holofoil; empty or left out: the card's default printing",
  date: 'the day (UTC), YYYY-MM-DD',
  market: 'what it sold for, such as 453.86',
  low: 'the lowest listing',
  mid: 'the median listing',
  high: 'the highest listing',
  near_mint: 'what it sold for in near mint condition',
  lightly_played: 'lightly played',
  moderately_played: 'moderately played',
  heavily_played: 'heavily played',
  damaged: 'damaged',
  psa_10: 'what it sold for graded 10 by PSA; other companies and grades are not the same',
  psa_9: 'graded 9 by PSA',
  bgs_9_5: 'graded 9.5 by Beckett (BGS)',
  cgc_9_5: 'graded 9.5 by CGC',
  currency: 'USD or EUR; empty or left out: what --currency says',
  source: 'whose prices they are; empty or left out: what --source says',
} as const satisfies Record<Condition | Grade | keyof PriceFigures, string> &
  Record<string, string>;

export type QuoteColumn = keyof typeof QUOTE_COLUMNS;

/** What a file calls some of our columns, as far as it has them. */
type Names<Column extends string> = Readonly<Partial<Record<Column, string>>>;

/** What a file calls our columns. */
export interface ColumnNames {
  readonly card: string;
  /** Whose ids stand in it: ours when null. */
  readonly idSpace: 'tcgcsv' | null;
  readonly date: string;
  readonly printing: string | undefined;
  readonly currency: string | undefined;
  readonly source: string | undefined;
  readonly figures: Names<keyof PriceFigures>;
  readonly conditions: Names<Condition>;
  readonly graded: Names<Grade>;
}

/**
 * Reads which of a file's own names stands for which column: `card_id=tcgplayer,price=market`.
 *
 * @throws OperatorError for a column that there is not.
 */
export function parseColumns(text: string): Map<string, QuoteColumn> {
  return new Map(
    text.split(',').map((pair) => {
      const [name = '', column = '', ...more] = pair.split('=').map((part) => part.trim());
      if (name !== '' && isColumn(column) && more.length === 0) return [name, column];
      throw new OperatorError(
        `--columns "${pair}" is not <name in the file>=<column>; the columns are ${COLUMN_LIST}.`,
      );
    }),
  );
}

/**
 * Finds the columns in a file that has these names. Other names are left alone.
 *
 * @throws OperatorError when the card, the date or every price is missing, or a name that was
 * renamed.
 */
export function findColumns(
  names: readonly string[],
  renamed: ReadonlyMap<string, QuoteColumn>,
): ColumnNames {
  const absent = [...renamed.keys()].find((name) => !names.includes(name));
  if (absent !== undefined) {
    throw new OperatorError(
      `--columns tells of "${absent}", which is none of ${names.join(', ').slice(0, 500)}.`,
    );
  }
  const own = names.filter((name) => !renamed.has(name)).map((name) => [name, name] as const);
  const byColumn = new Map<string, string>([
    ...own,
    ...[...renamed].map(([name, column]) => [column, name] as const),
  ]);
  const ours = byColumn.get('card');
  const card = ours ?? byColumn.get('tcgplayer');
  const date = byColumn.get('date');
  const prices = {
    figures: pick(byColumn, FIGURES),
    conditions: pick(byColumn, CONDITIONS),
    graded: pick(byColumn, GRADES),
  };
  const isPriced = Object.values(prices).some((columns) => Object.keys(columns).length > 0);
  if (card === undefined || date === undefined || !isPriced) {
    throw new OperatorError(
      `The columns ${names.join(', ').slice(0, 500)} do not tell the card, the date and a price. ` +
        `The columns are ${COLUMN_LIST}; say which stands for which: --columns price=market`,
    );
  }
  return {
    card,
    idSpace: ours === undefined ? 'tcgcsv' : null,
    date,
    printing: byColumn.get('printing'),
    currency: byColumn.get('currency'),
    source: byColumn.get('source'),
    ...prices,
  };
}

function pick<Column extends string>(
  byColumn: ReadonlyMap<string, string>,
  columns: readonly Column[],
): Names<Column> {
  const found: Partial<Record<Column, string>> = {};
  for (const column of columns) {
    const name = byColumn.get(column);
    if (name !== undefined) found[column] = name;
  }
  return found;
}

/** Whether a name in a file stands for one of our columns. */
export function isQuoteColumn(name: string, renamed: ReadonlyMap<string, QuoteColumn>): boolean {
  return renamed.has(name) || isColumn(name);
}

const COLUMN_LIST = Object.keys(QUOTE_COLUMNS).join(', ');

function isColumn(text: string): text is QuoteColumn {
  return Object.hasOwn(QUOTE_COLUMNS, text);
}

/** Whether something can be called so where the API tells whose prices it serves. */
export function isMarketplaceName(text: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,31}$/.test(text);
}
