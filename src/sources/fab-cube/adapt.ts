import { formatDay } from '../../domain/day.ts';
import type { CardReference } from '../contract/feed.ts';
import { EMPTY_REFERENCE } from '../kit/observations.ts';
import { BadRecord, parseDayPrefix } from '../kit/schema.ts';
import type { RawCard, RawPrinting, RawSet, RawSetPrinting } from './raw.ts';

/** The tables around that of printings. */
export interface Tables {
  readonly cards: readonly RawCard[];
  readonly sets: readonly RawSet[];
  readonly setPrintings: readonly RawSetPrinting[];
}

interface SetFacts {
  readonly code: string;
  readonly name: string;
  /** Of its first edition, `YYYY-MM-DD`. */
  readonly releaseDate: string | null;
}

/** What is looked up for a printing, by the source's own ids. */
export interface CubeLookup {
  readonly cards: ReadonlyMap<string, RawCard>;
  /** By the ids of their editions. */
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
 * The printings that are one card of ours. What TCGplayer sells as one product is one card, with
 * its foils and editions; of cards that it does not have, an art is one.
 */
export function groupPrintings(printings: readonly RawPrinting[]): RawPrinting[][] {
  const groups = Map.groupBy(printings, (printing) => {
    const product = printing['TCGPlayer ID'] || printing['Art Variations'];
    return [printing['Card Unique ID'], printing['Card ID'], product].join('/');
  });
  return [...groups.values()];
}

/** Plainest first, as are the editions. */
const FOILINGS: Readonly<Record<string, string>> = {
  S: 'Normal',
  R: 'Rainbow Foil',
  C: 'Cold Foil',
  // Golden cold foils are products of their own, whose printing TCGplayer calls so.
  G: 'Cold Foil',
};

/** What TCGplayer puts before the foiling. The first edition of the first set is called Alpha. */
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
 * A card by its printings, of which there is at least one.
 *
 * @throws BadRecord for a code that is not known, or a card that is not in its table.
 */
export function adaptCard(printings: readonly RawPrinting[], cube: CubeLookup): CardReference {
  const plainestFirst = printings.toSorted((a, b) => plainness(a) - plainness(b));
  const [raw] = plainestFirst;
  if (!raw) throw new BadRecord('a card without any printing');
  const set = cube.sets.get(raw['Set Printing Unique ID']);
  const tcgplayer = raw['TCGPlayer ID'];
  return {
    ...EMPTY_REFERENCE,
    // Cards have an id for all of their arts and sets; the smallest of a printing is this one's.
    externalId: printings.map((printing) => printing['Unique ID']).reduce(firstByName),
    game: 'fab',
    name: cardName(raw, cube),
    number: raw['Card ID'],
    setCode: set?.code ?? raw['Set ID'],
    setName: set?.name ?? null,
    rarity: known(RARITIES, raw.Rarity, 'rarity'),
    variant: variantOf(printings),
    externalIds: tcgplayer === '' ? {} : { tcgplayer },
    printings: [...new Set(plainestFirst.map(printingName))],
    image: raw['Image URL'] || null,
    releaseDate: set?.releaseDate ?? null,
  };
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

/** `1st Edition Rainbow Foil` */
function printingName({ Edition, Foiling }: RawPrinting): string {
  return known(EDITIONS, Edition, 'edition') + known(FOILINGS, Foiling, 'foiling');
}

/** `Alpha Rampage (Red)`, as TCGplayer has it: the three pitches of a name are three cards. */
function cardName(printing: RawPrinting, { cards }: CubeLookup): string {
  const card = cards.get(printing['Card Unique ID']);
  if (!card) throw new BadRecord(`its card ${printing['Card Unique ID']} is not in card.csv`);
  const colour = COLOURS[printing['Card Pitch']] ?? card.Color;
  return colour === '' ? card.Name : `${card.Name} (${colour})`;
}

/** What is special about the art of all printings. */
function variantOf(printings: readonly RawPrinting[]): string | null {
  const arts = printings.map((printing) => printing['Art Variations']);
  const [art = ''] = arts;
  if (art === '' || arts.includes('')) return null;
  return art
    .split(/\s*,\s*/)
    .map((code) => known(ARTS, code, 'art variation'))
    .join(', ');
}

function known(names: Readonly<Record<string, string>>, code: string, what: string): string {
  const name = names[code];
  if (name === undefined) throw new BadRecord(`the ${what} ${code} is not known`);
  return name;
}
