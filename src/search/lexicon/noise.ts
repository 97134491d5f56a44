import type { Entry } from './entry.ts';

const UP_TO_99 = Array.from({ length: 99 }, (_, i) => i + 1);

/** The numbers of graded copies that titles tell. Smaller ones are series of Pokémon: `pop 5`. */
const POPULATIONS = UP_TO_99.filter((count) => count > 9).map((count) => `pop ${count}`);

/**
 * Words of listings and questions that say nothing about the card. Words that are often a part of a
 * name are left out: `hot` of `Amazoness Hot Spring` would make that the card `Spring`.
 */
export const NOISE: readonly Entry[] = [
  noise('Card', 'card, cards, trading card, trading cards, single, singles, single card'),
  noise('Card game', 'tcg, ccg, card game, trading card game, collectible card game'),
  noise('Collecting', 'collectible, collectibles, collectable, vintage, wotc, wizards'),
  noise('Genuine', 'authentic, genuine, official, legit, not proxy, no proxy'),
  noise('Link', 'for, from'),
  noise('Lot', 'lot, lots, playset, play set, bulk'),
  noise('Number', 'no, nr, num, card number, card no'),
  noise('Pack fresh', 'pack fresh, pack pulled, pulled, unplayed, sleeved, freshly pulled'),
  noise('Place', 'ebay, tcg player, cardmarket, mkm, card kingdom, troll and toad'),
  noise('Population', ['pop report, low pop', ...POPULATIONS].join(', ')),
  noise('Praise', 'wow, look, l@@k, rare find, must see, htf, hard to find, holy grail, grail'),
  noise('Price', 'price, prices, priced, pricing, price guide, price check, value, worth'),
  noise('Quantity', UP_TO_99.map((count) => `x${count}, ${count}x`).join(', ')),
  noise('Question', 'how much, how much is, how much does, what is, whats, price of, worth of'),
  noise(
    'Sentence',
    `i, my, me, mine, you, your, we, do, does, did, have, has, had, want, wants, need, is, are, was,
      it, its, this, that, can, could, please, looking, find, show, show me, get, got,
      anyone, know, tell, go for, going for, an, a`,
  ),
  noise(
    'Shipping',
    `free shipping, free ship, free post, free postage, fast shipping, fast ship, shipping,
      tracked, usa, us seller, uk, uk seller`,
  ),
  noise('Sleeve', 'in sleeve, in toploader, w toploader, toploader, top loader'),
  noise('State', 'brand new, in stock, in hand, ready to ship'),
  noise('Trade', 'buy, sell, selling, sale, for sale, for trade, wts, wtb, wtt, cheap'),
  noise('Version', 'version, ver, v1, v2, v3, v4, v5'),
];

function noise(means: string, words: string): Entry {
  return { as: 'noise', means, words };
}
