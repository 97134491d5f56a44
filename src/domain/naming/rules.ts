import type { GameSlug } from '../games.ts';
import { anyOf, type GameRules, NO_QUIRKS, subtitleInBrackets } from './game-rules.ts';
import { POKEMON } from './pokemon.ts';

const RULES: Readonly<Record<GameSlug, GameRules>> = {
  pokemon: POKEMON,
  pokemonjp: { ...POKEMON, gameNames: ['pokemon japanese', 'japanese', ...POKEMON.gameNames] },
  mtg: {
    ...NO_QUIRKS,
    gameNames: ['magic the gathering', 'magic'],
    setNames: [
      [/^(?:limited edition )?(alpha|beta)(?: edition)?$/, '$1 edition'],
      [/^(unlimited|revised)$/, '$1 edition'],
      [/^(?:classic )?6th edition$/, 'sixth edition'],
      [/^classic sixth edition$/, 'sixth edition'],
      [/^4th (?=edition)/, 'fourth '],
      [/^5th (?=edition)/, 'fifth '],
      [/^7th (?=edition)/, 'seventh '],
      [/^8th (?=edition)/, 'eighth '],
      [/^9th (?=edition)/, 'ninth '],
      [/^10th (?=edition)/, 'tenth '],
      [/^(?:magic )?(20\d\d)(?: core set)?(?: m\d\d)?$/, 'magic $1'],
      [/^core (20\d\d)$/, 'core set $1'],
      [/^core set (201[0-5])$/, 'magic $1'],
    ],
    isArtNumbered: true,
    arts: anyOf(
      'borderless(?: .*)?|(?:.* )?showcase|(?:extended|full|alternate) art|(?:retro|old) frame',
    ),
  },
  yugioh: {
    ...NO_QUIRKS,
    gameNames: ['yu gi oh', 'yugioh'],
    codeInNumber: /^([A-Z0-9]{2,5})-/i,
    variants: [
      ...NO_QUIRKS.variants,
      [/^utr$/, 'ultimate rare'],
      [/^scr$/, 'secret rare'],
      [/^pscr$/, 'prismatic secret rare'],
      [/^qcsr$/, 'quarter century secret rare'],
      [/^ur$/, 'ultra rare'],
      [/^sr$/, 'super rare'],
    ],
    arts: /(?:^| )rare$/,
    distinctRarities: /./,
    rarityVariants: /(?:^| )rare$/,
    rarities: [
      // TCGplayer has one name for rarities that other sources distinguish.
      [/^(?:common |super )?short print$/, 'common'],
      [/^ultra rare pharaohs rare$/, 'pharaohs rare'],
    ],
  },
  lorcana: {
    ...NO_QUIRKS,
    gameNames: ['disney lorcana', 'lorcana'],
    setNames: [
      [/^(?:disney lorcana )?promo cards$/, 'promo set 1'],
      [/^(?:disney lorcana )?promo cards year 2$/, 'promo set 2'],
    ],
    subtitle: /^(.+?) [-–—] (.+)$/,
    isArtNumbered: true,
    arts: anyOf('enchanted|epic|iconic|alternate art'),
  },
  onepiece: {
    ...NO_QUIRKS,
    gameNames: ['one piece card game', 'one piece'],
    codeInNumber: /^([A-Z]{2,4}\d{2})-/i,
    variants: [...NO_QUIRKS.variants, [/^alternate art$/, 'parallel']],
    // Both are other arts of a card, under its number.
    distinctRarities: anyOf('special|treasure rare'),
    rarities: [[/^sp(?: card)?$/, 'special']],
  },
  swu: {
    ...NO_QUIRKS,
    gameNames: ['star wars unlimited'],
    subtitle: /^(.+?) [-–—] (.+)$/,
  },
  fab: {
    ...NO_QUIRKS,
    gameNames: ['flesh and blood', 'flesh blood'],
    codeInNumber: /^([A-Z0-9]{3})\d{3}/i,
    subtitle: subtitleInBrackets('Red|Yellow|Blue'),
    distinctRarities: /^marvel$/,
  },
};

/** Returns the rules by which cards of a game are matched. */
export function rulesOf(game: GameSlug): GameRules {
  return RULES[game];
}
