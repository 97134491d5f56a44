/** Where a card can be bought, by the ids that marketplaces have for it. */

export interface MarketplaceLink {
  /** The name of the marketplace. */
  readonly name: string;
  readonly href: string;
}

/** The games by the names that Cardmarket has for them in addresses. */
const CARDMARKET_GAMES: Readonly<Record<string, string>> = {
  pokemon: 'Pokemon',
  pokemonjp: 'Pokemon',
  mtg: 'Magic',
  yugioh: 'YuGiOh',
  lorcana: 'Lorcana',
  onepiece: 'OnePiece',
  swu: 'StarWarsUnlimited',
  fab: 'FleshAndBlood',
};

/** Returns the links to the pages of a card at marketplaces, as far as its ids lead there. */
export function marketplaceLinks(
  game: string,
  externalIds: Readonly<Record<string, readonly string[]>>,
): MarketplaceLink[] {
  const idAt = (idSpace: string) => externalIds[idSpace]?.find((id) => /^\d{1,15}$/.test(id));
  const tcgplayer = idAt('tcgplayer');
  const cardmarket = idAt('cardmarket');
  const cardmarketGame = CARDMARKET_GAMES[game];
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
