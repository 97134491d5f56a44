import { NO_QUIRKS, subtitleInBrackets } from '../naming/game-rules.ts';
import { defineGame } from './game.ts';

export const FAB = defineGame({
  slug: 'fab',
  name: 'Flesh and Blood',
  aliases: [],
  language: 'en',
  translation: null,
  tcgplayerCategory: 62,
  rarityLabels: {},
  foilRarities: ['Fabled', 'Marvel'],
  hasTotals: false,
  search: {
    label: 'Flesh and Blood',
    names: ['flesh and blood', 'flesh n blood'],
    hints: ['fab'],
    alsoMeans: [],
  },
  naming: {
    ...NO_QUIRKS,
    gameNames: ['flesh and blood', 'flesh blood'],
    codeInNumber: /^([A-Z0-9]{3})\d{3}/i,
    subtitle: subtitleInBrackets('Red|Yellow|Blue'),
    distinctRarities: /^marvel$/,
  },
  justtcg: ['fleshandblood', 'fleshandbloodtcg'],
  pricecharting: { console: /^Flesh (?:and|&) Blood\b/i, code: null, foil: 'Foil' },
  cardmarket: { page: 'FleshAndBlood', priceGuide: { number: 16, plain: undefined, foil: null } },
  pictureHosts: [
    // A folder of a shared host, and two hosts of the publisher.
    { prefix: 'https://storage.googleapis.com/fabmaster/' },
    { prefix: 'https://d2wlb52bya4y8z.cloudfront.net/' },
    { prefix: 'https://dhhim4ltzu1pj.cloudfront.net/' },
  ],
  motif: 'blades',
  colors: { sky: '#2f2a33', accent: '#f09a6a' },
  example: { q: 'pummel blue', place: 7 },
});
