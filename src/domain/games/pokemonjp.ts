import { defineGame } from './game.ts';
import { POKEMON } from './pokemon.ts';

export const POKEMONJP = defineGame({
  slug: 'pokemonjp',
  name: 'Pokemon (Japanese)',
  aliases: ['pokemon-jp'],
  language: 'ja',
  translation: 'pokemon',
  tcgplayerCategory: 85,
  rarityLabels: {},
  foilRarities: POKEMON.foilRarities,
  hasTotals: true,
  search: {
    label: 'Pokémon (Japanese)',
    names: ['pokemon japan', 'pokemon jp', 'pocket monsters'],
    hints: ['japanese pokemon', 'pokemon japanese'],
    alsoMeans: [],
  },
  naming: {
    ...POKEMON.naming,
    gameNames: ['pokemon japanese', 'japanese', ...POKEMON.naming.gameNames],
  },
  justtcg: ['pokemonjapan'],
  pricecharting: { console: /^Pokemon Japanese\b/i, code: null, foil: 'Foil' },
  cardmarket: { page: 'Pokemon', priceGuide: null },
  pictureHosts: [],
  motif: 'waves',
  colors: { sky: '#23345c', accent: '#f6d8b8' },
  example: { q: 'リザードン', place: 8 },
});
