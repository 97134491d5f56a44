import type { GameSlug } from '../../domain/games.ts';
import { type Entry, POKEMON } from './entry.ts';

/** What people add to the name of a game. */
const SUFFIXES = ['', ' tcg', ' ccg', ' card', ' cards', ' card game'];

/**
 * Games. The words of a `game` name it and nothing else, and exclude cards of other games. Those of
 * a `hint` are words of card names too, and rank its cards higher.
 */
export const GAMES: readonly Entry[] = [
  game('Disney Lorcana', ['lorcana'], 'lorcana, disney lorcana, disneys lorcana'),
  hint('Disney Lorcana', ['lorcana'], 'disney'),
  game('Flesh and Blood', ['fab'], 'flesh and blood, flesh & blood, flesh n blood, fabtcg'),
  hint('Flesh and Blood', ['fab'], 'fab'),
  game('Magic: The Gathering', ['mtg'], 'mtg, magic the gathering'),
  hint('Magic: The Gathering', ['mtg'], 'magic, mtgo'),
  game('One Piece Card Game', ['onepiece'], 'optcg, opcg, onepiece'),
  hint('One Piece Card Game', ['onepiece'], 'one piece'),
  game('Pokémon', POKEMON, 'pokemon, pkmn, ptcg, pokeman, pokemons, pkm'),
  game(
    'Pokémon (Japanese)',
    ['pokemonjp'],
    'pokemon japan, pokemon jp, pokemonjp, pocket monsters',
  ),
  hint('Pokémon (Japanese)', ['pokemonjp'], 'pokemon japanese, japanese pokemon'),
  game('Star Wars: Unlimited', ['swu'], 'swu, star wars unlimited, starwars unlimited'),
  hint('Star Wars: Unlimited', ['swu'], 'star wars, starwars'),
  game('Yu-Gi-Oh!', ['yugioh'], 'yugioh, yu gi oh, yu-gi oh, yugi oh, ygo'),
];

function game(means: string, games: readonly GameSlug[], words: string): Entry {
  return { ...hint(means, games, words), isFilter: true };
}

function hint(means: string, games: readonly GameSlug[], words: string): Entry {
  const written = words.split(', ').flatMap((name) => SUFFIXES.map((suffix) => name + suffix));
  return { as: 'game', means, words: written.join(', '), games };
}
