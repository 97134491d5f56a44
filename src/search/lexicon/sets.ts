import type { Entry } from './entry.ts';
import { MTG_SETS } from './sets-mtg.ts';
import { OTHER_SETS } from './sets-others.ts';
import { POKEMON_SETS } from './sets-pokemon.ts';
import { POKEMONJP_SETS } from './sets-pokemonjp.ts';

/** What people call sets, where it is neither their code nor a part of their name. */
export const SETS: readonly Entry[] = [
  ...POKEMON_SETS,
  ...POKEMONJP_SETS,
  ...MTG_SETS,
  ...OTHER_SETS,
];
