import { type Static, Type } from 'typebox';
import { compileParser, Label, Nullish } from '../kit/schema.ts';

/**
 * The files of MTGJSON: `{meta, data}`, where `data` has a member for each card, named by
 * MTGJSON's own id. Only the fields in use are validated.
 */

/** The `meta` of a file. @throws BadRecord for anything else. */
export const parseMeta = compileParser(Type.Object({ date: Label }));

/** Prices by day, `YYYY-MM-DD`; null for a day without. The adapter validates each. */
const RawDays = Type.Unsafe<Readonly<Record<string, unknown>>>(Type.Object({}));

const RawShop = Type.Object({
  currency: Nullish(Label),
  /** What the shop sells for. Its `buylist`, what it buys for, is ignored. */
  retail: Nullish(
    Type.Object({ normal: Nullish(RawDays), foil: Nullish(RawDays), etched: Nullish(RawDays) }),
  ),
});

/** A card of AllPrices or AllPricesToday. Prices of digital cards, in `mtgo`, are ignored. */
const RawPrices = Type.Object({
  paper: Nullish(
    Type.Object({
      tcgplayer: Nullish(RawShop),
      cardkingdom: Nullish(RawShop),
      cardmarket: Nullish(RawShop),
    }),
  ),
});

/** A card of AllIdentifiers. */
const RawCard = Type.Object({
  name: Label,
  number: Label,
  setCode: Label,
  /** Tokens have none. */
  rarity: Nullish(Label),
  finishes: Type.Array(Label, { maxItems: 20 }),
  isOversized: Nullish(Type.Boolean()),
  /** The face, where a card has an entry for each of several: `a` is the first. */
  side: Nullish(Label),
  identifiers: Type.Object({
    scryfallId: Nullish(Label),
    mcmId: Nullish(Label),
    tcgplayerProductId: Nullish(Label),
    tcgplayerEtchedProductId: Nullish(Label),
    /** A second product, for a foil made in another way than the first. */
    tcgplayerAlternativeFoilProductId: Nullish(Label),
  }),
});

export type RawDays = Static<typeof RawDays>;
export type RawShop = Static<typeof RawShop>;
export type RawPrices = Static<typeof RawPrices>;
export type RawCard = Static<typeof RawCard>;

/** @throws BadRecord for anything but prices of MTGJSON. */
export const parsePrices = compileParser(RawPrices);

/** @throws BadRecord for anything but a card of MTGJSON. */
export const parseCard = compileParser(RawCard);
