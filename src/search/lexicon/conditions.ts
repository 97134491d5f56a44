import type { Condition } from '../../domain/price.ts';
import type { Entry } from './entry.ts';

/**
 * Conditions, as shops, Cardmarket and eBay sellers write them. `EX` is none of them: it is a word of
 * the names of Pokémon.
 */
export const CONDITIONS: readonly Entry[] = [
  condition('Mint', 'mint, mint condition, m nm', 'near_mint'),
  condition(
    'Near Mint',
    'nm, near mint, near-mint, nm m, nm mint, nm mt, nm condition, near mint condition',
    'near_mint',
  ),
  condition('Near Mint to Lightly Played', 'nm lp, lp nm, nm sp'),
  condition('Excellent', 'exc, excellent, excellent condition', 'lightly_played'),
  condition(
    'Lightly Played',
    'lp, lightly played, light play, light played, lightly play, slightly played, slight play',
    'lightly_played',
  ),
  condition('Lightly to Moderately Played', 'lp mp, mp lp'),
  condition('Good', 'gd, good condition, vg, very good', 'moderately_played'),
  condition(
    'Moderately Played',
    'mp, moderately played, moderate play, mod play, mod played',
    'moderately_played',
  ),
  condition('Moderately to Heavily Played', 'mp hp, hp mp'),
  condition('Heavily Played', 'hp, heavily played, heavy play, heavy played', 'heavily_played'),
  condition('Played', 'played, pl, played condition'),
  condition('Poor', 'poor, poor condition', 'damaged'),
  condition('Damaged', 'dmg, damaged, creased, water damage, water damaged', 'damaged'),
];

function condition(means: string, words: string, value?: Condition): Entry {
  const entry: Entry = { as: 'condition', means, words };
  return value === undefined ? entry : { ...entry, condition: value };
}
