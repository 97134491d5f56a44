import type { Card, CardSet, Printing, ServedPrices } from '../../domain/card.ts';
import { type Confidence, packConfidence, unpackConfidence } from '../../domain/confidence.ts';
import { assumedConfidence } from '../../domain/judge-confidence.ts';
import type { LanguageCode } from '../../domain/languages.ts';
import type { Cents } from '../../domain/money.ts';
import { type BasePrices, NO_BASES, NO_DOUBTS } from '../../domain/price-changes.ts';
import type { ProductContents, ProductFacts, ProductType } from '../../domain/products.ts';
import type { BulkTable } from '../engine/engine.ts';
import {
  CHANGE_DOUBTS_COLUMN,
  CONTENTS,
  DISPUTE,
  NATIVE,
  ORIGINS,
  PRINTING_SOURCES,
  readAmounts,
  SERVED_TRADE,
  writeAmounts,
} from './json-columns.ts';
import type {
  CardExternalIdRow,
  CardNameRow,
  CardRow,
  PrintingRow,
  SetExternalIdRow,
  SetRow,
} from './schema.ts';

/** Sets, cards, printings and their external ids, and their stored form. */

export interface StoredSet extends CardSet {
  /** The publication that last changed it. */
  readonly revision: number;
}

/** An external id of a set. */
export interface SetExternalId {
  /** The issuer of the id: `tcgplayer`, `scryfall`. */
  readonly idSpace: string;
  readonly externalId: string;
  readonly setRowId: number;
}

/** The fields that only rows of products have. */
export interface StoredProduct extends ProductFacts {
  /** Null if no source gives them. */
  readonly contents: ProductContents | null;
}

/** A card, or a product. */
export interface StoredCard extends Omit<Card, 'set' | 'printings'> {
  readonly setRowId: number;
  /** Absent for a card. */
  readonly product?: StoredProduct;
  /** The publication that last changed it. */
  readonly revision: number;
}

/** An external id of a card. */
export interface StoredExternalId {
  /** The issuer of the id: `tcgplayer`, `scryfall`. */
  readonly idSpace: string;
  readonly externalId: string;
  readonly cardRowId: number;
  /** The publication that gave the card this id; 0 if it was not recorded. */
  readonly revision: number;
}

/** The name of a card in another language than the one in which it is catalogued. */
export interface StoredName {
  readonly cardRowId: number;
  readonly language: LanguageCode;
  readonly name: string;
  /** The publication that last changed it. */
  readonly revision: number;
}

/** A printing with its served prices, in US cents. */
export interface StoredPrinting extends Readonly<Omit<Printing, 'bases'>> {
  readonly cardRowId: number;
  /** The marketplace of the figures served last; null if it was not recorded. */
  readonly marketplace: string | null;
  /** The base prices of changes. */
  readonly bases: BasePrices;
  /** The publication that last changed it. */
  readonly revision: number;
}

export const SETS: BulkTable<SetRow> = {
  name: 'sets',
  columns: {
    id: 'int4',
    public_set_id: 'text',
    game: 'text',
    code: 'text',
    name: 'text',
    release_date: 'text',
    revision: 'int4',
  },
  key: ['id'],
};

export const SET_EXTERNAL_IDS: BulkTable<SetExternalIdRow> = {
  name: 'set_external_ids',
  columns: { id_space: 'text', external_id: 'text', set_id: 'int4' },
  key: ['id_space', 'external_id'],
};

export const CARDS: BulkTable<CardRow> = {
  name: 'cards',
  columns: {
    id: 'int4',
    public_id: 'text',
    set_id: 'int4',
    name: 'text',
    number: 'text',
    rarity: 'text',
    image: 'text',
    revision: 'int4',
    product_type: 'text',
    upc: 'text',
    contents: 'text',
  },
  key: ['id'],
};

export const CARD_EXTERNAL_IDS: BulkTable<CardExternalIdRow> = {
  name: 'card_external_ids',
  columns: { id_space: 'text', external_id: 'text', card_id: 'int4', revision: 'int4' },
  key: ['id_space', 'external_id'],
};

export const CARD_NAMES: BulkTable<CardNameRow> = {
  name: 'card_names',
  columns: { card_id: 'int4', language: 'text', name: 'text', revision: 'int4' },
  key: ['card_id', 'language'],
};

export const PRINTINGS: BulkTable<PrintingRow> = {
  name: 'printings',
  columns: {
    id: 'int4',
    card_id: 'int4',
    name: 'text',
    market: 'int4',
    low: 'int4',
    mid: 'int4',
    high: 'int4',
    conditions: 'text',
    graded: 'text',
    sources: 'text',
    figures_at: 'int8',
    conditions_at: 'int8',
    graded_at: 'int8',
    marketplace: 'text',
    base_1d: 'int4',
    base_7d: 'int4',
    base_30d: 'int4',
    change_doubts: 'text',
    revision: 'int4',
    confidence: 'int4',
    interval_low: 'int4',
    interval_high: 'int4',
    dispute: 'text',
    origins: 'text',
    native: 'text',
    trade: 'text',
  },
  key: ['id'],
};

export function setOf(row: SetRow): StoredSet {
  return {
    rowId: row.id,
    id: row.public_set_id,
    game: row.game,
    code: row.code,
    name: row.name,
    releaseDate: row.release_date,
    revision: row.revision,
  };
}

export function setRow(set: StoredSet): SetRow {
  return {
    id: set.rowId,
    public_set_id: set.id,
    game: set.game,
    code: set.code,
    name: set.name,
    release_date: set.releaseDate,
    revision: set.revision,
  };
}

export function setExternalIdRow({ idSpace, externalId, setRowId }: SetExternalId) {
  return { id_space: idSpace, external_id: externalId, set_id: setRowId };
}

export function cardOf(row: CardRow): StoredCard {
  return {
    rowId: row.id,
    id: row.public_id,
    setRowId: row.set_id,
    name: row.name,
    number: row.number,
    rarity: row.rarity,
    image: row.image,
    revision: row.revision,
    ...(row.product_type !== null && { product: productOf(row, row.product_type) }),
  };
}

function productOf({ upc, contents }: CardRow, type: ProductType): StoredProduct {
  return { type, upc, contents: CONTENTS.read(contents) };
}

export function cardRow(card: StoredCard): CardRow {
  return {
    id: card.rowId,
    public_id: card.id,
    set_id: card.setRowId,
    name: card.name,
    number: card.number,
    rarity: card.rarity,
    image: card.image,
    revision: card.revision,
    product_type: card.product?.type ?? null,
    upc: card.product?.upc ?? null,
    contents: CONTENTS.write(card.product?.contents ?? null),
  };
}

export function externalIdOf(row: CardExternalIdRow): StoredExternalId {
  const { id_space: idSpace, external_id: externalId, card_id: cardRowId, revision } = row;
  return { idSpace, externalId, cardRowId, revision };
}

export function externalIdRow(id: StoredExternalId): CardExternalIdRow {
  const { idSpace, externalId, cardRowId, revision } = id;
  return { id_space: idSpace, external_id: externalId, card_id: cardRowId, revision };
}

export function nameOf({ card_id: cardRowId, ...row }: CardNameRow): StoredName {
  return { cardRowId, ...row };
}

export function nameRow({ cardRowId, language, name, revision }: StoredName): CardNameRow {
  return { card_id: cardRowId, language, name, revision };
}

export function printingOf(row: PrintingRow): StoredPrinting {
  const prices = pricesOf(row);
  const bases = basesOf(row);
  return {
    rowId: row.id,
    cardRowId: row.card_id,
    name: row.name,
    prices,
    marketplace: row.marketplace,
    bases,
    confidence: confidenceOf(row) ?? assumedConfidence({ prices, bases }),
    origins: ORIGINS.read(row.origins) ?? undefined,
    dispute: DISPUTE.read(row.dispute) ?? undefined,
    native: NATIVE.read(row.native) ?? undefined,
    trade: SERVED_TRADE.read(row.trade) ?? undefined,
    revision: row.revision,
  };
}

function pricesOf(row: PrintingRow): ServedPrices {
  return {
    market: row.market as Cents | null,
    low: row.low as Cents | null,
    mid: row.mid as Cents | null,
    high: row.high as Cents | null,
    conditions: readAmounts(row.conditions),
    graded: readAmounts(row.graded),
    sources: sourcesOf(row.sources),
    figuresAt: row.figures_at,
    conditionsAt: row.conditions_at,
    gradedAt: row.graded_at,
  };
}

/** Undefined for rows from before it was recorded, and for rows without a price. */
function confidenceOf(row: PrintingRow): Confidence | undefined {
  const { confidence, interval_low: low, interval_high: high } = row;
  const interval =
    low === null || high === null ? null : { low: low as Cents, high: high as Cents };
  return unpackConfidence(confidence ?? 0, interval);
}

/** The few distinct lists of sources. Printings with equal lists share one array. */
const SOURCE_LISTS = new Map<string, readonly string[]>();

function sourcesOf(json: string): readonly string[] {
  const known = SOURCE_LISTS.get(json) ?? PRINTING_SOURCES.read(json);
  SOURCE_LISTS.set(json, known);
  return known;
}

/** Returns `NO_BASES`, which many printings share, for a printing without bases. */
function basesOf({ base_1d, base_7d, base_30d, change_doubts }: PrintingRow): BasePrices {
  const doubts = CHANGE_DOUBTS_COLUMN.read(change_doubts) ?? NO_DOUBTS;
  if (base_1d === null && base_7d === null && base_30d === null && doubts === NO_DOUBTS) {
    return NO_BASES;
  }
  return {
    '1d': base_1d as Cents | null,
    '7d': base_7d as Cents | null,
    '30d': base_30d as Cents | null,
    doubts,
  };
}

export function printingRow(printing: StoredPrinting): PrintingRow {
  const { prices, bases, confidence, origins, dispute, native, trade } = printing;
  const { doubts } = bases;
  return {
    id: printing.rowId,
    card_id: printing.cardRowId,
    name: printing.name,
    market: prices.market,
    low: prices.low,
    mid: prices.mid,
    high: prices.high,
    conditions: writeAmounts(prices.conditions),
    graded: writeAmounts(prices.graded),
    sources: PRINTING_SOURCES.write(prices.sources),
    figures_at: prices.figuresAt,
    conditions_at: prices.conditionsAt,
    graded_at: prices.gradedAt,
    marketplace: printing.marketplace,
    base_1d: bases['1d'],
    base_7d: bases['7d'],
    base_30d: bases['30d'],
    change_doubts: Object.keys(doubts).length === 0 ? null : CHANGE_DOUBTS_COLUMN.write(doubts),
    revision: printing.revision,
    confidence: confidence ? packConfidence(confidence) : null,
    interval_low: confidence?.interval?.low ?? null,
    interval_high: confidence?.interval?.high ?? null,
    dispute: dispute ? DISPUTE.write(dispute) : null,
    origins: origins ? ORIGINS.write(origins) : null,
    native: native ? NATIVE.write(native) : null,
    trade: trade ? SERVED_TRADE.write(trade) : null,
  };
}
