import { NO_QUIRKS } from '../naming/game-rules.ts';
import { defineGame } from './game.ts';

export const YUGIOH = defineGame({
  slug: 'yugioh',
  name: 'Yu-Gi-Oh!',
  aliases: [],
  language: 'en',
  translation: null,
  tcgplayerCategory: 2,
  rarityLabels: { StR: 'Starlight Rare', UR: 'Ultra Rare' },
  foilRarities: [],
  hasTotals: false,
  search: {
    label: 'Yu-Gi-Oh!',
    names: ['yu-gi-oh', 'yugi oh', 'ygo'],
    hints: [],
    alsoMeans: [],
  },
  naming: {
    ...NO_QUIRKS,
    gameNames: ['yu gi oh', 'yugioh'],
    codeInNumber: /^([A-Z0-9]{2,5})-/i,
    variants: [
      ...NO_QUIRKS.variants,
      [/^utr$/, 'ultimate rare'],
      [/^scr$/, 'secret rare'],
      [/^pscr$/, 'prismatic secret rare'],
      [/^qcsr$/, 'quarter century secret rare'],
      [/^ur$/, 'ultra rare'],
      [/^sr$/, 'super rare'],
    ],
    arts: /(?:^| )rare$/,
    distinctRarities: /./,
    rarityVariants: /(?:^| )rare$/,
    rarities: [
      // TCGplayer has one name for rarities that other sources distinguish.
      [/^(?:common |super )?short print$/, 'common'],
      [/^ultra rare pharaohs rare$/, 'pharaohs rare'],
    ],
  },
  justtcg: ['yugioh'],
  pricecharting: {
    console: /^Yu-?Gi-?Oh!?(?=\s|$)/i,
    code: / ([A-Z0-9]{2,5}-[A-Z]{0,2}\d{1,4})$/,
    foil: 'Foil',
  },
  cardmarket: { page: 'YuGiOh', priceGuide: { number: 3, plain: undefined, foil: null } },
  pictureHosts: [
    {
      prefix: 'https://images.ygoprodeck.com/',
      sizes: {
        pattern: /\/cards(?:_small)?\//,
        names: { thumb: '/cards_small/', small: '/cards/', large: '/cards/' },
      },
    },
  ],
  motif: 'triangles',
  colors: { sky: '#37204f', accent: '#f0bf63' },
  example: { q: 'blue-eyes alternative ultimate dragon', place: 4 },
});
