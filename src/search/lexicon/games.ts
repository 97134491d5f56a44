import { GAMES, type Game } from '../../domain/games.ts';
import { compareText } from '../../domain/text.ts';
import type { Entry } from './phrase.ts';

/** What people add to a game's name, as in `one piece tcg`. With it, a hint is a name. */
const SUFFIXES = [' tcg', ' ccg', ' card game'];

/**
 * Returns the words that name games. Names exclude cards of other games; hints are words of card
 * names as well, and only rank the cards of their game higher.
 */
export function gameEntries(): Entry[] {
  const byLabel = GAMES.toSorted((a, b) => compareText(a.search.label, b.search.label));
  return byLabel.flatMap(entriesOf);
}

function entriesOf({ slug, search: { label, names, hints, alsoMeans } }: Game): Entry[] {
  const games = [slug, ...alsoMeans];
  const suffixed = [...names, ...hints].flatMap((name) => SUFFIXES.map((suffix) => name + suffix));
  const words = [...names, ...suffixed].join(', ');
  const named: Entry = { as: 'game', means: label, words, games, isFilter: true };
  if (hints.length === 0) return [named];
  return [named, { as: 'game', means: label, words: hints.join(', '), games }];
}
