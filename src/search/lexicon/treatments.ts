import type { GameSlug } from '../../domain/games.ts';
import { type Entry, type Evidence, POKEMON } from './entry.ts';

const SHARED: readonly Entry[] = [
  treatment(
    'Alternate Art',
    `alt art, alternate art, alternative art, alternate, alt, aa, alternate
      artwork, alt artwork`,
    {
      name: 'alternate art, alternate full art, alt art',
      rarity: 'Special Illustration Rare, Enchanted',
    },
  ),
  treatment('Box Topper', 'box topper, topper', {
    name: 'box topper',
    set: 'box topper',
  }),
  treatment('Error', 'error, misprint, misprinted, miscut, crimped', { name: 'error, misprint' }),
  treatment('Extended Art', 'extended art, ext art, extended, ext, ea, extended artwork', {
    name: 'extended art',
  }),
  treatment('Full Art', 'full art, fa, full artwork', {
    name: 'full art',
    rarity: 'Illustration Rare, Special Illustration Rare, Enchanted',
  }),
  treatment('Jumbo', 'jumbo, oversized, oversize, giant, xl, jumbo card, oversized card', {
    name: 'jumbo, oversized',
    set: 'jumbo, oversized',
  }),
  treatment('Judge', 'judge, judge promo, judge foil', { name: 'judge', set: 'judge' }),
  treatment(
    'Prerelease',
    'prerelease, pre release, prereleased, prerelease promo, prerelease stamp, release event',
    { name: 'prerelease, pre release', set: 'prerelease' },
  ),
  treatment('Reprint', 'reprint, reprinted', { name: 'reprint' }),
  treatment('Serialized', 'serialized, serialised, serial, serial numbered, numbered', {
    name: 'serialized, serial',
  }),
  treatment('Staff', 'staff, staff promo, prerelease staff', { name: 'staff' }),
  treatment('Stamped', 'stamped, stamp', { name: 'stamped, stamp' }),
  treatment('Textless', 'textless, no text', { name: 'textless' }),
  treatment('Winner', 'winner, winners, champion, 1st place, first place', {
    name: 'winner, champion, 1st place',
  }),
];

const MTG: readonly Entry[] = [
  mtg('Anime', 'anime, anime art, japanese art, jp art'),
  mtg('Black Border', 'black border, black bordered, bb, fbb'),
  mtg('Borderless', 'borderless, border less, no border, borderless art'),
  mtg('Buy-A-Box', 'buy a box, bab'),
  mtg('Confetti Foil', 'confetti, confetti foil'),
  mtg('Double Rainbow', 'double rainbow, double rainbow foil'),
  mtg('FNM', 'fnm, friday night magic'),
  mtg('Fracture Foil', 'fracture, fracture foil'),
  mtg('Galaxy Foil', 'galaxy, galaxy foil'),
  mtg('Gilded Foil', 'gilded, gilded foil'),
  mtg('Halo Foil', 'halo foil'),
  mtg('Mana Foil', 'mana foil'),
  mtg('Neon Ink', 'neon, neon ink'),
  mtg('Oil Slick', 'oil slick'),
  mtg('Phyrexian', 'phyrexian language, phyrexian text'),
  mtg('Promo Pack', 'promo pack'),
  mtg('Raised Foil', 'raised foil'),
  mtg('Retro Frame', 'retro, retro frame, old border, old frame, retro border'),
  mtg('Ripple Foil', 'ripple, ripple foil'),
  mtg('Showcase', 'showcase, showcase frame, showcase art, sc'),
  mtg('Schematic', 'schematic, schematic art, blueprint'),
  mtg('Silver Foil', 'silver foil'),
  mtg('Step-and-Compleat Foil', 'step and compleat, compleat foil'),
  mtg('Surge Foil', 'surge, surge foil'),
  mtg('Textured Foil', 'textured, textured foil'),
  mtg('Thick Stock', 'thick stock, display commander'),
  mtg('White Border', 'white border, white bordered, wb'),
];

const POKEMON_TREATMENTS: readonly Entry[] = [
  pokemon(
    'Ball Pattern',
    'ball pattern, ball holo, friend ball, love ball, quick ball, dusk ball',
    {
      name: 'ball pattern',
    },
  ),
  pokemon('Championship', 'championship, championships, worlds, world championship', {
    name: 'championship, championships, worlds',
    set: 'championship',
  }),
  pokemon('Crosshatch', 'crosshatch, cross hatch, crosshatch holo', {
    name: 'crosshatch, league',
  }),
  pokemon('Delta Species', 'delta, delta species', { name: 'delta', set: 'delta' }),
  pokemon(
    'Energy Symbol Pattern',
    'energy symbol, energy symbol pattern, energy pattern, energy holo',
    {
      name: 'energy pattern',
    },
  ),
  pokemon('Galarian Gallery', 'gg, galarian gallery', { set: 'galarian gallery' }),
  pokemon('Gold', 'gold, golden, gold card, gold rare, gold secret, gold secret rare', {
    rarity: 'Hyper Rare, Mega Hyper Rare, Secret Rare',
    name: 'gold',
  }),
  pokemon('Gold Star', 'gold star', { name: 'star' }),
  pokemon('League', 'league, league promo, pokemon league, play pokemon', {
    name: 'league',
    set: 'league',
  }),
  pokemon('LV.X', 'lv x, level x, lvl x', { name: 'lv x' }),
  pokemon('No Symbol', 'no symbol, no rarity, no rarity symbol, no set symbol, no stamp error', {
    name: 'no symbol, no rarity',
  }),
  pokemon('Pokémon Center', 'pokemon center, pokemon center exclusive, pc exclusive, pc stamp', {
    name: 'pokemon center',
  }),
  pokemon('Prime', 'prime', { name: 'prime' }),
  pokemon('Prize Pack', 'prize pack, prize pack series, play pokemon stamp, play stamp', {
    name: 'prize pack',
    set: 'prize pack',
  }),
  pokemon('Rainbow', 'rainbow, rainbow rare, rainbow secret, rainbow secret rare', {
    rarity: 'Hyper Rare, Rare Rainbow, Secret Rare',
    name: 'rainbow',
  }),
  pokemon('Shiny', 'shiny, shinies, baby shiny, shiny vault', {
    rarity: 'Shiny Rare, Shiny Holo Rare, Shiny Ultra Rare, Rare Shiny',
    name: 'shiny',
    set: 'shiny',
  }),
  pokemon('Trainer Gallery', 'tg, trainer gallery', { set: 'trainer gallery' }),
];

const OTHERS: readonly Entry[] = [
  fab('Blue', 'blue, blu, pitch 3, 3 pitch'),
  fab('Red', 'red, pitch 1, 1 pitch'),
  fab('Yellow', 'yellow, yel, yellows, pitch 2, 2 pitch'),
  fab('Alternate Border', 'alternate border, alt border'),
  fab('Alternate Text', 'alternate text, alt text'),
  fab('Gold Foil', 'gold foil, gf, gold cold foil'),

  onepiece('Gold', 'gold, gold text, gold foil'),
  onepiece('Jolly Roger Foil', 'jolly roger, jolly roger foil'),
  onepiece('Manga', 'manga, manga art, manga alt art, comic parallel, comic'),
  onepiece(
    'Parallel',
    'parallel, para, parallel art, alt art, aa, alternate art, alternative art, alt',
    {
      name: 'parallel, alternate art, manga, sp',
    },
  ),
  onepiece('Pre-Errata', 'pre errata'),
  onepiece('Red Super Alternate Art', 'red manga, red super alternate art, red saa, super alt art'),
  onepiece('Textured Foil', 'textured, textured foil'),
  onepiece('Wanted Poster', 'wanted, wanted poster, bounty'),

  swu('Hyperspace', 'hyperspace, hyper, hs, hyper space, hyperspace foil, hyperfoil, hsf, hf'),
  swu('Prestige', 'prestige, prestige foil'),
  swu('Showcase', 'showcase, sc'),
];

/** Treatments: how a card looks beyond its finish, as names of cards say it, else rarities. */
export const TREATMENTS: readonly Entry[] = [...SHARED, ...MTG, ...POKEMON_TREATMENTS, ...OTHERS];

function treatment(
  means: string,
  words: string,
  evidence: Evidence,
  games?: readonly GameSlug[],
): Entry {
  return { as: 'treatment', means, words, evidence, ...(games && { games }) };
}

/** Makes an entry whose words are also those that the names of its cards have. */
function inName(means: string, words: string, game: GameSlug): Entry {
  return treatment(means, words, { name: means.toLowerCase().replaceAll('-', ' ') }, [game]);
}

function mtg(means: string, words: string): Entry {
  return inName(means, words, 'mtg');
}

function fab(means: string, words: string): Entry {
  return inName(means, words, 'fab');
}

function swu(means: string, words: string): Entry {
  return inName(means, words, 'swu');
}

function onepiece(means: string, words: string, evidence?: Evidence): Entry {
  return evidence
    ? treatment(means, words, evidence, ['onepiece'])
    : inName(means, words, 'onepiece');
}

function pokemon(means: string, words: string, evidence: Evidence): Entry {
  return treatment(means, words, evidence, POKEMON);
}
