import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GAMES } from '../../src/domain/games.ts';
import { type Cents, dollarsFromCents } from '../../src/domain/money.ts';

/**
 * A catalogue in which every publication is recognisable: in publication 17 every name of a card or
 * a set ends in `K17`, every price in 17 cents (by the hundred), and every game has 17 cards more
 * than in publication 0. Nothing in it moves far enough to be quarantined.
 */

/** The cards of each game in publication 0; every publication adds one. */
export const FIRST_CARDS = 30;

/** A price in cents modulo this number identifies the publication. */
export const CENTS = 100;

const COLOURS = ['Amber', 'Azure', 'Coral', 'Ebony', 'Golden', 'Ivory', 'Jade', 'Scarlet'];
const BEINGS = ['wing', 'fang', 'horn', 'mane', 'claw', 'scale', 'tail', 'crest'];
const TITLES = ['Wanderer', 'Guardian', 'Seer', 'Rider', 'Herald', 'Warden', 'Sage', 'Scout'];

/** Every so many cards were cheaper on the day before, so that there are movers. */
const MOVERS = 5;
const FALLEN_DOLLARS = 10;

/** What a card is called in every publication: `Amberwing Wanderer`. Others of its game are not. */
export function cardStem(index: number): string {
  const [colour, being, title] = [index % 8, (index >> 3) % 8, (index >> 6) % 8];
  return `${COLOURS[colour]}${BEINGS[being]} ${TITLES[title]}`;
}

/** What a number of cents past the dollar says of a publication. */
export function centsOf(publication: number): number {
  return publication % CENTS;
}

/** How many cards each game has in a publication. */
export function cardsIn(publication: number): number {
  return FIRST_CARDS + publication;
}

/** A TCGCSV tree of the catalogue in a folder, rewritten by each publication. */
export class CatalogueTree {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Writes a publication, observed at a moment. The first is of a day before the others. */
  write(publication: number, observedAt: Date): void {
    this.#write('last-updated.txt', observedAt.toISOString());
    for (const [at, { tcgplayerCategory: category }] of GAMES.entries()) {
      const groupId = 1000 + at;
      this.#results(`${category}/groups`, [group(groupId, publication)]);
      const cards = Array.from({ length: cardsIn(publication) }, (_, index) => index);
      const products = cards.map((index) => product(groupId, index, publication));
      this.#results(`${category}/${groupId}/products`, products);
      const prices = cards.map((index) => price(groupId, index, publication));
      this.#results(`${category}/${groupId}/prices`, prices);
    }
  }

  #results(path: string, results: readonly object[]): void {
    const content = { totalItems: results.length, success: true, errors: [], results };
    this.#write(join('tcgplayer', path), JSON.stringify(content));
  }

  #write(path: string, text: string): void {
    const file = join(this.folder, path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text);
  }
}

function group(groupId: number, publication: number) {
  const name = `Harbour K${publication}`;
  return { groupId, name, abbreviation: 'HBR', publishedOn: '2024-05-01T00:00:00' };
}

function product(groupId: number, index: number, publication: number) {
  const extended = { Number: String(index + 1).padStart(3, '0'), Rarity: 'Rare' };
  return {
    productId: productId(groupId, index),
    name: `${cardStem(index)} K${publication}`,
    extendedData: Object.entries(extended).map(([name, value]) => ({ name, value })),
  };
}

function price(groupId: number, index: number, publication: number) {
  const hasFallen = publication === 0 && index % MOVERS === 0;
  const dollars = 60 + ((index * 7) % 80) - (hasFallen ? FALLEN_DOLLARS : 0);
  const amount = (more: number) =>
    dollarsFromCents(((dollars + more) * 100 + centsOf(publication)) as Cents);
  return {
    productId: productId(groupId, index),
    subTypeName: 'Normal',
    marketPrice: amount(0),
    lowPrice: amount(-5),
    midPrice: amount(5),
    highPrice: amount(30),
  };
}

function productId(groupId: number, index: number): number {
  return groupId * 1000 + index;
}
