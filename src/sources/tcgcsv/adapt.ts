import { isDeepStrictEqual } from 'node:util';
import { type Static, type TSchema, Type } from 'typebox';
import { withoutNumber } from '../../domain/card-name.ts';
import { type Game, rarityLabel } from '../../domain/games.ts';
import { type Cents, centsFromDollars, MAX_CENTS } from '../../domain/money.ts';
import { samePrices } from '../../domain/price.ts';
import { type ProductType, productTypeOf, readUpc } from '../../domain/products.ts';
import { decodeEntities } from '../../domain/text.ts';
import type { BrokenPart } from '../contract/files.ts';
import type { Listing, SourceCard, SourceSet } from '../contract/snapshot.ts';
import { BadRecord, parseJson, requireRecord } from '../io/json.ts';
import { MalformedJson, parseJsonMembers } from '../io/json-stream.ts';
import { refusalFor } from '../kit/feed-batcher.ts';
import { compileParser, printedText } from '../kit/schema.ts';
import { factsOf } from './facts.ts';

/**
 * The files that TCGCSV (tcgcsv.com) serves: JSON envelopes around TCGplayer's groups (sets),
 * products and prices. Only the fields in use are validated. Validation is per row, so a bad row
 * costs only that row.
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

/** A possible price. */
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

/** An unreadable row. */
export interface BadRow extends BrokenPart {
  /** Its product, if recognisable. */
  readonly productId: number | null;
}

/** The rows of a file, and the unreadable ones. */
export interface Rows<Row> {
  readonly rows: readonly Row[];
  readonly bad: readonly BadRow[];
}

const parseGroup = compileParser(RawGroup);
const parseProduct = compileParser(RawProduct);
const parsePrice = compileParser(RawPrice);

/** Each throws a MalformedFile if the file as a whole is malformed. */
export const parseGroups = (bytes: Uint8Array) => parseRows('groups', bytes, parseGroup);
export const parseProducts = (bytes: Uint8Array) => parseRows('products', bytes, parseProduct);
export const parsePrices = (bytes: Uint8Array) => parseRows('prices', bytes, parsePrice);

/** A file that does not have TCGCSV's format; the message gives the reason. */
export class MalformedFile extends Error {}

/** @throws MalformedFile if too many rows of a file are bad. */
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

/** Returns the rows in an envelope. A row that is not valid JSON becomes a BadRecord. */
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

/** Reads each row by itself, because a row with NaN makes the whole file invalid JSON. */
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

/** TCGplayer's date for groups without a known release. Whole games have it. */
const UNKNOWN_RELEASE = '1999-01-01';

/** A date, or a date at a whole hour. Groups without a date may have the moment of the request. */
const RELEASE = /^(\d{4}-\d\d-\d\d)(?:T\d\d:00:00(?:\.\d*)?Z?)?$/;

/** Raise it when the adapter's output for the same files changes, so they are imported again. */
export const ADAPTER_VERSION = 5;

export function adaptSet(game: Game, raw: RawGroup): SourceSet {
  const name = decodeEntities(raw.name).trim();
  return {
    externalId: String(raw.groupId),
    game: game.slug,
    code: raw.abbreviation?.trim() || codeFromName(name),
    name,
    releaseDate: releaseDateOf(raw),
  };
}

/**
 * Returns when a group was released; null for a placeholder. A future date belongs to a presale.
 */
function releaseDateOf({ publishedOn }: RawGroup): string | null {
  const date = RELEASE.exec(publishedOn ?? '')?.[1];
  return date === undefined || date === UNKNOWN_RELEASE ? null : date;
}

/** Creates a code for a set without one: `SV: Black Bolt` becomes `SV-BLACK-BOLT`. */
function codeFromName(name: string): string {
  return name
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}

/** The cards and products of a group, counts of the rest, and unclassifiable rows. */
export interface AdaptedProducts {
  readonly cards: readonly SourceCard[];
  readonly skipped: Readonly<Record<string, number>>;
  readonly bad: readonly BadRow[];
}

/** Returns the cards and products. A product listed as two different ones is bad. */
export function adaptProducts(game: Game, raw: readonly RawProduct[]): AdaptedProducts {
  const cards: SourceCard[] = [];
  const skipped: Record<string, number> = {};
  const bad: BadRow[] = [];
  for (const [productId, same] of Map.groupBy(raw, (product) => product.productId)) {
    const [card, ...others] = same.map((product) => adaptProduct(game, product));
    if (others.some((other) => !isDeepStrictEqual(card, other))) {
      const reason = 'it is listed twice, as two different products';
      bad.push({ name: `products, product ${productId}`, productId, reason });
    } else if (card === UNCLEAR) {
      skipped[card] = (skipped[card] ?? 0) + 1;
    } else if (card) {
      cards.push(card);
    }
  }
  return { cards, skipped, bad };
}

/** A new card whose number and rarity TCGplayer does not know yet. */
const UNCLEAR = 'card without a number and a rarity';

/** Fields that cards of each game have and products lack. */
const CARD_FIELDS =
  /^(?:Card ?Type|Sub ?Type|HP|Stage|Attribute|Monster ?Type|Class|Cost Ink|Power|P)$/;

/** Returns a card, which has a number or a rarity, or a product. */
function adaptProduct(game: Game, product: RawProduct): SourceCard | typeof UNCLEAR {
  const number = printedText(extended(product, 'Number'));
  const rarity = printedText(extended(product, 'Rarity'));
  const externalId = String(product.productId);
  const image = largeImage(product);
  if ((number === null && rarity === null) || rarity === CODE_CARD) {
    const name = cardName(product.name, null);
    if (product.extendedData.some((field) => CARD_FIELDS.test(field.name))) return UNCLEAR;
    const type = rarity === null ? productTypeOf(name) : CODE_CARD_TYPE;
    const facts = { type, upc: upcOf(product) };
    return { externalId, name, number: null, rarity: null, image, product: facts };
  }
  const facts = factsOf(game.slug, product.extendedData);
  return {
    externalId,
    name: cardName(product.name, number),
    number,
    rarity: rarity === null ? null : rarityLabel(game, rarity),
    image,
    ...(facts && { facts }),
  };
}

/** TCGplayer's rarity of code cards, the only products with a rarity. */
const CODE_CARD = 'Code Card';
const CODE_CARD_TYPE: ProductType = 'code-card';

function upcOf(product: RawProduct): string | null {
  return readUpc(printedText(extended(product, 'UPC')) ?? '');
}

function extended(product: RawProduct, name: string): string | null {
  return product.extendedData.find((field) => field.name === name)?.value ?? null;
}

/** Returns the picture in the larger of the two sizes that TCGplayer serves. */
function largeImage(product: RawProduct): string | null {
  if (!product.imageUrl || product.imageCount === 0) return null;
  return product.imageUrl.replace(/_200w\.jpg$/, '_in_1000x1000.jpg');
}

/** Returns a card's name as plain text, without the number that TCGplayer repeats in it. */
export function cardName(raw: string, number: string | null): string {
  const name = decodeEntities(raw).replace(/\s+/g, ' ').trim();
  return number === null ? name : withoutNumber(name, number);
}

/** The prices of printings, and contradictory ones. */
export interface AdaptedPrices {
  readonly listings: readonly Listing[];
  /** The external ids of the cards of contradictory prices, one for each printing. */
  readonly contradictory: readonly string[];
}

/** Converts prices into cents. Omits printings with contradictory prices. */
export function adaptPrices(raw: readonly RawPrice[]): AdaptedPrices {
  const byPrinting = new Map<string, Listing>();
  const contradictory = new Map<string, string>();
  for (const price of raw) {
    const key = `${price.productId}/${price.subTypeName}`;
    const listing = adaptPrice(price);
    const before = byPrinting.get(key);
    if (before && !samePrices(before.prices, listing.prices)) {
      contradictory.set(key, listing.externalId);
    }
    byPrinting.set(key, listing);
  }
  for (const key of contradictory.keys()) byPrinting.delete(key);
  return { listings: [...byPrinting.values()], contradictory: [...contradictory.values()] };
}

function adaptPrice(price: RawPrice): Listing {
  return {
    externalId: String(price.productId),
    printing: price.subTypeName,
    prices: {
      market: cents(price.marketPrice),
      low: cents(price.lowPrice),
      mid: cents(price.midPrice),
      high: cents(price.highPrice),
    },
  };
}

/** Converts an amount that the schema has checked. Zero stands for an unknown price. */
function cents(dollars: number | null): Cents | null {
  return dollars === null ? null : centsFromDollars(dollars) || null;
}
