/** Reads the cards of a folder of TCGCSV files as the importer would, without a database. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Card, type CardSet, comparePrintings, type Printing } from '../../src/domain/card.ts';
import { nameInSet } from '../../src/domain/card-name.ts';
import { GAMES, type Game } from '../../src/domain/games.ts';
import { cardId, setId } from '../../src/domain/ids.ts';
import { NO_PRICES, type PriceFigures } from '../../src/domain/price.ts';
import type { Listing, SourceCard, SourceSet } from '../../src/sources/contract/snapshot.ts';
import {
  adaptProducts,
  adaptSet,
  parseGroups,
  parseProducts,
} from '../../src/sources/tcgcsv/adapt.ts';
import { readPrices } from '../../src/sources/tcgcsv/read.ts';

type Unnumbered = Omit<Card, 'rowId'>;

/** Reads every card of `<data>/tcgcsv`; skips groups without a folder. */
export function readTree(data: string): Card[] {
  return numbered(GAMES.flatMap((game) => readGame(join(data, 'tcgcsv/tcgplayer'), game)));
}

/** Gives cards row ids, as the database would. */
export function numbered(cards: readonly Unnumbered[]): Card[] {
  return cards.map((card, index) => ({ ...card, rowId: index + 1 }));
}

function readGame(root: string, game: Game): Unnumbered[] {
  const category = join(root, String(game.tcgplayerCategory));
  const groups = parseGroups(readFileSync(join(category, 'groups')));
  return groups.rows.flatMap((raw) => {
    const folder = join(category, String(raw.groupId));
    if (!existsSync(folder)) return [];
    const products = parseProducts(readFileSync(join(folder, 'products')));
    const { cards } = adaptProducts(game, products.rows);
    const { listings } = readPrices(readFileSync(join(folder, 'prices')));
    return assemble(adaptSet(game, raw), cards, listings);
  });
}

function assemble(
  source: SourceSet,
  cards: readonly SourceCard[],
  listings: readonly Listing[],
): Unnumbered[] {
  const set: CardSet = {
    ...source,
    rowId: Number(source.externalId),
    id: setId(source.game, source.code, source.name),
  };
  const byCard = Map.groupBy(listings, (listing) => listing.externalId);
  const own = cards.filter(({ product }) => product === undefined);
  const named = own.map((card) => ({ ...card, name: nameInSet(set.name, card.name) }));
  return named.map((card) => ({
    // The product's number stands in for the importer's way of telling equal ids apart.
    id: `${cardId(set.game, set.code, card.name, card.number)}-${card.externalId}`,
    set,
    name: card.name,
    number: card.number,
    rarity: card.rarity,
    image: card.image,
    printings: plainestFirst((byCard.get(card.externalId) ?? []).map(asPrinting)),
  }));
}

/** Orders printings as the catalogue does, since a card's default is the first that has a price. */
function plainestFirst(printings: Printing[]): Printing[] {
  return printings.sort((a, b) => comparePrintings(a.name, b.name));
}

function asPrinting(listing: Listing, index: number): Printing {
  return { rowId: index, name: listing.printing, prices: served(listing.prices) };
}

/** Returns served prices with only the four amounts filled in. */
export function served(prices: Partial<PriceFigures>): Printing['prices'] {
  return {
    ...NO_PRICES,
    ...prices,
    conditions: {},
    graded: {},
    sources: ['tcgplayer'],
    figuresAt: null,
    conditionsAt: null,
    gradedAt: null,
  };
}
