import type { GameSlug } from '../../domain/games.ts';
import { type Entry, POKEMON } from './entry.ts';

/** What people add to the name of a game; then it is nothing but its name: `one piece tcg`. */
const SUFFIXES = [' tcg', ' ccg', ' card game'];

/**
 * Games, by words that name the game and nothing else, and by words of card names, which are hints.
 * The former exclude cards of other games, the latter rank the cards of their game higher.
 */
export const GAMES: readonly Entry[] = [
  ...game('Disney Lorcana', ['lorcana'], 'lorcana, disney lorcana, disneys lorcana', 'disney'),
  ...game('Flesh and Blood', ['fab'], 'flesh and blood, flesh n blood', 'fab'),
  ...game('Magic: The Gathering', ['mtg'], 'mtg, magic the gathering, mtgo', 'magic'),
  ...game('One Piece Card Game', ['onepiece'], 'optcg, opcg', 'one piece'),
  ...game('Pokémon', POKEMON, 'pokemon, pokemons, pokeman, pkmn, pkm, ptcg'),
  ...game(
    'Pokémon (Japanese)',
    ['pokemonjp'],
    'pokemon japan, pokemon jp, pocket monsters',
    'japanese pokemon, pokemon japanese',
  ),
  ...game('Star Wars: Unlimited', ['swu'], 'swu, star wars unlimited', 'star wars'),
  ...game('Yu-Gi-Oh!', ['yugioh'], 'yu-gi-oh, yugi oh, ygo'),
];

/** Makes the entries of a game; `hints` are followed by a suffix where they name it for certain. */
function game(means: string, games: readonly GameSlug[], names: string, hints = ''): Entry[] {
  const suffixed = withSuffixes(hints === '' ? names : `${names}, ${hints}`);
  const named: Entry = {
    as: 'game',
    means,
    words: [names, ...suffixed].join(', '),
    games,
    isFilter: true,
  };
  return hints === '' ? [named] : [named, { as: 'game', means, words: hints, games }];
}

function withSuffixes(names: string): string[] {
  return names.split(', ').flatMap((name) => SUFFIXES.map((suffix) => name + suffix));
}
