/** A small catalogue, and a resolver over it, for tests. */
import type { Card, CardSet } from '../../src/domain/card.ts';
import type { GameSlug } from '../../src/domain/games.ts';
import { type Resolution, type ResolveItem, Resolver } from '../../src/resolve/index.ts';
import { indexOf, makeCard, pricesOf } from '../search/search-cards.ts';

let lastSet = 0;

function setOf(game: GameSlug, code: string, name: string, year: number): CardSet {
  const rowId = ++lastSet;
  return {
    rowId,
    id: `${game}-${code}`.toLowerCase(),
    game,
    code,
    name,
    releaseDate: `${year}-01-01`,
  };
}

const SETS = {
  m10: setOf('mtg', 'M10', 'Magic 2010', 2009),
  m11: setOf('mtg', 'M11', 'Magic 2011', 2010),
  ninth: setOf('mtg', '9ED', 'Ninth Edition', 2005),
  tenth: setOf('mtg', '10E', 'Tenth Edition', 2007),
  dmu: setOf('mtg', 'DMU', 'Dominaria United', 2022),
  apc: setOf('mtg', 'APC', 'Apocalypse', 2001),
  lea: setOf('mtg', 'LEA', 'Alpha Edition', 1993),
  base: setOf('pokemon', 'BS', 'Base Set', 1999),
  shadowless: setOf('pokemon', 'BSS', 'Base Set (Shadowless)', 1999),
  rocket: setOf('pokemon', 'TR', 'Team Rocket', 2000),
  jumbo: setOf('pokemon', 'PR', 'Jumbo Cards', 2013),
  expedition: setOf('pokemon', 'EX', 'Expedition', 2002),
  platinum: setOf('pokemon', 'PL', 'Platinum', 2009),
  delta: setOf('pokemon', 'DS', 'Delta Species', 2005),
  wotc: setOf('pokemon', 'WP', 'WoTC Promo', 1999),
  svi: setOf('pokemon', 'SVI', 'SV01: Scarlet & Violet Base Set', 2023),
  sv2a: setOf('pokemonjp', 'SV2a', 'Pokemon Card 151', 2023),
  swsh12: setOf('pokemon', 'SWSH12', 'SWSH12: Silver Tempest', 2022),
  tfc: setOf('lorcana', 'TFC', 'The First Chapter', 2023),
  d23: setOf('lorcana', 'D23', 'D23 Promos', 2022),
  sor: setOf('swu', 'SOR', 'Spark of Rebellion', 2024),
  wtr: setOf('fab', 'WTR', 'Welcome to Rathe', 2020),
  azl: setOf('fab', 'AZL', 'Azalea Blitz Deck', 2022),
  op06: setOf('onepiece', 'OP-06', 'WINGS OF THE CAPTAIN', 2024),
  prb: setOf('onepiece', 'PRB-01', 'ONE PIECE CARD THE BEST', 2024),
  lob: setOf('yugioh', 'LOB', 'Legend of Blue Eyes White Dragon', 2002),
  ra01: setOf('yugioh', 'RA01', '25th Anniversary Rarity Collection', 2023),
};

type Draft = readonly [
  set: CardSet,
  name: string,
  number: string | null,
  rarity: string,
  printings: string,
  /** The market price in cents; 100 if left out. */
  price?: number,
];

const DRAFTS: readonly Draft[] = [
  [SETS.sv2a, 'Snorlax', '143/165', 'Common', 'Normal'],
  [SETS.m10, 'Lightning Bolt', '146', 'Common', 'Normal|Foil'],
  [SETS.m11, 'Lightning Bolt', '149', 'Common', 'Normal|Foil'],
  [SETS.m11, 'Shivan Dragon', '150', 'Rare', 'Normal|Foil'],
  [SETS.ninth, 'Paladin en-Vec', '32', 'Rare', 'Normal'],
  [SETS.tenth, 'Paladin en-Vec', '32', 'Rare', 'Normal'],
  [SETS.dmu, 'Sheoldred, the Apocalypse', '107', 'Mythic', 'Normal|Foil'],
  [SETS.dmu, 'Sheoldred, the Apocalypse (Showcase)', '295', 'Mythic', 'Normal|Foil'],
  [SETS.apc, 'Fire // Ice', '128', 'Uncommon', 'Normal'],
  [SETS.base, 'Charizard', '004/102', 'Holo Rare', 'Unlimited Holofoil'],
  [SETS.base, 'Nidoran F', '055/102', 'Common', 'Normal'],
  [SETS.base, 'Nidoran M', '056/102', 'Common', 'Normal'],
  [SETS.shadowless, 'Charizard', '004/102', 'Holo Rare', '1st Edition Holofoil'],
  [SETS.base, 'Machamp', '008/102', 'Holo Rare', '1st Edition Holofoil'],
  [SETS.rocket, 'Dark Gyarados', '025/082', 'Rare', 'Unlimited|1st Edition'],
  [
    ...([SETS.rocket, 'Dark Gyarados', '008/082', 'Holo Rare'] as const),
    'Unlimited Holofoil|1st Edition Holofoil',
  ],
  [SETS.rocket, 'Dark Charizard', '004/082', 'Holo Rare', 'Unlimited Holofoil'],
  [SETS.jumbo, 'Charizard (Jumbo)', '004/102', 'Promo', 'Normal'],
  [SETS.lea, 'Sol Ring', '270', 'Uncommon', 'Normal'],
  [SETS.m10, 'Sol Ring', '218', 'Uncommon', 'Normal'],
  [SETS.expedition, 'Gengar', '013/165', 'Holo Rare', 'Holofoil'],
  [SETS.svi, 'Gengar ex', '104/198', 'Double Rare', 'Holofoil'],
  [SETS.svi, 'Raichu', '014/198', 'Rare', 'Holofoil'],
  [SETS.swsh12, 'Lugia V', '138/195', 'Ultra Rare', 'Holofoil'],
  [SETS.swsh12, 'Lugia V (Alternate Full Art)', '186/195', 'Ultra Rare', 'Holofoil', 900],
  [SETS.swsh12, 'Raichu V', '045/195', 'Ultra Rare', 'Holofoil'],
  [SETS.platinum, 'Gyarados (Delta Species)', '008/127', 'Rare', 'Holofoil'],
  [SETS.delta, 'Pikachu', '079/113', 'Common', 'Normal'],
  [SETS.platinum, 'Torterra', '017/127', 'Rare', 'Normal'],
  [SETS.wotc, 'Mewtwo', '3', 'Promo', 'Holofoil'],
  [SETS.svi, 'Pikachu', '062/198', 'Common', 'Normal|Reverse Holofoil'],
  [SETS.swsh12, 'Lumineon V', '040/195', 'Ultra Rare', 'Holofoil'],
  [SETS.d23, 'Mickey Mouse - Brave Little Tailor', '001', 'Promo', 'Cold Foil'],
  [SETS.svi, 'Basic Grass Energy', '001', 'Common', 'Normal'],
  [SETS.tfc, 'Elsa - Snow Queen', '41/204', 'Uncommon', 'Normal|Cold Foil'],
  [SETS.tfc, 'Elsa - Spirit of Winter', '42/204', 'Legendary', 'Normal|Cold Foil'],
  [SETS.sor, 'Darth Vader - Dark Lord of the Sith', '010', 'Special', 'Normal'],
  [SETS.wtr, 'Pummel (Red)', 'WTR206', 'Common', 'Normal'],
  [SETS.wtr, 'Pummel (Blue)', 'WTR208', 'Common', 'Normal'],
  [SETS.azl, 'Azalea', 'AZL001', 'Common', 'Normal'],
  [SETS.azl, 'Ash', 'AZL030', 'Token', 'Normal'],
  [SETS.azl, 'Salvage Shot (Red)', 'AZL020', 'Common', 'Normal'],
  [SETS.op06, 'Roronoa Zoro', 'OP06-118', 'Secret Rare', 'Normal'],
  [SETS.op06, 'Roronoa Zoro (Parallel)', 'OP06-118', 'Secret Rare', 'Foil'],
  [SETS.op06, 'Baby 5', 'OP06-112', 'Rare', 'Normal'],
  [SETS.prb, 'Roronoa Zoro (Reprint)', 'OP06-118', 'Secret Rare', 'Foil'],
  [SETS.lob, 'Dark Magician', 'LOB-EN005', 'Ultra Rare', '1st Edition|Unlimited'],
  [SETS.lob, 'Luster Dragon', 'LOB-EN002', 'Common', '1st Edition'],
  [SETS.lob, 'Hero Flash!!', 'LOB-EN111', 'Common', '1st Edition'],
  [SETS.ra01, 'H.E.R.O. Flash!', 'RA01-EN068', 'Common', '1st Edition'],
  [SETS.ra01, 'Luster Dragon #2', 'RA01-EN007', 'Common', '1st Edition'],
  [SETS.ra01, 'Dark Magician', 'RA01-EN001', 'Ultra Rare', '1st Edition'],
  [SETS.ra01, 'Dark Magician', 'RA01-EN001', 'Secret Rare', '1st Edition'],
];

export const CARDS: readonly Card[] = DRAFTS.map(
  ([set, name, number, rarity, printings, price = 100]) => {
    const card = makeCard({ set, name, number, rarity });
    const names = printings.split('|');
    return {
      ...card,
      printings: names.map((printing, i) => ({
        rowId: i,
        name: printing,
        prices: pricesOf(price),
      })),
    };
  },
);

/** Returns the card with a name, number and position in the list. Throws if there is none. */
export function cardOf(name: string, number: string, at = 0): Card {
  const card = CARDS.filter((one) => one.name === name && one.number === number)[at];
  if (!card) throw new Error(`No test card ${name} ${number}`);
  return card;
}

/** Cards by external id. The key is `space` and `id`, separated by a line break. */
const IDS: ReadonlyMap<string, readonly Card[]> = new Map([
  ['tcgplayer\n42382', [cardOf('Charizard', '004/102')]],
  ['cardmarket\n7', [cardOf('Lightning Bolt', '146'), cardOf('Lightning Bolt', '149')]],
]);

/** A resolver over the catalogue. */
export const RESOLVER = new Resolver({
  search: indexOf(CARDS),
  cardsWithId: ({ space, id }) => IDS.get(`${space}\n${id}`) ?? [],
});

/** Resolves one item, or one line of text. */
export async function resolveOne(item: ResolveItem | string): Promise<Resolution> {
  const [answer] = await RESOLVER.resolve([typeof item === 'string' ? { text: item } : item]);
  if (!answer) throw new Error('The resolver gave no answer');
  return answer;
}

/** Summarises an answer for tests: the set, number and printing, or the reason. */
export async function told(item: ResolveItem | string): Promise<string> {
  const answer = await resolveOne(item);
  if (answer.status !== 'matched') return `${answer.status}: ${answer.reasons.join(' ')}`;
  const { card, quantity, printing } = answer;
  return `${quantity} ${card.name}, ${card.set.code} ${card.number}, ${printing?.name}`;
}
