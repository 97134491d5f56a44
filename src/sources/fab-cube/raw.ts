import type { Static } from 'typebox';
import { Type } from 'typebox';
import { compileParser, Label } from '../kit/schema.ts';

/**
 * The tables of the-fab-cube/flesh-and-blood-cards (`csvs/english`), separated by tabs. Other
 * columns, also those without a name at the end of the header, are ignored.
 */

const Text = Type.String({ maxLength: 2000 });

/** `card.csv`: a card is a name with a pitch, which its colour shows. */
const RawCard = Type.Object({ 'Unique ID': Label, Name: Label, Color: Text });

/** `card-printing.csv`: one foiling of one art of a card in one edition of a set. */
const RawPrinting = Type.Object({
  'Unique ID': Label,
  'Card Unique ID': Label,
  /** 1 is red, 2 yellow, 3 blue; empty where a card has none. */
  'Card Pitch': Text,
  /** The number on the card: `WTR001`. */
  'Card ID': Label,
  'Set Printing Unique ID': Label,
  'Set ID': Label,
  Edition: Label,
  Rarity: Label,
  Foiling: Label,
  /** `EA`, or several: `AB, EA`. */
  'Art Variations': Text,
  'Image URL': Text,
  'TCGPlayer ID': Text,
});

/** `set.csv` */
const RawSet = Type.Object({ 'Unique ID': Label, Identifier: Label, Name: Label });

/** `set-printing.csv`: an edition of a set. */
const RawSetPrinting = Type.Object({
  'Unique ID': Label,
  'Set Unique ID': Label,
  /** `2020-03-27T00:00:00.000Z`, or empty. */
  'Initial Release Date': Text,
});

export type RawCard = Static<typeof RawCard>;
export type RawPrinting = Static<typeof RawPrinting>;
export type RawSet = Static<typeof RawSet>;
export type RawSetPrinting = Static<typeof RawSetPrinting>;

/** Each throws a BadRecord for anything but a row of its table. */
export const parseCard = compileParser(RawCard);
export const parsePrinting = compileParser(RawPrinting);
export const parseSet = compileParser(RawSet);
export const parseSetPrinting = compileParser(RawSetPrinting);
