import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { type CsvCell, csvLine } from '../domain/csv.ts';
import type { BatchCard, CardSummary, PeriodHistory, SetItem } from './schemas.ts';

/** Answers as tables, in CSV (RFC 4180) that spreadsheets can open. */

/** How to turn a body into a table. */
export interface Table {
  readonly columns: readonly string[];
  rows(body: unknown): readonly (readonly CsvCell[])[];
  /** Whether the endpoint answers only with tables. */
  readonly isOnly?: true;
}

/** The parameter of endpoints whose answers can be tables. */
export const FormatParameter = Type.Optional(
  Type.String({
    description: '`csv` answers a table, as `Accept: text/csv` does.',
    enum: ['json', 'csv'],
  }),
);

/** The content of each column, by its name. */
type Columns<Row> = Readonly<Record<string, (row: Row) => CsvCell>>;

function tableOf<Row, Body>(columns: Columns<Row>, rowsIn: (body: Body) => readonly Row[]): Table {
  const cells = Object.values(columns);
  return {
    columns: Object.keys(columns),
    rows: (body) => rowsIn(body as Body).map((row) => cells.map((cell) => cell(row))),
  };
}

interface List<Row> {
  readonly data: readonly Row[];
}

type Listed = Static<typeof CardSummary>;
/** The row of an id without a card has only the id. */
type ListedOrId = Pick<Listed, 'id'> & Partial<Omit<Listed, 'id'>>;
type Priced = Pick<Static<typeof BatchCard>, 'prices'>;

const NAMES: Columns<ListedOrId> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  game: ({ game }) => game,
  set: ({ set }) => set,
  setId: ({ setId }) => setId,
  setCode: ({ setCode }) => setCode,
  number: ({ number }) => number,
  rarity: ({ rarity }) => rarity,
  printing: ({ printing }) => printing,
};

/** The unit of the amounts in a row. */
const QUALITY: Columns<Partial<Priced>> = {
  currency: ({ prices }) => prices && (prices.currency ?? 'USD'),
  confidence: ({ prices }) => prices?.confidence?.level,
  stale: ({ prices }) => prices?.stale,
};

const CARD: Columns<ListedOrId> = {
  ...NAMES,
  market: ({ prices }) => prices?.market,
  near_mint: ({ prices }) => prices?.conditions.near_mint,
  lightly_played: ({ prices }) => prices?.conditions.lightly_played,
  ...QUALITY,
  change1d: ({ prices }) => prices?.changes['1d']?.percent,
  change7d: ({ prices }) => prices?.changes['7d']?.percent,
  change30d: ({ prices }) => prices?.changes['30d']?.percent,
};

export const CARD_TABLE = tableOf(CARD, ({ data }: List<ListedOrId>) => data);

export const BATCH_TABLE = tableOf(
  {
    id: ({ id }) => id,
    name: ({ name }) => name,
    game: ({ game }) => game,
    setId: ({ setId }) => setId,
    setCode: ({ setCode }) => setCode,
    number: ({ number }) => number,
    printing: ({ printing }) => printing,
    market: ({ prices }) => prices.market,
    ...QUALITY,
    requested: ({ id, requested }) => requested ?? id,
  } satisfies Columns<Static<typeof BatchCard>>,
  ({ data }: List<Static<typeof BatchCard>>) => data,
);

interface Mover extends Listed {
  readonly from: number | null;
  readonly to: number | null;
  readonly amount: number | null;
  readonly percent: number;
}

export const MOVER_TABLE = tableOf(
  {
    ...NAMES,
    from: ({ from }) => from,
    to: ({ to }) => to,
    amount: ({ amount }) => amount,
    percent: ({ percent }) => percent,
    ...QUALITY,
  } satisfies Columns<Mover>,
  ({ data }: List<Mover>) => data,
);

export const SET_TABLE = tableOf(
  {
    setId: ({ setId }) => setId,
    code: ({ code }) => code,
    name: ({ name }) => name,
    game: ({ game }) => game,
    cardCount: ({ cardCount }) => cardCount,
    productCount: ({ productCount }) => productCount,
    pricedCount: ({ pricedCount }) => pricedCount,
    value: ({ value }) => value,
    releaseDate: ({ releaseDate }) => releaseDate,
  } satisfies Columns<Static<typeof SetItem>>,
  ({ data }: List<Static<typeof SetItem>>) => data,
);

type History = Static<typeof PeriodHistory>;

interface DatedRow {
  readonly history: History;
  readonly day: History['history'][number];
}

export const HISTORY_TABLE = tableOf(
  {
    date: ({ day }) => day.date,
    market: ({ day }) => day.market,
    low: ({ day }) => day.low,
    high: ({ day }) => day.high,
    currency: ({ history }) => history.currency ?? 'USD',
    printing: ({ history }) => history.printing,
    copy: ({ history }) => history.grade ?? history.condition,
    source: ({ day }) => day.source,
    marketplace: ({ day }) => day.marketplace,
    repeated: ({ day }) => day.repeated ?? false,
  } satisfies Columns<DatedRow>,
  ({ data: history }: { readonly data: History }) => {
    return history.history.map((day) => ({ history, day }));
  },
);

/** Returns the table of an endpoint if a request asks for it by parameter, otherwise by header. */
export function wantedTable(
  table: Table | undefined,
  { query, headers }: FastifyRequest,
): Table | undefined {
  const { format = prefersCsv(headers.accept) ? 'csv' : 'json' } = query as { format?: string };
  return table?.isOnly || format === 'csv' ? table : undefined;
}

/** Whether an Accept header names CSV and does not prefer JSON (RFC 9110, section 12.5.1). */
export function prefersCsv(accept = ''): boolean {
  if (!/csv/i.test(accept)) return false;
  return qualityOf('text/csv', accept) > qualityOf('application/json', accept);
}

/** Returns the weight of a type that a header names, from 0 to 1; 0 for types it does not name. */
function qualityOf(type: string, accept: string): number {
  for (const part of accept.split(',')) {
    const [name, ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    if (name === type) return Number(parameters.find((one) => one.startsWith('q='))?.slice(2) ?? 1);
  }
  return 0;
}

/** Sends a body as a table. */
export function sendTable(reply: FastifyReply, { columns, rows }: Table, body: unknown): string {
  reply.type('text/csv; charset=utf-8').header('vary', 'Accept');
  const options = { lineBreak: '\r\n' } as const;
  return [columns, ...rows(body)].map((cells) => csvLine(cells, options)).join('');
}
