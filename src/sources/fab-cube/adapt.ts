import { type Static, Type } from 'typebox';
import { formatDay } from '../../domain/day.ts';
import { type CardFacts, present } from '../../domain/facts.ts';
import type { CardReference } from '../contract/feed.ts';
import { BadRecord } from '../io/json.ts';
import { EMPTY_REFERENCE } from '../kit/observations.ts';
import { partsOf } from '../kit/plain-text.ts';
import { compileParser, Label, parseDayPrefix } from '../kit/schema.ts';

/**
 * The tables of the-fab-cube/flesh-and-blood-cards (`csvs/english`), separated by tabs. Other
 * columns are ignored, including unnamed ones at the end of the header.
 */

const Text = Type.String({ maxLength: 2000 });

/** `card.csv`: a card is a name with a pitch, which determines its colour. */
const RawCard = Type.Object({
  'Unique ID': Label,
  Name: Label,
  Color: Text,
  Pitch: Type.Optional(Text),
  Cost: Type.Optional(Text),
  Power: Type.Optional(Text),
  Defense: Type.Optional(Text),
  Health: Type.Optional(Text),
  Intelligence: Type.Optional(Text),
  /** Separated by commas, like the traits and keywords. */
  Types: Type.Optional(Text),
  Traits: Type.Optional(Text),
  'Card Keywords': Type.Optional(Text),
  /** With `**` around words in bold, and symbols in braces: `{p}`. */
  'Functional Text': Type.Optional(Type.String({ maxLength: 10_000 })),
});

/** `card-printing.csv`: one foiling of one art of a card in one edition of a set. */
const RawPrinting = Type.Object({
  'Unique ID': Label,
  'Card Unique ID': Label,
  /** 1 is red, 2 yellow, 3 blue; empty if a card has none. */
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
  Artists: Type.Optional(Text),
  'Flavor Text': Type.Optional(Text),
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

/** Each parser throws a BadRecord for anything but a row of its table. */
export const parseCard = compileParser(RawCard);
export const parsePrinting = compileParser(RawPrinting);
export const parseSet = compileParser(RawSet);
export const parseSetPrinting = compileParser(RawSetPrinting);

/** The tables other than the table of printings. */
export interface Tables {
  readonly cards: readonly RawCard[];
  readonly sets: readonly RawSet[];
  readonly setPrintings: readonly RawSetPrinting[];
}

interface SetFacts {
  readonly code: string;
  readonly name: string;
  /** The release of the first edition, `YYYY-MM-DD`. */
  readonly releaseDate: string | null;
}

/** Tables indexed by the source's own ids. */
export interface CubeLookup {
  readonly cards: ReadonlyMap<string, RawCard>;
  /** Sets by the ids of their editions. */
  readonly sets: ReadonlyMap<string, SetFacts>;
}

export function indexTables({ cards, sets, setPrintings }: Tables): CubeLookup {
  const bySet = Map.groupBy(setPrintings, (edition) => edition['Set Unique ID']);
  const facts = new Map<string, SetFacts>();
  for (const set of sets) {
    const editions = bySet.get(set['Unique ID']) ?? [];
    const dates = editions.flatMap(
      (edition) => parseDayPrefix(edition['Initial Release Date']) ?? [],
    );
    const releaseDate = dates.length === 0 ? null : formatDay(dates.reduce(earlier));
    for (const edition of editions) {
      facts.set(edition['Unique ID'], { code: set.Identifier, name: set.Name, releaseDate });
    }
  }
  return { cards: new Map(cards.map((card) => [card['Unique ID'], card])), sets: facts };
}

function earlier<Ordered extends number>(a: Ordered, b: Ordered): Ordered {
  return a < b ? a : b;
}

/**
 * Groups the printings that are one card of the catalogue. A product of TCGplayer is one card with
 * its foils and editions. If TCGplayer has no product, each art is one card.
 */
export function groupPrintings(printings: readonly RawPrinting[]): RawPrinting[][] {
  const groups = Map.groupBy(printings, (printing) => {
    const product = printing['TCGPlayer ID'] || printing['Art Variations'];
    return [printing['Card Unique ID'], printing['Card ID'], product].join('/');
  });
  return [...groups.values()];
}

/** TCGplayer's names of foilings, plainest first. */
const FOILINGS: Readonly<Record<string, string>> = {
  S: 'Normal',
  R: 'Rainbow Foil',
  C: 'Cold Foil',
  // Golden cold foils are separate products. TCGplayer calls their printing Cold Foil.
  G: 'Cold Foil',
};

/** TCGplayer's words before the foiling, plainest first. Alpha is the first set's first edition. */
const EDITIONS: Readonly<Record<string, string>> = {
  N: '',
  U: 'Unlimited Edition ',
  F: '1st Edition ',
  A: '1st Edition ',
};

const RARITIES: Readonly<Record<string, string>> = {
  B: 'Basic',
  C: 'Common',
  F: 'Fabled',
  L: 'Legendary',
  M: 'Majestic',
  P: 'Promo',
  R: 'Rare',
  S: 'Super Rare',
  T: 'Token',
  V: 'Marvel',
};

const ARTS: Readonly<Record<string, string>> = {
  AA: 'Alternate Art',
  AB: 'Alternate Border',
  AT: 'Alternate Text',
  EA: 'Extended Art',
  FA: 'Full Art',
  HS: 'Half Size',
};

const COLOURS: Readonly<Record<string, string>> = { '1': 'Red', '2': 'Yellow', '3': 'Blue' };

/**
 * Makes the reference of a card from its printings, at least one.
 *
 * @throws BadRecord for an unknown code, or a card that is not in its table.
 */
export function adaptCard(printings: readonly RawPrinting[], lookup: CubeLookup): CardReference {
  const plainestFirst = printings.toSorted((a, b) => plainness(a) - plainness(b));
  const [raw] = plainestFirst;
  if (!raw) throw new BadRecord('a card without any printing');
  const set = lookup.sets.get(raw['Set Printing Unique ID']);
  const tcgplayer = raw['TCGPlayer ID'];
  return {
    ...EMPTY_REFERENCE,
    // The source's card id covers all arts and sets, so the smallest printing id is used.
    externalId: printings.map((printing) => printing['Unique ID']).reduce(firstByName),
    game: 'fab',
    name: cardName(raw, lookup),
    number: raw['Card ID'],
    setCode: set?.code ?? raw['Set ID'],
    setName: set?.name ?? null,
    rarity: lookUpName(RARITIES, raw.Rarity, 'rarity'),
    variant: variantOf(printings),
    externalIds: tcgplayer === '' ? {} : { tcgplayer },
    printings: [...new Set(plainestFirst.map(printingName))],
    image: raw['Image URL'] || null,
    releaseDate: set?.releaseDate ?? null,
  };
}

/** Returns the card of a printing; undefined for a card that is not in its table. */
export function adaptFacts(
  printing: RawPrinting | undefined,
  { cards }: CubeLookup,
): CardFacts | undefined {
  const card = cards.get(printing?.['Card Unique ID'] ?? '');
  if (!printing || !card) return undefined;
  return present({
    types: partsOf(card.Types ?? '', /,/),
    subtypes: partsOf(card.Traits ?? '', /,/),
    colors: partsOf(card.Color, /,/),
    keywords: partsOf(card['Card Keywords'] ?? '', /,/),
    pitch: card.Pitch,
    cost: card.Cost,
    power: card.Power,
    defense: card.Defense,
    life: card.Health,
    intellect: card.Intelligence,
    text: (card['Functional Text'] ?? '').replaceAll('**', '').replace(/\n{2,}/g, '\n'),
    flavorText: printing['Flavor Text'],
    artist: partsOf(printing.Artists ?? '', /,/).join(' & '),
  });
}

function firstByName(a: string, b: string): string {
  return a < b ? a : b;
}

const PLAINEST_FIRST = Object.keys(FOILINGS).flatMap((foiling) => {
  return Object.keys(EDITIONS).map((edition) => foiling + edition);
});

function plainness({ Foiling, Edition }: RawPrinting): number {
  return PLAINEST_FIRST.indexOf(Foiling + Edition);
}

/** Returns the printing's name, such as `1st Edition Rainbow Foil`. */
function printingName({ Edition, Foiling }: RawPrinting): string {
  return lookUpName(EDITIONS, Edition, 'edition') + lookUpName(FOILINGS, Foiling, 'foiling');
}

/** Returns TCGplayer's name, `Alpha Rampage (Red)`: the three pitches of a name are three cards. */
function cardName(printing: RawPrinting, { cards }: CubeLookup): string {
  const card = cards.get(printing['Card Unique ID']);
  if (!card) throw new BadRecord(`its card ${printing['Card Unique ID']} is not in card.csv`);
  const colour = COLOURS[printing['Card Pitch']] ?? card.Color;
  return colour === '' ? card.Name : `${card.Name} (${colour})`;
}

/** Returns the special art of the card, or null if any printing has the usual one. */
function variantOf(printings: readonly RawPrinting[]): string | null {
  const arts = printings.map((printing) => printing['Art Variations']);
  const [art = ''] = arts;
  if (art === '' || arts.includes('')) return null;
  return art
    .split(/\s*,\s*/)
    .map((code) => lookUpName(ARTS, code, 'art variation'))
    .join(', ');
}

function lookUpName(names: Readonly<Record<string, string>>, code: string, what: string): string {
  const name = names[code];
  if (name === undefined) throw new BadRecord(`the ${what} ${code} is not known`);
  return name;
}
