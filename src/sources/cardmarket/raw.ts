import { type Static, Type } from 'typebox';
import { compileParser, Label, Nullish } from '../kit/schema.ts';

/**
 * Cardmarket's public files, one of each kind for every game, whose number is in their names:
 * `price_guide_1.json` with `{"version","createdAt","priceGuides":[…]}`, and
 * `products_singles_1.json` with `{"version","createdAt","products":[…]}`. Only the fields in use
 * are validated.
 */

const Figure = Nullish(Type.Number());

/** Prices in euros. Fields of foils end in `-foil`, in the file for Pokémon in `-holo`. */
const RawGuide = Type.Object({
  idProduct: Type.Integer({ minimum: 1 }),
  /** The average price of sales: of all time, and of the last 1, 7 and 30 days. */
  avg: Figure,
  avg1: Figure,
  avg7: Figure,
  avg30: Figure,
  /** The lowest listing. */
  low: Figure,
  /** Cardmarket's own estimate of the selling price. */
  trend: Figure,
  'low-foil': Figure,
  'trend-foil': Figure,
  'low-holo': Figure,
  'trend-holo': Figure,
});

const RawProduct = Type.Object({
  idProduct: Type.Integer({ minimum: 1 }),
  name: Label,
});

export type RawGuide = Static<typeof RawGuide>;
export type RawProduct = Static<typeof RawProduct>;

/** @throws BadRecord for anything but an entry of a price guide. */
export const parseGuide = compileParser(RawGuide);

/** @throws BadRecord for anything but an entry of a product list. */
export const parseProduct = compileParser(RawProduct);
