import type { GameSlug } from '../../domain/games.ts';
import { type Entry, type Evidence, POKEMON } from './entry.ts';

/** Printings: finishes and editions, and marks of them that sources put into names of cards. */
export const PRINTINGS: readonly Entry[] = [
  printing('1st Edition', '1st, 1st edition, 1st ed, 1st edn, first edition, first ed, 1ed, 1e', {
    printing: '1st',
    name: '1st edition',
  }),
  printing('Cold Foil', 'cold foil, cold, cf', {
    printing: 'cold',
    name: 'cold foil',
  }),
  printing(
    'Cosmos Holofoil',
    'cosmos, cosmo, cosmos holo, cosmo holo, cosmos foil, cosmos holofoil',
    { name: 'cosmos, cosmo' },
    POKEMON,
  ),
  printing(
    'Cracked Ice Holofoil',
    'cracked ice, cracked ice holo, cracked ice foil, cracked ice holofoil',
    { name: 'cracked ice' },
    POKEMON,
  ),
  printing(
    'Etched',
    'etched, foil etched, etched foil, e',
    { printing: 'etched', name: 'etched' },
    ['mtg'],
  ),
  printing('Foil', 'foil, foils, foiled, foil version, all foil', {
    printing: 'foil, holofoil, etched',
    name: 'foil, holofoil, holo -non',
  }),
  printing('Foil', 'f', { printing: 'foil, etched', name: 'foil' }, ['mtg']),
  printing(
    'Holofoil',
    'holo, holos, holofoil, holographic, hologram, holo foil, holo rare, rare holo',
    {
      printing: 'holofoil -reverse, foil -reverse',
      name: 'holo -non -reverse, holofoil -reverse',
      rarity: 'Holo Rare, Rare Holo, Shiny Holo Rare',
    },
  ),
  printing('Limited', 'limited, ltd, limited edition', { printing: 'limited', name: 'limited' }),
  printing(
    'Master Ball Pattern',
    `master ball, mb, master ball pattern, master ball holo, master ball
      reverse, master ball reverse holo, master ball foil`,
    { printing: 'master ball', name: 'master ball' },
    POKEMON,
  ),
  printing('Non-Foil', 'non foil, no foil, not foil, without foil', {
    printing: '-foil -holofoil -etched',
    name: 'non foil, non holo',
  }),
  printing(
    'Non-Holo',
    'non holo, no holo, non holofoil, not holo',
    { printing: '-holofoil -foil', name: 'non holo' },
    POKEMON,
  ),
  printing('Normal', 'normal, regular, regular version', {
    printing: 'normal',
    name: 'non holo, non foil',
  }),
  printing(
    'Poke Ball Pattern',
    `poke ball, pb, poke ball pattern, pokeball pattern, poke ball holo, poke
      ball reverse, pokeball reverse, poke ball foil`,
    { printing: 'poke ball', name: 'poke ball' },
    POKEMON,
  ),
  printing('Rainbow Foil', 'rainbow foil, rainbow, rf', {
    printing: 'rainbow',
    name: 'rainbow foil',
  }),
  printing(
    'Reverse Holofoil',
    `reverse, rev, reversed, rh, rvh, rholo, reverse holo, reverse holofoil,
      reverse foil, reverse holographic, reverse hologram, rev holo, rev holofoil,
      rev foil, holo reverse, holofoil reverse, mirror holo`,
    { printing: 'reverse', name: 'reverse' },
    POKEMON,
  ),
  printing(
    'Shadowless',
    'shadowless, shadow less, shadowless base, shadowless base set, base set shadowless',
    { printing: 'shadowless', name: 'shadowless', set: 'shadowless' },
    POKEMON,
  ),
  printing(
    'Unlimited',
    'unlimited, unlim, unltd, unl, unlimited ed, unlimited edition, 2nd edition',
    {
      printing: 'unlimited',
      name: 'unlimited',
      set: 'unlimited',
    },
  ),
];

function printing(
  means: string,
  words: string,
  evidence: Evidence,
  games?: readonly GameSlug[],
): Entry {
  return { as: 'printing', means, words, evidence, ...(games && { games }) };
}
