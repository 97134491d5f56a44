import { anyOf, NO_QUIRKS } from '../naming/game-rules.ts';
import { defineGame, SCRYFALL_SIZES } from './game.ts';

export const LORCANA = defineGame({
  slug: 'lorcana',
  name: 'Disney Lorcana',
  aliases: [],
  language: 'en',
  translation: null,
  tcgplayerCategory: 71,
  rarityLabels: {},
  foilRarities: ['Enchanted'],
  hasTotals: true,
  search: {
    label: 'Disney Lorcana',
    names: ['lorcana', 'disney lorcana', 'disneys lorcana'],
    hints: ['disney'],
    alsoMeans: [],
  },
  naming: {
    ...NO_QUIRKS,
    gameNames: ['disney lorcana', 'lorcana'],
    setNames: [
      [/^(?:disney lorcana )?promo cards$/, 'promo set 1'],
      [/^(?:disney lorcana )?promo cards year 2$/, 'promo set 2'],
    ],
    subtitle: /^(.+?) [-–—] (.+)$/,
    isArtNumbered: true,
    arts: anyOf('enchanted|epic|iconic|alternate art'),
  },
  justtcg: ['disneylorcana', 'lorcana'],
  // TCGplayer lists all foils of Lorcana as cold foils.
  pricecharting: { console: /^(?:Disney )?Lorcana\b/i, code: null, foil: 'Cold Foil' },
  cardmarket: { page: 'Lorcana', priceGuide: { number: 19, plain: 'Normal', foil: 'Cold Foil' } },
  pictureHosts: [{ prefix: 'https://cards.lorcast.io/', sizes: SCRYFALL_SIZES }],
  motif: 'blossom',
  colors: { sky: '#1f6f7d', accent: '#e2c8ff' },
  example: { q: 'elsa enchanted', place: 1 },
});
