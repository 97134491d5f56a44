import { anyOf, NO_QUIRKS } from '../naming/game-rules.ts';
import { defineGame } from './game.ts';

export const ONEPIECE = defineGame({
  slug: 'onepiece',
  name: 'One Piece Card Game',
  aliases: [],
  language: 'en',
  translation: null,
  tcgplayerCategory: 68,
  rarityLabels: {
    SuperRare: 'Super Rare',
    SecretRare: 'Secret Rare',
    TreasureRare: 'Treasure Rare',
    C: 'Common',
    UC: 'Uncommon',
    R: 'Rare',
    SR: 'Super Rare',
    SEC: 'Secret Rare',
    L: 'Leader',
    P: 'Promo',
    PR: 'Promo',
    TR: 'Treasure Rare',
    'DON!!': 'DON!!',
  },
  foilRarities: [],
  hasTotals: false,
  search: {
    label: 'One Piece Card Game',
    names: ['optcg', 'opcg'],
    hints: ['one piece'],
    alsoMeans: [],
  },
  naming: {
    ...NO_QUIRKS,
    gameNames: ['one piece card game', 'one piece'],
    codeInNumber: /^([A-Z]{2,4}\d{2})-/i,
    variants: [...NO_QUIRKS.variants, [/^alternate art$/, 'parallel']],
    // Both are alternate arts of a card, with the same number.
    distinctRarities: anyOf('special|treasure rare'),
    rarities: [[/^sp(?: card)?$/, 'special']],
  },
  justtcg: ['onepiece', 'onepiececardgame'],
  pricecharting: {
    console: /^One Piece\b/i,
    code: / ((?:[A-Z]{2,3}\d{2}|P)-\d{3})$/,
    foil: 'Foil',
  },
  cardmarket: { page: 'OnePiece', priceGuide: { number: 18, plain: undefined, foil: null } },
  pictureHosts: [{ prefix: 'https://en.onepiece-cardgame.com/' }],
  motif: 'compass',
  colors: { sky: '#2b86a8', accent: '#ffd27d' },
  example: { q: 'luffy op01 parallel', place: 5 },
});
