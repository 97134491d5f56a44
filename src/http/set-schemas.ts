import { type Static, Type } from 'typebox';
import { INDEX_CHANGES } from '../history/price-index.ts';
import { AsOf, CardSummary, GameSlugText, NextCursor, SetItem, Text } from './schemas.ts';

/** The schemas of sets, rarities and related cards. */

const Rarity = Text('Rarity label.', 'Holo Rare');

const CardCount = (of: string) => Type.Integer({ description: `Cards of ${of}.`, examples: [16] });

export const SetDetail = Type.Object(
  {
    ...SetItem.properties,
    rarities: Type.Array(
      Type.Object({ rarity: Rarity, cardCount: CardCount('this rarity in the set') }),
      { description: 'The rarities of its cards, in alphabetical order.' },
    ),
    printings: Type.Array(Type.String(), {
      description: 'The printings that its cards have, plainest first.',
      examples: [['Normal', 'Holofoil']],
    }),
    mostValuable: Type.Array(CardSummary, {
      description: 'The cards with the highest confirmed or single-source market price, at most 5.',
    }),
  },
  {
    $id: 'SetDetail',
    title: 'SetDetail',
    description: 'A card set with its rarities, printings and top cards.',
  },
);

export const RarityItem = Type.Object(
  { game: GameSlugText, rarity: Rarity, cardCount: CardCount('this rarity in the game') },
  { $id: 'Rarity', title: 'Rarity', description: 'A rarity of a game.' },
);

const Change = Type.Unsafe<number | null>({
  title: 'IndexChange',
  type: ['number', 'null'],
  description: 'In percent, of prices in US dollars; null where the index begins later.',
});

export const PriceIndexBody = Type.Object(
  {
    setId: Type.Optional(SetItem.properties.setId),
    game: GameSlugText,
    period: Type.String({ description: 'The requested period.', examples: ['30d'] }),
    asOf: AsOf,
    changes: Type.Object(
      Object.fromEntries(INDEX_CHANGES.map((name) => [name, Change])) as Record<
        (typeof INDEX_CHANGES)[number],
        typeof Change
      >,
      { description: 'The changes up to `asOf`.' },
    ),
    index: Type.Array(
      Type.Object({
        date: Text('`YYYY-MM-DD` (UTC).', '2026-01-28'),
        value: Type.Number({ description: 'To two decimals.', examples: [103.27] }),
      }),
      { description: 'Every day from the first one with a price, which has 100, to `asOf`.' },
    ),
  },
  {
    $id: 'PriceIndex',
    title: 'PriceIndex',
    description: 'How the market prices of a set or game moved as a whole.',
  },
);

const Neighbour = (which: string) =>
  Type.Unsafe<Static<typeof CardSummary> | null>({
    type: ['object', 'null'],
    description: `The ${which} card of the set by collector number; null if there is none.`,
    properties: CardSummary.properties,
    required: CardSummary.required,
  });

export const Related = Type.Object(
  {
    previous: Neighbour('previous'),
    next: Neighbour('next'),
    others: Type.Array(CardSummary, {
      description:
        'Other cards with the same name in all sets of the game, at most `limit`: the most alike ' +
        'first (language, variant, rarity), then the highest market price. Japanese Pokémon have ' +
        'the same species, cards of One Piece also the same number.',
    }),
    otherCount: Type.Integer({ description: 'Total number of such cards, listed or not.' }),
    nextCursor: NextCursor,
  },
  { $id: 'Related', title: 'Related', description: 'Cards related to a card.' },
);
