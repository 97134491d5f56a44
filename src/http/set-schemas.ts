import { type Static, Type } from 'typebox';
import { CardSummary, GameSlugText, SetItem, Text } from './schemas.ts';

/** The schemas of a set, of rarities and of the cards around a card. */

const Rarity = Text('Rarity label.', 'Holo Rare');

const CardCount = (of: string) =>
  Type.Integer({ description: `Cards that the service can serve of the ${of}.`, examples: [16] });

export const SetDetail = Type.Object(
  {
    ...SetItem.properties,
    rarities: Type.Array(
      Type.Object({ rarity: Rarity, cardCount: CardCount('rarity in this set') }),
      { description: 'The rarities of its cards, in alphabetical order.' },
    ),
    printings: Type.Array(Type.String(), {
      description: 'The printings that its cards have, plainest first.',
      examples: [['Normal', 'Holofoil']],
    }),
    mostValuable: Type.Array(CardSummary, {
      description: 'The cards with the highest market price, at most 5.',
    }),
  },
  { $id: 'SetDetail', title: 'SetDetail', description: 'A card set with what it is made of.' },
);

export const RarityItem = Type.Object(
  { game: GameSlugText, rarity: Rarity, cardCount: CardCount('rarity in this game') },
  { $id: 'Rarity', title: 'Rarity', description: 'A rarity of a game.' },
);

const Neighbour = (which: string) =>
  Type.Unsafe<Static<typeof CardSummary> | null>({
    type: ['object', 'null'],
    description: `The ${which} card of the set by collector number; null where there is none.`,
    properties: CardSummary.properties,
    required: CardSummary.required,
  });

export const Related = Type.Object(
  {
    previous: Neighbour('previous'),
    next: Neighbour('next'),
    others: Type.Array(CardSummary, {
      description:
        'Other cards of the same name, whatever stands in brackets behind it, in all sets of the ' +
        'game, newest set first, at most `limit`. English and Japanese Pokémon cards are found by the ' +
        'names of their species; cards of One Piece have the same number, too.',
    }),
    otherCount: Type.Integer({ description: 'How many such cards there are, listed or not.' }),
  },
  { $id: 'Related', title: 'Related', description: 'The cards around a card.' },
);
