import { findGame, type GameSlug } from './games.ts';

/** The marketplaces with a page for each of their ids, by their usual names. */
export const MARKETPLACE_NAMES = {
  tcgplayer: 'TCGplayer',
  cardmarket: 'Cardmarket',
  pricecharting: 'PriceCharting',
} as const;

type Marketplace = keyof typeof MARKETPLACE_NAMES;

/** A card's page at a marketplace. */
export interface MarketplaceLink {
  readonly marketplace: Marketplace;
  readonly url: string;
}

const PAGES: Readonly<Record<Marketplace, (id: string, game: GameSlug) => string | undefined>> = {
  tcgplayer: (id) => `https://www.tcgplayer.com/product/${id}`,
  cardmarket: (id, game) => {
    const page = findGame(game)?.cardmarket?.page;
    return page && `https://www.cardmarket.com/en/${page}/Products?idProduct=${id}`;
  },
  pricecharting: (id) => `https://www.pricecharting.com/offers?product=${id}`,
};

/** Returns the links to the pages of a card at the marketplaces that have an id for it. */
export function marketplaceLinks(
  game: GameSlug,
  externalIds: Readonly<Record<string, readonly string[]>>,
): MarketplaceLink[] {
  return (Object.keys(PAGES) as Marketplace[]).flatMap((marketplace) => {
    const id = externalIds[marketplace]?.find((one) => /^\d{1,15}$/.test(one));
    const url = id === undefined ? undefined : PAGES[marketplace](id, game);
    return url === undefined ? [] : [{ marketplace, url }];
  });
}
