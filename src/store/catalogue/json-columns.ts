import { Type } from 'typebox';
import type { NativePrices, Origins } from '../../domain/card.ts';
import type { Dispute } from '../../domain/confidence.ts';
import { CURRENCY_CODES } from '../../domain/currencies.ts';
import type { Cents } from '../../domain/money.ts';
import type { ChangeDoubts } from '../../domain/price-changes.ts';
import { CONTENT_KINDS, type ProductContents } from '../../domain/products.ts';
import type { Rates } from '../../domain/rates.ts';
import type { ServedTrade, Trade } from '../../domain/trade.ts';
import { jsonColumn } from '../../lib/json-column.ts';

/** The JSON columns of the catalogue. `../quarantine/` has its own. */

/** `conditions` and `graded` of printings and observations: cents by name. */
type NamedAmounts = Readonly<Record<string, Cents>>;

const AMOUNTS = jsonColumn<NamedAmounts>(
  'conditions or graded',
  Type.Record(Type.String(), Type.Integer()),
);

/** Shared by all rows without amounts, which are the majority. */
const NO_AMOUNTS: NamedAmounts = {};

/** Parses amounts by condition or grade; null stands for none. */
export function readAmounts(json: string | null): NamedAmounts {
  return json === null ? NO_AMOUNTS : AMOUNTS.read(json);
}

/** Serializes amounts by condition or grade; returns null if there are none. */
export function writeAmounts(amounts: Readonly<Partial<NamedAmounts>>): string | null {
  for (const _ in amounts) return JSON.stringify(amounts);
  return null;
}

/** The names of the sources of a printing's prices. */
export const PRINTING_SOURCES = jsonColumn<readonly string[]>(
  'printings.sources',
  Type.Array(Type.String()),
);

export const CHANGE_DOUBTS_COLUMN = jsonColumn<ChangeDoubts>(
  'printings.change_doubts',
  Type.Record(Type.String(), Type.String()),
);

export const DISPUTE = jsonColumn<Dispute>(
  'printings.dispute',
  Type.Object({ reported: Type.Integer(), since: Type.Integer(), rule: Type.String() }),
);

const MARKETPLACE = Type.Union([Type.String(), Type.Null()]);

const ORIGINS_SCHEMA = Type.Object({
  figures: MARKETPLACE,
  conditions: MARKETPLACE,
  graded: Type.Array(Type.String()),
});

export const ORIGINS = jsonColumn<Origins>('printings.origins', ORIGINS_SCHEMA);

const CONTENT_ITEMS = Type.Array(
  Type.Object({
    kind: Type.Enum([...CONTENT_KINDS]),
    count: Type.Integer(),
    name: Type.String(),
    setCode: Type.Optional(Type.String()),
    number: Type.Optional(Type.String()),
    isFoil: Type.Optional(Type.Literal(true)),
    tcgplayerId: Type.Optional(Type.String()),
  }),
);

export const CONTENTS = jsonColumn<ProductContents>(
  'cards.contents',
  Type.Object({ items: CONTENT_ITEMS, choices: Type.Array(Type.Array(CONTENT_ITEMS)) }),
);

const NUMBER = Type.Union([Type.Integer(), Type.Null()]);

export const NATIVE = jsonColumn<readonly NativePrices[]>(
  'printings.native',
  Type.Array(
    Type.Object({
      currency: Type.Enum([...CURRENCY_CODES]),
      prices: Type.Object({
        market: NUMBER,
        low: NUMBER,
        mid: NUMBER,
        high: NUMBER,
        figuresAt: NUMBER,
        conditionsAt: NUMBER,
        gradedAt: NUMBER,
        conditions: Type.Record(Type.String(), Type.Integer()),
        graded: Type.Record(Type.String(), Type.Integer()),
        sources: Type.Array(Type.String()),
      }),
      origins: Type.Optional(ORIGINS_SCHEMA),
      isServed: Type.Boolean(),
    }),
  ),
);

const SALES = Type.Object({ count: Type.Integer(), days: Type.Integer(), last: NUMBER });

/** A source's report about a printing in addition to prices. */
export const TRADE = jsonColumn<Trade>(
  'observations.trade',
  Type.Object({ buylist: Type.Optional(Type.Integer()), sales: Type.Optional(SALES) }),
);

export const SERVED_TRADE = jsonColumn<ServedTrade>(
  'printings.trade',
  Type.Object({
    buylist: Type.Optional(
      Type.Object({
        amount: Type.Integer(),
        currency: Type.Enum([...CURRENCY_CODES]),
        marketplace: Type.String(),
        at: Type.Integer(),
      }),
    ),
    sales: Type.Optional(SALES),
  }),
);

export const RATES = jsonColumn<Rates>(
  'catalog_state.rates',
  Type.Array(
    Type.Object({
      currency: Type.String(),
      day: Type.Integer(),
      dollarsPerUnit: Type.Number(),
    }),
  ),
);

/** The position of a fault, and its reason. */
export interface NamedFault {
  readonly name: string;
  readonly reason: string;
}

const FAULTS = Type.Array(Type.Object({ name: Type.String(), reason: Type.String() }));

export const FAULT_EXAMPLES = jsonColumn<readonly NamedFault[]>('failed_parts.examples', FAULTS);

/** The fields of an import's summary that Cardprice reads. The stored JSON has more fields. */
export interface StoredSummary {
  readonly games?: readonly string[];
  readonly broken?: readonly NamedFault[];
  /** Present if `broken` lists only some of them. */
  readonly brokenCount?: number;
}

export const IMPORT_SUMMARY = jsonColumn<StoredSummary>(
  'imports.summary',
  Type.Object({
    games: Type.Optional(Type.Array(Type.String())),
    broken: Type.Optional(FAULTS),
    brokenCount: Type.Optional(Type.Integer()),
  }),
);
