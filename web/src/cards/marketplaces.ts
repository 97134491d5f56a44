import { findGame } from '../../../src/domain/games.ts';

/** Where to buy a card, by the ids that marketplaces have for it. */

export interface MarketplaceLink {
  /** The name of the marketplace. */
  readonly name: string;
  readonly href: string;
}

/** Returns the links to the pages of a card at the marketplaces that have an id for it. */
export function marketplaceLinks(
  game: string,
  externalIds: Readonly<Record<string, readonly string[]>>,
): MarketplaceLink[] {
  const idAt = (idSpace: string) => externalIds[idSpace]?.find((id) => /^\d{1,15}$/.test(id));
  const tcgplayer = idAt('tcgplayer');
  const cardmarket = idAt('cardmarket');
  const cardmarketGame = findGame(game)?.cardmarket?.page;
  const links: MarketplaceLink[] = [];
  if (tcgplayer) {
    links.push({ name: 'TCGplayer', href: `https://www.tcgplayer.com/product/${tcgplayer}` });
  }
  if (cardmarket && cardmarketGame) {
    const href = `https://www.cardmarket.com/en/${cardmarketGame}/Products?idProduct=${cardmarket}`;
    links.push({ name: 'Cardmarket', href });
  }
  return links;
}
