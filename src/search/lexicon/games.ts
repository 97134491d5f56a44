import { GAMES, type GameSlug } from '../../domain/games.ts';
import type { Entry } from './phrase.ts';

/** What people add to the name of a game. Then it names nothing else: `one piece tcg`. */
const SUFFIXES = [' tcg', ' ccg', ' card game'];

/** What people call a game. */
interface GameWords {
  readonly means: string;
  readonly games: readonly GameSlug[];
  /** Words that name the game and nothing else: they exclude the cards of other games. */
  readonly names: string;
  /** Words of card names: they rank the cards of the game higher. */
  readonly hints?: string;
}

const WORDS: readonly GameWords[] = [
  {
    means: 'Disney Lorcana',
    games: ['lorcana'],
    names: 'lorcana, disney lorcana, disneys lorcana',
    hints: 'disney',
  },
  {
    means: 'Flesh and Blood',
    games: ['fab'],
    names: 'flesh and blood, flesh n blood',
    hints: 'fab',
  },
  {
    means: 'Magic: The Gathering',
    games: ['mtg'],
    names: 'mtg, magic the gathering, mtgo',
    hints: 'magic',
  },
  { means: 'One Piece Card Game', games: ['onepiece'], names: 'optcg, opcg', hints: 'one piece' },
  {
    means: 'Pokémon',
    games: ['pokemon', 'pokemonjp'],
    names: 'pokemon, pokemons, pokeman, pkmn, pkm, ptcg',
  },
  {
    means: 'Pokémon (Japanese)',
    games: ['pokemonjp'],
    names: 'pokemon japan, pokemon jp, pocket monsters',
    hints: 'japanese pokemon, pokemon japanese',
  },
  {
    means: 'Star Wars: Unlimited',
    games: ['swu'],
    names: 'swu, star wars unlimited',
    hints: 'star wars',
  },
  { means: 'Yu-Gi-Oh!', games: ['yugioh'], names: 'yu-gi-oh, yugi oh, ygo' },
];

/** Returns the entries of all games. A game without words of its own has its name and its slug. */
export function gameEntries(): Entry[] {
  const others = GAMES.filter(({ slug }) => !WORDS.some(({ games }) => games.includes(slug)));
  const named = others.map(({ slug, name }) => ({
    means: name,
    games: [slug],
    names: `${name.replaceAll(',', '')}, ${slug}`,
  }));
  return [...WORDS, ...named].flatMap(entriesOf);
}

function entriesOf({ means, games, names, hints = '' }: GameWords): Entry[] {
  const suffixed = withSuffixes(hints === '' ? names : `${names}, ${hints}`);
  const words = [names, ...suffixed].join(', ');
  const named: Entry = { as: 'game', means, words, games, isFilter: true };
  return hints === '' ? [named] : [named, { as: 'game', means, words: hints, games }];
}

function withSuffixes(names: string): string[] {
  return names.split(', ').flatMap((name) => SUFFIXES.map((suffix) => name + suffix));
}
