import { type Static, Type } from 'typebox';
import { compileParser, Label, Nullish } from '../kit/schema.ts';

/**
 * The files of MTGJSON: `{meta, data}`, where `data` has a member for each card, by MTGJSON's own
 * id. Only the fields that are used are checked.
 */

/** What the files say of themselves. */
export const parseMeta = compileParser(Type.Object({ date: Label }));

/** Prices by day, `YYYY-MM-DD`; null for a day without. Checked day by day, as they are read. */
const RawDays = Type.Unsafe<Readonly<Record<string, unknown>>>(Type.Object({}));

const RawShop = Type.Object({
  currency: Nullish(Label),
  /** What the shop sells for; `buylist`, for what it buys, is left alone. */
  retail: Nullish(
    Type.Object({ normal: Nullish(RawDays), foil: Nullish(RawDays), etched: Nullish(RawDays) }),
  ),
});

/** A card of AllPrices or AllPricesToday. Prices of digital cards are in `mtgo`. */
const RawPrices = Type.Object({
  paper: Nullish(
    Type.Object({
      tcgplayer: Nullish(RawShop),
      cardkingdom: Nullish(RawShop),
      cardmarket: Nullish(RawShop),
    }),
  ),
});

/** A card of AllIdentifiers: all of it, of which the ids are a part. */
const RawCard = Type.Object({
  name: Label,
  number: Label,
  setCode: Label,
  /** Tokens have none. */
  rarity: Nullish(Label),
  finishes: Type.Array(Label, { maxItems: 20 }),
  /** Of a card with several faces, each of which has an entry: `a` is the first. */
  side: Nullish(Label),
  identifiers: Type.Object({
    scryfallId: Nullish(Label),
    mcmId: Nullish(Label),
    tcgplayerProductId: Nullish(Label),
    tcgplayerEtchedProductId: Nullish(Label),
    /** A second product, for a foil that is made in another way than that of the first. */
    tcgplayerAlternativeFoilProductId: Nullish(Label),
  }),
});

export type RawDays = Static<typeof RawDays>;
export type RawShop = Static<typeof RawShop>;
export type RawPrices = Static<typeof RawPrices>;
export type RawCard = Static<typeof RawCard>;

/** @throws BadRecord for what are no prices of MTGJSON. */
export const parsePrices = compileParser(RawPrices);

/** @throws BadRecord for what is no card of MTGJSON. */
export const parseCard = compileParser(RawCard);
