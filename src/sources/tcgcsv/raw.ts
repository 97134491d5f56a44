import { type Static, type TSchema, Type } from 'typebox';
import { MAX_CENTS } from '../../domain/money.ts';
import type { BrokenPart } from '../contract/broken.ts';
import { BadRecord, requireRecord } from '../io/bad-record.ts';
import { MalformedJson, parseJsonMembers } from '../io/json-stream.ts';
import { parseJson } from '../io/parse-json.ts';
import { refusalFor } from '../kit/bad-rows.ts';
import { compileParser } from '../kit/schema.ts';

/**
 * The files that TCGCSV (tcgcsv.com) serves: JSON envelopes around TCGplayer's groups (sets),
 * products and prices. Only the fields in use are validated, row by row: a bad row costs that row.
 */

const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

const RawGroup = Type.Object({
  groupId: Type.Integer(),
  name: Type.String({ minLength: 1, maxLength: 500 }),
  abbreviation: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
  publishedOn: Type.Optional(Nullable(Type.String())),
});

const RawProduct = Type.Object({
  productId: Type.Integer(),
  name: Type.String({ minLength: 1, maxLength: 1000 }),
  imageUrl: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
  imageCount: Type.Optional(Type.Integer()),
  extendedData: Type.Array(Type.Object({ name: Type.String(), value: Nullable(Type.String()) })),
});

/** What can be a price. */
const Dollars = Type.Number({ minimum: 0, maximum: MAX_CENTS / 100 });

const RawPrice = Type.Object({
  productId: Type.Integer(),
  subTypeName: Type.String({ minLength: 1, maxLength: 100 }),
  lowPrice: Nullable(Dollars),
  midPrice: Nullable(Dollars),
  highPrice: Nullable(Dollars),
  marketPrice: Nullable(Dollars),
});

export type RawGroup = Static<typeof RawGroup>;
export type RawProduct = Static<typeof RawProduct>;
export type RawPrice = Static<typeof RawPrice>;

/** A row that is left out. */
export interface BadRow extends BrokenPart {
  /** The product that it is about, if the row shows that much. */
  readonly productId: number | null;
}

/** The rows of a file, and those that cannot be read among them. */
export interface Rows<Row> {
  readonly rows: readonly Row[];
  readonly bad: readonly BadRow[];
}

const parseGroup = compileParser(RawGroup);
const parseProduct = compileParser(RawProduct);
const parsePrice = compileParser(RawPrice);

/** Each throws a MalformedFile when the file as a whole is something else. */
export const parseGroups = (bytes: Uint8Array) => parseRows('groups', bytes, parseGroup);
export const parseProducts = (bytes: Uint8Array) => parseRows('products', bytes, parseProduct);
export const parsePrices = (bytes: Uint8Array) => parseRows('prices', bytes, parsePrice);

/** A file that is not what TCGCSV serves; the message says why. */
export class MalformedFile extends Error {}

/** @throws MalformedFile when too many rows of a file are bad. */
export function requireFewBad(kind: string, bad: readonly BrokenPart[], rows: number): void {
  const refusal = refusalFor(bad.length, rows, bad[0]);
  if (refusal !== undefined) throw new MalformedFile(`${kind}: ${refusal}`);
}

function parseRows<Row>(
  kind: string,
  bytes: Uint8Array,
  parse: (value: unknown) => Row,
): Rows<Row> {
  const rows: Row[] = [];
  const bad: BadRow[] = [];
  const results = resultsIn(kind, bytes);
  for (const [index, value] of results.entries()) {
    try {
      rows.push(parse(requireRecord(value)));
    } catch (error) {
      if (!(error instanceof BadRecord)) throw error;
      bad.push({ ...describeRow(kind, index, value), reason: error.message });
    }
  }
  requireFewBad(kind, bad, results.length);
  return { rows, bad };
}

function describeRow(kind: string, index: number, value: unknown): Omit<BadRow, 'reason'> {
  const { productId } = Object(value) as { productId?: unknown };
  const row = `${kind}, row ${index + 1}`;
  if (!/^\d{1,15}$/.test(String(productId))) return { name: row, productId: null };
  return { name: `${row} (product ${productId})`, productId: Number(productId) };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Returns the rows in an envelope; a BadRecord in the place of each that is not valid JSON. */
function resultsIn(kind: string, bytes: Uint8Array): readonly unknown[] {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch (error) {
    throw new MalformedFile(`${kind}: not UTF-8 text`, { cause: error });
  }
  const envelope = parseJson(text);
  if (envelope instanceof BadRecord) return resultsOneByOne(kind, bytes);
  const { results } = Object(envelope) as { results?: unknown };
  if (!Array.isArray(results)) throw new MalformedFile(`${kind}: it has no list of results`);
  return results;
}

/** Rows with values such as NaN are not valid JSON, and neither is then the file as a whole. */
function resultsOneByOne(kind: string, bytes: Uint8Array): readonly unknown[] {
  const choose = ([first, ...more]: readonly string[]) => {
    if (first !== 'results') return 'skip';
    return more.length === 0 ? 'enter' : 'take';
  };
  try {
    const members = parseJsonMembers(bytes, choose);
    if (members.length > 0) return members.map(({ value }) => value);
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error;
  }
  throw new MalformedFile(`${kind}: not valid JSON`);
}
