import type { FeedSource } from '../contract/source.ts';
import { openPokemonTcg } from './read.ts';
import { POKEMONTCG_REMOTE } from './remote.ts';

export const POKEMONTCG: FeedSource = {
  name: 'pokemontcg',
  summary: 'English cards of Pokémon, with prices at TCGplayer and at Cardmarket.',
  takes: 'Pages of cards of the Pokémon TCG API, or files of pokemon-tcg-data, or a folder.',
  files: { sets: 'The list of sets, sets/en.json, for cards that come without theirs.' },
  example: './cards --sets sets.en.json',
  open: openPokemonTcg,
  remote: POKEMONTCG_REMOTE,
};
