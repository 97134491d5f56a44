import type { Entry } from './entry.ts';

/** `x4` and `4x`. */
const QUANTITIES = Array.from({ length: 99 }, (_, i) => `x${i + 1}, ${i + 1}x`);

/** Words of listings and questions that say nothing about the card. */
export const NOISE: readonly Entry[] = [
  noise('Card', 'card, cards, trading card, trading cards, single, singles, single card'),
  noise('Card game', 'tcg, ccg, card game, trading card game, collectible card game'),
  noise('Collecting', 'collectible, collectibles, collection, collectors, vintage, wotc, wizards'),
  noise('Praise', 'wow, look, l@@k, rare find, hot, must see, beautiful, stunning, nice, clean'),
  noise('Pack fresh', 'pack fresh, pack pulled, pulled, fresh, unplayed, sleeved'),
  noise('Number', 'no, nr, num, number, card number, card no'),
  noise('Price', 'price, prices, priced, pricing, price guide, price check, value, worth, cost'),
  noise('Question', 'how much, how much is, how much does, what is, whats, price of, worth of'),
  noise('Trade', 'buy, sell, selling, sale, for sale, wts, wtb, wtt, deal, deals, cheap, offer'),
  noise('Place', 'ebay, tcg player, cardmarket, mkm, card kingdom, troll and toad'),
  noise('Quantity', QUANTITIES.join(', ')),
  noise('Lot', 'lot, lots, playset, play set, bulk, complete'),
  noise(
    'Shipping',
    `free shipping, free ship, fast shipping, free post, free postage, fast ship, shipping,
      tracked, ships, usa, uk seller, us seller, uk`,
  ),
  noise('Genuine', 'authentic, genuine, official, real, legit, original'),
  noise('Link', 'for, from, with'),
  noise('New', 'new, brand new, in stock'),
  noise('Sleeve', 'in sleeve, in toploader, toploader, w toploader, binder'),
];

function noise(means: string, words: string): Entry {
  return { as: 'noise', means, words };
}
