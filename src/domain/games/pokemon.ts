import { anyOf, type GameRules, NO_QUIRKS, subtitleInBrackets } from '../naming/game-rules.ts';
import { defineGame } from './game.ts';

const NAMING: GameRules = {
  ...NO_QUIRKS,
  gameNames: ['pokemon tcg', 'pokemon'],
  seriesNames: ['ex', 'hs', 'dp', 'bw', 'xy', 'sm', 'swsh', 'sv'],
  setNames: [
    [/\b(?:black star )?promos?(?: cards?)?$/, 'promo'],
    [/^(?:sm|sun moon)(?= |$)/, 'sun moon'],
    [/^(?:swsh|sword shield)(?= |$)/, 'sword shield'],
    [/^(?:svp?|scarlet violet)(?= |$)/, 'scarlet violet'],
    [/^(?:bw|black white)(?= |$)/, 'black white'],
    [/^(?:dp|diamond pearl)(?= |$)/, 'diamond pearl'],
    [/^(?:hs|hgss|heartgold soulsilver)(?= |$)/, 'heartgold soulsilver'],
    [/^wizards promo$/, 'wotc promo'],
    [/^base$/, 'base set'],
    [/(?<=.) base set$/, ''],
    [/^scarlet violet 151$/, '151'],
    [/^best of game$/, 'best of promo'],
    [/^mcdonalds (?:collection |promos? )?(\d{4})$/, 'mcdonalds $1'],
    [/^mcdonalds 25th anniversary promo$/, 'mcdonalds 2021'],
    [/^trick or trade(?: booster bundle)?(?: 2022)?/, 'trick or trade'],
    [/^ex trainer kit lati[ao]s$/, 'ex trainer kit 1 latias latios'],
    [/^ex trainer kit 2 (?:plusle|minun)$/, 'ex trainer kit 2 plusle minun'],
  ],
  setGroups: [
    [
      /^promo$/,
      anyOf(
        '(?:wotc|nintendo|diamond pearl|heartgold soulsilver|black white|xy) promo',
        '(?:sun moon|sword shield|scarlet violet) promo',
      ),
    ],
  ],
  setParts:
    /^(?:trainer gallery|galarian gallery|shiny vault|radiant collection|classic collection)$/,
  variantSets: [
    {
      // The first edition of Base Set has no shadow, nor does the next print run.
      variant: /^(?:shadowless|(?:1st|first) edition(?: holo(?:foil)?)?)$/,
      within: 'base set',
      ownSet: 'base set shadowless',
      // Machamp came with every starter deck: all are first editions, with or without a shadow.
      inBoth: ['machamp'],
    },
  ],
  cardNames: [
    [/ delta(?: species)?$/, ''],
    [/ gold star$/, ' star'],
    [/ prime$/, ''],
    [/ legend (?:top|bottom)$/, ' legend'],
    [/^impostor (?=professor oak)/, 'imposter '],
    [/^mega (?=.* ex$)/, 'm '],
    [/^basic (?=.*energy$)/, ''],
  ],
  // Forms, letters of Unown, and the people on cards with the same name.
  subtitle: subtitleInBrackets(
    '(?:Delta Species - )?(?:Attack|Defense|Normal|Speed|Land|Sky) Forme',
    '[A-Z]|(?:Alpha|Omega)(?: - .*)?|Red|Professor [A-Z][a-z]+|Ghetsis|Giovanni|Lysandre|Cyrus',
  ),
  variants: [
    ...NO_QUIRKS.variants,
    [/^(?:(?:alpha|omega) )?\d+ (?=(?:full art|secret|delta)\b)/, ''],
    [/^(poke|master) ?ball$/, '$1 ball pattern'],
    [/^(?:cosmos?)(?: holo| holofoil| foil)?$/, 'cosmos holo'],
    [
      /^(cracked ice|water web|mirage|sheen|line|sparkle|energy)(?: holo| holofoil| foil)?$/,
      '$1 holo',
    ],
  ],
  isArtNumbered: true,
  mixedSets: anyOf(
    'world championship decks|league championship cards|battle academy(?: \\d+)?',
    'miscellaneous cards products|(?:deck|blister) exclusives|prize pack series cards|jumbo cards',
    'alternate art promo|professor program promo',
  ),
  arts: anyOf(
    '(?:alternate |shiny |texture )?full art(?: promo| secret rare)?|secret (?:full art|shining)',
    'alternate art(?: secret)?|shiny|special|secret(?: rare)?|(?:ultra|hyper|amazing) rare',
    '(?:rainbow|gold)(?: rare)?|(?:special )?illustration rare|ace spec|radiant|holo common',
    '(?:trainer|galarian) gallery|classic collection|prime|gold star|prism star|break',
    'top|bottom|delta(?: species)?|team plasma|supporter|basic|rockets secret machine',
  ),
  // PriceCharting has listed prices of Master Ball foils under the names of the plain cards.
  foilPatterns: / (?:ball pattern|holo|holofoil|foil)$/,
};

/** The rarities that exist only as foils. */
const FOIL_RARITIES = [
  'Holo Rare',
  'Rare Holo',
  'Double Rare',
  'Ultra Rare',
  'Secret Rare',
  'Hyper Rare',
  'Illustration Rare',
  'Special Illustration Rare',
  'Shiny Rare',
  'Shiny Holo Rare',
  'Shiny Ultra Rare',
  'Radiant Rare',
  'Amazing Rare',
  'ACE SPEC Rare',
  'Rare Ace',
  'Rare BREAK',
  'Classic Collection',
];

export const POKEMON = defineGame({
  slug: 'pokemon',
  name: 'Pokemon TCG (English)',
  aliases: [],
  language: 'en',
  translation: 'pokemonjp',
  tcgplayerCategory: 3,
  rarityLabels: {},
  foilRarities: FOIL_RARITIES,
  hasTotals: true,
  search: {
    label: 'Pokémon',
    names: ['pokemon', 'pokemons', 'pokeman', 'pkmn', 'pkm', 'ptcg'],
    hints: [],
    alsoMeans: ['pokemonjp'],
  },
  naming: NAMING,
  justtcg: ['pokemon'],
  pricecharting: { console: /^Pokemon\b(?! Japanese\b)/i, code: null, foil: 'Foil' },
  cardmarket: {
    page: 'Pokemon',
    priceGuide: { number: 6, plain: undefined, foil: 'Reverse Holofoil' },
  },
  pictureHosts: [
    {
      prefix: 'https://images.pokemontcg.io/',
      sizes: {
        pattern: /(?:_hires)?\.png$/,
        // 245 and 734 pixels wide.
        names: { thumb: '.png', small: '_hires.png', large: '_hires.png' },
      },
    },
  ],
  motif: 'sunrise',
  colors: { sky: '#2a6db0', accent: '#ffe08a' },
  example: { q: 'charizard ex psa 10', place: 3 },
});
