import { type TSchema, Type } from 'typebox';
import { API_ERRORS } from '../domain/errors.ts';
import { GAMES } from '../domain/games.ts';
import { CONDITION_NAMES, GRADE_NAMES } from '../domain/price.ts';
import { CARD_ID_SPACES } from '../domain/sources.ts';
import { AGE_LIMITS } from '../domain/staleness.ts';
import { Match } from './search-schemas.ts';

/** The schemas of the API: each validates, serialises and documents. */

/** A price in US dollars, or null where no source gives one. */
export const Price = (description: string) =>
  Type.Unsafe<number | null>({
    type: ['number', 'null'],
    description: `${description}, in US dollars; null where no source gives it.`,
  });

export const Text = (description: string, example: string) =>
  Type.String({ description, examples: [example] });

export const OptionalText = (description: string, example: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: `${description}; null where no source tells.`,
    examples: [example],
  });

export const GameSlugText = Type.String({
  description: 'Slug of the game.',
  enum: GAMES.map((game) => game.slug),
});

export const CardId = Text('Card id. Never changes.', 'pokemon-bs-charizard-004');

const SetId = Text('Set id, unique: codes are not. Never changes.', 'pokemon-base-set');
const SetCode = Text('Set code.', 'BS');

const CollectorNumber = OptionalText('Card number within the set, as printed', '004/102');

const DefaultPrinting = OptionalText(
  'The printing that `prices` are of: the plainest with a market price, a holofoil first where the ' +
    'rarity is a foil one',
  'Holofoil',
);

const CardImage = OptionalText('Image URL', 'https://example.com/charizard.jpg');

const ExternalIds = Type.Record(Type.String(), Type.Array(Type.String()), {
  description:
    'The ids by which sources and marketplaces know the card, by id space: those of ' +
    `${[...CARD_ID_SPACES.keys()].join(', ')}. Each leads back to the card by \`/v1/cards/by\`.`,
  examples: [{ tcgplayer: ['42382'], pricecharting: ['630417'] }],
});

const Conditions = Type.Object(
  {
    near_mint: Price(CONDITION_NAMES.near_mint),
    lightly_played: Price(CONDITION_NAMES.lightly_played),
    moderately_played: Price(CONDITION_NAMES.moderately_played),
    heavily_played: Price(CONDITION_NAMES.heavily_played),
    damaged: Price(CONDITION_NAMES.damaged),
  },
  { description: 'Prices by condition, from sources that price conditions.' },
);

const Graded = Type.Object(
  {
    psa_10: Price(GRADE_NAMES.psa_10),
    psa_9: Price(GRADE_NAMES.psa_9),
    bgs_9_5: Price(GRADE_NAMES.bgs_9_5),
    cgc_9_5: Price(GRADE_NAMES.cgc_9_5),
  },
  { description: 'Prices of graded copies, by company and grade.' },
);

const Market = Price('What it sells for: the market figure of the source');
const Low = Price('Lowest current listing');
const Mid = Price('Median current listing');
const High = Price('Highest current listing');

const Stale = Type.Boolean({
  description:
    `Whether these prices are too old to be called current: observed more than ` +
    `${AGE_LIMITS.figures} days (UTC) before today. Without a price it is false.`,
});

const Change = (days: string) =>
  Type.Unsafe<{ amount: number; percent: number } | null>({
    type: ['object', 'null'],
    description:
      `By how much \`market\` has changed since ${days} before the newest observed day; null where ` +
      'that is unknown or in doubt.',
    properties: {
      amount: Type.Number({ description: 'In US dollars, negative for a fall.', examples: [1.25] }),
      percent: Type.Number({ description: 'In percent, to a tenth.', examples: [12.5] }),
    },
    required: ['amount', 'percent'],
  });

const Changes = Type.Object(
  { '1d': Change('a day'), '7d': Change('7 days'), '30d': Change('30 days') },
  { description: 'Changes of the market price, between observations of one marketplace.' },
);

const Prices = Type.Object(
  {
    market: Market,
    low: Low,
    mid: Mid,
    high: High,
    conditions: Conditions,
    graded: Graded,
    stale: Stale,
    changes: Changes,
    estimated: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Which of `conditions` are estimated because no source prices them. Only where the ' +
          'operator has switched estimates on.',
        examples: [['near_mint', 'lightly_played']],
      }),
    ),
  },
  { description: 'All prices of one printing.' },
);

const Sources = Type.Array(Type.String(), {
  description: 'Names of the price sources that these numbers came from.',
  examples: [['tcgplayer']],
});

const Moment = (description: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: `${description}: ISO 8601, UTC. Null where there is none.`,
    examples: ['2026-01-28T20:05:12Z'],
  });

/** When served prices were observed. */
const Ages = {
  updatedAt: Moment('When market, low, mid and high were observed at their source'),
  figuresAt: Moment('When market, low, mid and high were observed at their source'),
  conditionsAt: Moment('When the prices of `conditions` were observed at their source'),
  gradedAt: Moment('When the oldest of the prices of `graded` was observed at its source'),
};

export const CardSummary = Type.Object(
  {
    id: CardId,
    name: Text('Card name.', 'Charizard'),
    game: GameSlugText,
    set: Text('Set name.', 'Base Set'),
    setId: SetId,
    setCode: SetCode,
    number: CollectorNumber,
    rarity: OptionalText('Rarity label', 'Holo Rare'),
    image: CardImage,
    printing: DefaultPrinting,
    prices: Type.Object(
      {
        market: Market,
        conditions: Type.Object(
          {
            near_mint: Price(CONDITION_NAMES.near_mint),
            lightly_played: Price(CONDITION_NAMES.lightly_played),
          },
          { description: 'Prices by condition, from sources that price conditions.' },
        ),
        stale: Stale,
        changes: Changes,
      },
      { description: "Prices of the card's default printing." },
    ),
    match: Type.Optional(Match),
  },
  { $id: 'CardSummary', title: 'CardSummary', description: 'A card in a list.' },
);

const PrintingDetail = Type.Object({
  name: Text('Finish or edition.', '1st Edition Holofoil'),
  prices: Prices,
  sources: Sources,
  ...Ages,
});

export const CardDetail = Type.Object(
  {
    id: CardId,
    name: Text('Card name.', 'Charizard'),
    game: GameSlugText,
    set: Text('Set name.', 'Base Set'),
    setId: SetId,
    setCode: SetCode,
    number: CollectorNumber,
    rarity: OptionalText('Rarity label', 'Holo Rare'),
    image: CardImage,
    externalIds: ExternalIds,
    currency: Type.Literal('USD', { description: 'Currency of all prices.' }),
    printing: DefaultPrinting,
    prices: Prices,
    printings: Type.Array(PrintingDetail, { description: 'Every printing, plainest first.' }),
    sources: Sources,
    ...Ages,
  },
  { $id: 'CardDetail', title: 'CardDetail', description: 'A card with all of its prices.' },
);

export const BatchCard = Type.Object(
  {
    id: CardId,
    name: Text('Card name.', 'Charizard'),
    game: GameSlugText,
    setId: SetId,
    setCode: SetCode,
    number: CollectorNumber,
    printing: DefaultPrinting,
    prices: Type.Object(
      { market: Market, stale: Stale },
      { description: "Prices of the card's default printing." },
    ),
  },
  { $id: 'BatchCard', title: 'BatchCard', description: 'A card in a batch result.' },
);

const DayText = Type.String({
  description: 'Day in UTC, `YYYY-MM-DD`.',
  examples: ['2026-01-28'],
});

const AsOf = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description:
    'The newest day that the service has for this game, at which the window ends: `YYYY-MM-DD`; ' +
    'null for a game without prices.',
  examples: ['2026-01-28'],
});

const HistoryItem = Type.Object({
  date: DayText,
  market: Market,
  low: Low,
  high: High,
  source: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description:
      'The source that published these prices; null for days from before this was recorded.',
    examples: ['tcgcsv'],
  }),
  marketplace: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Where the prices were formed; null where `source` is.',
    examples: ['tcgplayer'],
  }),
  repeated: Type.Optional(
    Type.Boolean({
      description:
        'True where all that the source published that day repeated the day before, so that ' +
        'nothing was newly observed; left out on all other days.',
    }),
  ),
});

const HistoryItems = Type.Array(HistoryItem, {
  description: 'One item a day on which prices were observed, oldest first. No day is made up.',
});

export const PeriodHistory = Type.Object(
  {
    cardId: CardId,
    period: Type.String({ description: 'The requested period.', examples: ['30d'] }),
    printing: OptionalText('The printing that the prices are of', 'Normal'),
    asOf: AsOf,
    history: HistoryItems,
  },
  { $id: 'PeriodHistory', title: 'PeriodHistory', description: 'Price history of a period.' },
);

export const DaysHistory = Type.Object(
  {
    cardId: CardId,
    days: Type.Integer({ description: 'The requested number of days.', examples: [30] }),
    printing: OptionalText('The printing that the prices are of', 'Normal'),
    asOf: AsOf,
    history: HistoryItems,
  },
  { $id: 'DaysHistory', title: 'DaysHistory', description: 'Price history of the last days.' },
);

const Value = Price('What one of each priced card costs: the sum of the market prices');

export const SetItem = Type.Object(
  {
    setId: SetId,
    code: Text('Set code; several sets may share it.', 'BS'),
    name: Text('Set name.', 'Base Set'),
    game: GameSlugText,
    cardCount: Type.Integer({ description: 'Cards that the service can serve of the set.' }),
    pricedCount: Type.Integer({
      description:
        'Of these, the cards with a price: market, low, mid or high of the default printing.',
    }),
    value: Value,
    releaseDate: OptionalText('Release date, `YYYY-MM-DD`', '1999-01-09'),
  },
  { $id: 'Set', title: 'Set', description: 'A card set.' },
);

export const GameItem = Type.Object(
  {
    id: GameSlugText,
    name: Text('Name of the game.', 'Pokemon TCG (English)'),
    cardCount: Type.Integer({ description: 'Cards that the service can serve of the game.' }),
    setCount: Type.Integer({ description: 'Sets that the service can serve of the game.' }),
  },
  { $id: 'Game', title: 'Game', description: 'A supported game.' },
);

/** `{data}` around one resource. */
export const One = <Resource extends TSchema>(resource: Resource) =>
  Type.Object({ data: resource });

/** `{data}` around a list. */
export const Many = <Resource extends TSchema>(resource: Resource, description: string) =>
  Type.Object({ data: Type.Array(resource, { description }) });

/** `{data, total, limit, offset}` around a page of a list. */
export const Page = <Resource extends TSchema>(resource: Resource, description: string) =>
  Type.Object({
    data: Type.Array(resource, { description }),
    total: Type.Integer({ description: 'How many there are in all.' }),
    limit: Type.Integer({ description: 'How many this page holds at most.' }),
    offset: Type.Integer({ description: 'How many were skipped.' }),
  });

const ErrorDetails = Type.Array(
  Type.Object({
    parameter: Type.String({ description: 'Name of the parameter.' }),
    message: Type.String({ description: 'What is wrong with it and what is allowed.' }),
  }),
  { description: 'Only with status 400: every parameter that was at fault.' },
);

/** The body of every error of `/v1`. */
export const ErrorBody = Type.Object(
  {
    error: Type.Object(
      {
        code: Type.String({
          description: 'What went wrong, for programs.',
          enum: [...Object.keys(API_ERRORS), 'unauthorized'],
        }),
        message: Type.String({ description: 'What went wrong, for people.' }),
        status: Type.Optional(
          Type.Integer({
            description: 'The HTTP status; left out where the code is unauthorized.',
          }),
        ),
        details: Type.Optional(ErrorDetails),
      },
      { description: 'The one thing that went wrong.' },
    ),
  },
  { $id: 'Error', title: 'Error', description: 'What went wrong.' },
);
