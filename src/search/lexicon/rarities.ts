import type { GameSlug } from '../../domain/games.ts';
import { type Entry, listed, POKEMON } from './entry.ts';

const PROMO_WORDS = 'p, pr, promos, promo card, promotion, promotional, promotion card';

/** Rarities of several games. A plain `rare` is not the holo rare: that has words of its own. */
const SHARED: readonly Entry[] = [
  rarity('Common', 'c, com, commons', ['lorcana', 'mtg', 'onepiece', 'swu', 'fab', ...POKEMON]),
  rarity('Common', 'c, n, com, commons, normal rare', ['yugioh']),
  rarity('Uncommon', 'u, uc, unc, uncommons'),
  rarity('Rare', 'r, rares'),
  rarity('Promo', PROMO_WORDS, undefined, {
    name: 'promo',
    set: 'promo, promos, promotion, promotional',
  }),
];

const POKEMON_RARITIES: readonly Entry[] = [
  pokemon('ACE SPEC Rare', 'ace spec', { same: 'Rare Ace' }),
  pokemon('Amazing Rare', 'amazing, ama'),
  pokemon('Black White Rare', 'bwr', { same: 'Black & White Rare' }),
  pokemon('Character Rare', 'chr'),
  pokemon('Character Super Rare', 'csr'),
  pokemon('Classic Collection', 'classic'),
  pokemon('Double Rare', 'rr'),
  pokemon('Holo Rare', '', { same: 'Rare Holo' }),
  pokemon('Hyper Rare', 'hr, ur, hyper', { same: 'Rare Rainbow' }),
  pokemon('Illustration Rare', 'ir, ar', { same: 'Art Rare' }),
  pokemon('Mega Attack Rare', 'ma, mar'),
  pokemon('Mega Hyper Rare', 'mhr, mur', { same: 'Mega Ultra Rare' }),
  pokemon('Prism Rare', 'prism, prism star'),
  pokemon('Radiant Rare', 'radiant, k rare'),
  pokemon('Rare BREAK', 'break, break rare'),
  pokemon('Secret Rare', 'sr, scr, sec, secret', { same: 'Rare Secret', name: 'secret' }),
  pokemon('Shiny Holo Rare', 'shiny holo', { same: 'Rare Shiny' }),
  pokemon('Shiny Rare', 's, baby shiny', { includes: 'Rare Shiny, Shiny Holo Rare' }),
  pokemon('Shiny Ultra Rare', 'ssr, sur, shiny ultra', { same: 'Shiny Super Rare' }),
  pokemon('Special Illustration Rare', 'sir, sar, special art', { same: 'Special Art Rare' }),
  pokemon('Super Rare', 'sr', { includes: 'Ultra Rare' }),
  pokemon('Triple Rare', 'rrr'),
  pokemon('Ultra Rare', 'ur, ultra'),
];

const MTG_RARITIES: readonly Entry[] = [
  mtg('Bonus', 'b', { same: 'Bonus Rare' }),
  mtg('Land', 'l, basic land'),
  mtg('Mythic', 'm, mr, mythics, mythical', { same: 'Mythic Rare' }),
  mtg('Special', 's, timeshifted'),
  mtg('Token', 't, tok, tokens'),
];

const PARALLEL = [
  'Duel Terminal Normal Parallel Rare',
  'Duel Terminal Normal Rare Parallel Rare',
  'Duel Terminal Rare Parallel Rare',
  'Duel Terminal Super Parallel Rare',
  'Duel Terminal Ultra Parallel Rare',
  'Normal Parallel Rare',
  'Super Parallel Rare',
  'Ultra Parallel Rare',
].join(', ');

const YUGIOH_RARITIES: readonly Entry[] = [
  yugioh('10000 Secret Rare', '10k, 10ksc, 10000, 10k secret'),
  yugioh("Collector's Rare", 'cr, collectors, collector, coll rare, collector rare'),
  yugioh('Duel Terminal Normal Parallel Rare', 'dnpr, dtpc, dtnpr'),
  yugioh('Duel Terminal Normal Rare Parallel Rare', 'dnrpr'),
  yugioh('Duel Terminal Rare Parallel Rare', 'drpr, dtrpr'),
  yugioh('Duel Terminal Super Parallel Rare', 'dspr, dtspr'),
  yugioh('Duel Terminal Ultra Parallel Rare', 'dupr, dtupr'),
  yugioh('Extra Secret Rare', 'escr, esr', { same: 'Extra Secret' }),
  yugioh('Ghost Rare', 'gr, ghost, ghr', { includes: 'Ghost/Gold Rare' }),
  yugioh('Ghost/Gold Rare', 'ggr, ghost gold'),
  yugioh('Gold Rare', 'gr, gur, gold', { includes: 'Ghost/Gold Rare' }),
  yugioh('Gold Secret Rare', 'gscr, gsr, gold secret'),
  yugioh('Grand Master Rare', 'gmr, grandmaster, grand master, grandmaster rare'),
  yugioh('Mosaic Rare', 'msr, mosaic'),
  yugioh('Normal Parallel Rare', 'npr'),
  yugioh('Parallel Rare', 'parallel', { includes: PARALLEL }),
  yugioh('Platinum Rare', 'plr, pr, platinum'),
  yugioh('Platinum Secret Rare', 'plscr, plsr, pscr, psr, platinum secret, plat secret'),
  yugioh('Premium Gold Rare', 'pgr, premium gold'),
  yugioh("Prismatic Collector's Rare", 'pcr, prismatic collectors'),
  yugioh('Prismatic Secret Rare', 'pscr, psr, psec, prismatic, prismatic secret, prisma'),
  yugioh('Prismatic Ultimate Rare', 'putr, prismatic ultimate'),
  yugioh(
    'Quarter Century Secret Rare',
    'qcsr, qcr, qcscr, qcs, quarter century, quarter century rare, 25th secret, 25th secret rare',
  ),
  yugioh('Shatterfoil Rare', 'shr, sfr, shatter, shatterfoil, shatter foil'),
  yugioh('Short Print', 'sp, short printed', { includes: 'Super Short Print' }),
  yugioh('Starfoil Rare', 'sfr, starfoil, star foil'),
  yugioh('Starlight Rare', 'str, slr, starlight'),
  yugioh('Super Parallel Rare', 'spr'),
  yugioh('Super Short Print', 'ssp'),
  yugioh('Ultimate Rare', 'utr, ulti, ultimate, ulti rare, ultir'),
  yugioh('Ultra Parallel Rare', 'upr'),
  yugioh('Ultra Rare', 'ur, ultra, ultras', { includes: "Ultra Rare (Pharaoh's Rare)" }),
  yugioh("Ultra Rare (Pharaoh's Rare)", 'pharaohs rare, pharaoh rare, phr, upr'),
  yugioh('Ultra Secret Rare', 'uscr, ultra secret'),
];

const OTHER_RARITIES: readonly Entry[] = [
  rarity('Legendary', 'l, leg, legend, legendaries', ['lorcana', 'swu', 'fab']),
  rarity('Secret Rare', 'scr, sec, secret, secrets', ['yugioh', 'onepiece']),
  rarity('Super Rare', 'sr, super, supers', ['yugioh', 'lorcana', 'onepiece', 'fab']),

  lorcana('Enchanted', 'e, ench, enchanted rare'),
  lorcana('Epic', 'ep, epic rare'),
  lorcana('Iconic', 'i, iconic rare'),

  onepiece('DON!!', 'don, don card, don!! card'),
  onepiece('Leader', 'l, leaders, leader card'),
  onepiece('Manga Rare', 'mr', { includes: 'Manga', name: 'manga' }),
  onepiece('Special', 'sp', { same: 'Special Card, Special Rare, SP Card', name: 'sp' }),
  onepiece('Treasure Rare', 'tr, treasure'),

  rarity('Special', 's, sp', ['swu']),
  rarity('Starter', 'starter card', ['swu']),

  fab('Basic', 'b'),
  fab('Fabled', 'f, fable'),
  fab('Majestic', 'm, maj, majestics'),
  fab('Marvel', 'v, marvels'),
  fab('Token', 't, tok, tokens'),
];

/** Rarities, by game where their words are not those of every game. */
export const RARITIES: readonly Entry[] = [
  ...SHARED,
  ...POKEMON_RARITIES,
  ...MTG_RARITIES,
  ...YUGIOH_RARITIES,
  ...OTHER_RARITIES,
];

/** What agrees with a rarity beside its label. */
interface More {
  /** Labels that other sources give it. */
  readonly same?: string;
  /** Labels of rarities that its words may mean too. */
  readonly includes?: string;
  readonly name?: string;
  readonly set?: string;
}

/** Makes an entry of a rarity; `words` are what people write for it beside its labels. */
function rarity(
  label: string,
  words: string,
  games?: readonly GameSlug[],
  { same = '', includes = '', ...evidence }: More = {},
): Entry {
  const labels = [label, ...listed(same)];
  return {
    as: 'rarity',
    means: label,
    words: [...labels, words].join(', '),
    ...(games && { games }),
    evidence: { ...evidence, rarity: [...labels, includes].join(', ') },
  };
}

function pokemon(label: string, words: string, more?: More): Entry {
  return rarity(label, words, POKEMON, more);
}

function mtg(label: string, words: string, more?: More): Entry {
  return rarity(label, words, ['mtg'], more);
}

function yugioh(label: string, words: string, more?: More): Entry {
  return rarity(label, words, ['yugioh'], more);
}

function lorcana(label: string, words: string): Entry {
  return rarity(label, words, ['lorcana']);
}

function onepiece(label: string, words: string, more?: More): Entry {
  return rarity(label, words, ['onepiece'], more);
}

function fab(label: string, words: string): Entry {
  return rarity(label, words, ['fab']);
}
