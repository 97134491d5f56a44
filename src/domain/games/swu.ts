import { NO_QUIRKS } from '../naming/game-rules.ts';
import { defineGame } from './game.ts';

export const SWU = defineGame({
  slug: 'swu',
  name: 'Star Wars: Unlimited',
  aliases: [],
  language: 'en',
  translation: null,
  tcgplayerCategory: 79,
  rarityLabels: {},
  foilRarities: [],
  hasTotals: false,
  search: {
    label: 'Star Wars: Unlimited',
    names: ['swu', 'star wars unlimited'],
    hints: ['star wars'],
    alsoMeans: [],
  },
  naming: {
    ...NO_QUIRKS,
    gameNames: ['star wars unlimited'],
    subtitle: /^(.+?) [-–—] (.+)$/,
  },
  justtcg: ['starwarsunlimited'],
  pricecharting: { console: /^Star Wars:? Unlimited\b/i, code: null, foil: 'Foil' },
  cardmarket: {
    page: 'StarWarsUnlimited',
    priceGuide: { number: 21, plain: 'Normal', foil: 'Foil' },
  },
  pictureHosts: [{ prefix: 'https://cdn.swu-db.com/' }],
  motif: 'orbits',
  colors: { sky: '#15354a', accent: '#6fd3ee' },
  example: { q: 'darth vader hyperspace', place: 6 },
});
