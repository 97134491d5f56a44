import { type Static, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Origins, ServedPrices } from '../../domain/card.ts';
import type { CopyName } from '../../domain/copy.ts';
import { parseDay } from '../../domain/day.ts';
import { GAME_SLUGS, type GameSlug } from '../../domain/games.ts';
import type { Grade } from '../../domain/grade-names.ts';
import { type Cents, centsFromDollars } from '../../domain/money.ts';
import {
  CONDITIONS,
  type Condition,
  type PriceFigures,
  type Provenance,
} from '../../domain/price.ts';
import { PRODUCT_TYPES, type ProductType } from '../../domain/products.ts';
import { CARD_ID_SPACES } from '../../domain/sources.ts';
import type { BulkCard, BulkDay, BulkPrinting, BulkSet } from '../contract/bulk.ts';
import { BadRecord } from '../io/json.ts';

/** Reads the rows of bulk files in NDJSON (docs/bulk.md#columns). */

const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const Text = Type.String({ minLength: 1, maxLength: 2000 });
const Amount = Nullable(Type.Number({ minimum: 0 }));
const Moment = Nullable(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z$' }));
const FIGURES = { market: Amount, low: Amount, mid: Amount, high: Amount };

const SetRow = Type.Object({
  setId: Text,
  game: Type.Unsafe<GameSlug>({ enum: [...GAME_SLUGS] }),
  code: Type.String({ maxLength: 200 }),
  name: Text,
  releaseDate: Nullable(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })),
});

const CardRow = Type.Object({
  id: Text,
  setId: Text,
  name: Text,
  number: Nullable(Type.String()),
  rarity: Nullable(Type.String()),
  image: Nullable(Type.String()),
  product: Nullable(Type.Unsafe<ProductType>({ enum: [...PRODUCT_TYPES] })),
  upc: Nullable(Type.String()),
  externalIds: Type.Record(Text, Type.Array(Text)),
  printing: Nullable(Text),
  ...FIGURES,
  ...Object.fromEntries(CONDITIONS.map((name) => [name, Amount])),
  graded: Nullable(Type.Record(Text, Type.Number({ minimum: 0 }))),
  updatedAt: Moment,
  conditionsAt: Moment,
  gradedAt: Moment,
  marketplaces: Type.Array(Text),
  origins: Nullable(
    Type.Object({
      figures: Nullable(Text),
      conditions: Nullable(Text),
      graded: Type.Array(Text),
    }),
  ),
  sources: Type.Array(Text),
});

const DayRow = Type.Object({
  id: Text,
  printing: Text,
  copy: Nullable(Text),
  date: Type.String(),
  ...FIGURES,
  source: Text,
  marketplace: Text,
  repeated: Type.Boolean(),
});

const setRow = Compile(SetRow);
const cardRow = Compile(CardRow);
const dayRow = Compile(DayRow);

type CardRow = Static<typeof CardRow> & Readonly<Record<Condition, number | null>>;
type FigureColumns = Pick<Static<typeof DayRow>, keyof PriceFigures>;

/** @throws BadRecord */
export function setOf(row: unknown): BulkSet {
  if (!setRow.Check(row)) throw new BadRecord('not a set');
  const { setId: id, game, code, name, releaseDate } = row;
  return { id, game, code, name, releaseDate };
}

/** Joins the rows of printings, which are consecutive, into cards. */
export class CardJoiner {
  #open: (BulkCard & { readonly printings: BulkPrinting[] }) | undefined;

  /**
   * Takes a row; returns the previous card if it is now complete.
   * @throws BadRecord
   */
  push(value: unknown): BulkCard | undefined {
    if (!cardRow.Check(value)) throw new BadRecord('not a card');
    const row = value as CardRow;
    const printing = row.printing === null ? [] : [printingOf(row, row.printing)];
    if (this.#open?.id === row.id) {
      this.#open.printings.push(...printing);
      return undefined;
    }
    const whole = this.#open;
    this.#open = { ...cardOf(row), printings: printing };
    return whole;
  }

  /** Returns the last card. */
  end(): BulkCard | undefined {
    const last = this.#open;
    this.#open = undefined;
    return last;
  }
}

function cardOf(row: CardRow): Omit<BulkCard, 'printings'> {
  const { id, setId, name, number, rarity, image, product: type, upc } = row;
  const externalIds = Object.entries(row.externalIds).flatMap(([space, ids]) => {
    const idSpace = CARD_ID_SPACES.get(space) ?? space;
    return ids.map((externalId) => ({ idSpace, externalId }));
  });
  const product = type === null ? undefined : { type, upc };
  return { id, setId, name, number, rarity, image, product, externalIds };
}

function printingOf(row: CardRow, name: string): BulkPrinting {
  const conditions: Partial<Record<Condition, Cents>> = {};
  for (const condition of CONDITIONS) {
    const cents = centsOf(row[condition]);
    if (cents !== null) conditions[condition] = cents;
  }
  const graded: Partial<Record<Grade, Cents>> = {};
  for (const [grade, dollars] of Object.entries(row.graded ?? {})) {
    graded[grade as Grade] = requireCents(dollars);
  }
  const prices: ServedPrices = {
    ...figuresOf(row),
    conditions,
    graded,
    sources: row.marketplaces,
    figuresAt: momentOf(row.updatedAt),
    conditionsAt: momentOf(row.conditionsAt),
    gradedAt: momentOf(row.gradedAt),
  };
  return {
    name,
    prices,
    origins: (row.origins as Origins | null) ?? undefined,
    sources: row.sources,
  };
}

/** Reads days. Days with the same provenance share an object. */
export class DayReader {
  readonly #provenances = new Map<string, Provenance>();

  /** @throws BadRecord */
  read(row: unknown): BulkDay {
    if (!dayRow.Check(row)) throw new BadRecord('not a day of the history');
    const day = parseDay(row.date);
    if (day === undefined) throw new BadRecord(`${row.date} is not a day`);
    const { id: card, printing, copy } = row;
    return {
      card,
      printing,
      copy: (copy as CopyName | null) ?? undefined,
      prices: { day, ...figuresOf(row) },
      provenance: this.#provenanceOf(row),
    };
  }

  #provenanceOf({ source, marketplace, repeated }: Provenance): Provenance {
    const key = `${source} ${marketplace} ${repeated}`;
    const known = this.#provenances.get(key) ?? { source, marketplace, repeated };
    this.#provenances.set(key, known);
    return known;
  }
}

function figuresOf({ market, low, mid, high }: FigureColumns): PriceFigures {
  return {
    market: centsOf(market),
    low: centsOf(low),
    mid: centsOf(mid),
    high: centsOf(high),
  };
}

function centsOf(dollars: number | null): Cents | null {
  return dollars === null ? null : requireCents(dollars);
}

function requireCents(dollars: number): Cents {
  const cents = centsFromDollars(dollars);
  if (cents === undefined) throw new BadRecord(`${dollars} is not a price`);
  return cents;
}

function momentOf(text: string | null): number | null {
  if (text === null) return null;
  const moment = Date.parse(text);
  if (Number.isNaN(moment)) throw new BadRecord(`${text} is not a moment`);
  return moment;
}
