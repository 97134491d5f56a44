import { type TSchema, Type } from 'typebox';
import { CURRENCY_CODES, type Currency } from '../domain/currencies.ts';
import { API_ERRORS, ERRORS } from '../domain/errors.ts';
import { GAMES } from '../domain/games.ts';
import { ANY_GRADER, formatGrade } from '../domain/grade-names.ts';
import { GRADERS } from '../domain/grades.ts';
import type { LanguageCode } from '../domain/languages.ts';
import { MARKETPLACE_NAMES, type MarketplaceLink } from '../domain/marketplaces.ts';
import { CONDITION_NAMES, CONDITIONS, type Condition } from '../domain/price.ts';
import { PRODUCT_TYPES, type ProductType } from '../domain/products.ts';
import { AGE_LIMITS } from '../domain/staleness.ts';
import { DETAILED_CONFIDENCE, LISTED_CONFIDENCE } from './confidence-schemas.ts';
import { Facts } from './facts-schemas.ts';
import { Grading } from './grading-schemas.ts';
import { MONEY } from './money-schemas.ts';
import { Match } from './search-schemas.ts';
import { TRADE } from './trade-schemas.ts';

/** The schemas of the API. Each one validates, serialises and documents. */

/** A price in US dollars, or null if no source reports one. */
export const Price = (description: string) =>
  Type.Unsafe<number | null>({
    type: ['number', 'null'],
    description: `${description}, in US dollars; null if no source reports it.`,
  });

export const Text = (description: string, example: string) =>
  Type.String({ description, examples: [example] });

/** A text or null; the description explains null. */
export const NullableText = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description });

export const OptionalText = (description: string, example: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: `${description}; null if there is none.`,
    examples: [example],
  });

/** Gives a new schema a title, under which `/openapi.json` lists it once for all uses. */
export const Titled = <Schema extends TSchema>(title: string, schema: Schema): Schema =>
  Object.assign(schema, { title });

export const GameSlugText = Type.String({
  title: 'GameSlug',
  description: 'Slug of the game.',
  enum: GAMES.map((game) => game.slug),
});

export const CardId = Titled('CardId', Text('Card id. Never changes.', 'pokemon-bs-charizard-004'));

export const ReleaseDate = Titled(
  'ReleaseDate',
  OptionalText('Release date, `YYYY-MM-DD`', '1999-01-09'),
);

const SetId = Titled('SetId', Text('Id of the set. Never changes.', 'pokemon-base-set'));
const SetCode = Text('Set code.', 'BS');

const CollectorNumber = Titled(
  'CollectorNumber',
  OptionalText('Card number within the set, as printed', '004/102'),
);

const DefaultPrinting = Titled(
  'DefaultPrinting',
  OptionalText(
    'The printing of `prices`: the plainest with a market price, or foil if the rarity is one',
    'Holofoil',
  ),
);

const ExternalIds = Type.Record(Type.String(), Type.Array(Type.String()), {
  title: 'ExternalIds',
  description:
    'Ids of the card at sources and marketplaces, by id space. `/v1/cards/by` finds the card by ' +
    'any of them.',
  examples: [{ tcgplayer: ['42382'], pricecharting: ['630417'] }],
});

const Links = Type.Array(
  Type.Object(
    {
      marketplace: Type.Unsafe<MarketplaceLink['marketplace']>({
        type: 'string',
        description: 'The marketplace.',
        enum: Object.keys(MARKETPLACE_NAMES),
      }),
      url: Text('Address of the page.', 'https://www.tcgplayer.com/product/42382'),
    },
    { title: 'MarketplaceLink' },
  ),
  { description: 'The pages of the card at marketplaces that have an id for it.' },
);

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
    psa_10: Price(formatGrade('psa_10')),
    psa_9: Price(formatGrade('psa_9')),
    bgs_9_5: Price(formatGrade('bgs_9_5')),
    cgc_9_5: Price(formatGrade('cgc_9_5')),
  },
  { description: 'Prices of graded copies, by company and grade.' },
);

const GRADER_SLUGS = GRADERS.map(({ slug }) => slug).join(', ');

const AllGrades = Type.Record(Type.String(), Type.Record(Type.String(), Type.Number()), {
  description:
    `Every grade with a price, in US dollars, by company (${GRADER_SLUGS}) and grade. ` +
    `\`${ANY_GRADER}\` is a grade whose source does not tell the company. Absent without any.`,
  examples: [{ psa: { '10': 420, '8': 50 }, bgs: { '9.5': 180, '10_black_label': 2400 } }],
});

/** A code of a language. The schema of `understood.copy` lists all of them. */
export function LanguageText(description: string) {
  return Type.Optional(
    Type.Unsafe<LanguageCode>({ type: 'string', description, examples: ['de'] }),
  );
}

export const PriceOf = Type.Object(
  {
    printing: OptionalText('The printing', 'Holofoil'),
    language: LanguageText('Only if it is not the language in which the catalogue has the card.'),
    condition: Type.Unsafe<Condition | null>({
      type: ['string', 'null'],
      description: 'The condition; null for a graded copy, or any condition.',
      enum: [...CONDITIONS, null],
    }),
    grade: OptionalText('The grade', 'psa_9'),
    estimated: Type.Optional(
      Type.Literal(true, {
        description: 'Only if the price is an estimate, which the operator has turned on.',
      }),
    ),
  },
  { description: 'The copy whose price it is.' },
);

export const NoPrice = Type.String({
  description: 'Only without a price: why, in a sentence.',
  examples: ['No source prices a PSA 8 of this printing.'],
});

const Market = Titled('MarketPrice', Price('Market price, as the source computes it'));
const Low = Price('Lowest current listing');
const Mid = Price('Median current listing');
const High = Price('Highest current listing');

const Stale = Type.Boolean({
  title: 'Stale',
  description:
    `Whether these prices are out of date: observed more than ${AGE_LIMITS.figures} days (UTC) ` +
    'ago. False without a price.',
});

const Change = (days: string) =>
  Type.Unsafe<{ amount: number; percent: number } | null>({
    type: ['object', 'null'],
    title: 'Change',
    description:
      `Change of \`market\` over ${days}, up to the newest observed day; null if unknown or in ` +
      'doubt.',
    properties: {
      amount: Type.Number({ description: 'In US dollars, negative for a fall.', examples: [1.25] }),
      percent: Type.Number({ description: 'In percent, to a tenth.', examples: [12.5] }),
    },
    required: ['amount', 'percent'],
  });

const Changes = Type.Object(
  { '1d': Change('a day'), '7d': Change('7 days'), '30d': Change('30 days') },
  {
    title: 'Changes',
    description: 'Changes of the market price, between observations of one marketplace.',
  },
);

const PriceDay = Type.Optional(
  Type.Unsafe<string | null>({
    title: 'PriceDay',
    type: ['string', 'null'],
    description:
      'Only with `asOf`: the day of the figures, the newest recorded up to then; null if the 90 ' +
      'days up to then have none.',
    examples: ['2026-01-28'],
  }),
);

const Prices = Type.Object(
  {
    market: Market,
    low: Low,
    mid: Mid,
    high: High,
    conditions: Conditions,
    graded: Graded,
    allGrades: Type.Optional(AllGrades),
    stale: Stale,
    changes: Changes,
    estimated: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'The `conditions` that are estimated because no source prices them. Only if the ' +
          'operator has turned estimates on.',
        examples: [['near_mint', 'lightly_played']],
      }),
    ),
    ...DETAILED_CONFIDENCE,
    ...MONEY,
    ...TRADE,
    asOf: PriceDay,
  },
  { title: 'Prices', description: 'All prices of one printing.' },
);

const Sources = Type.Array(Type.String(), {
  title: 'Sources',
  description: 'The sources of these prices.',
  examples: [['tcgplayer']],
});

export const Moment = (description: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: `${description}: ISO 8601, UTC. Null if there is none.`,
    examples: ['2026-01-28T20:05:12Z'],
  });

const Marketplace = (of: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: `The marketplace of ${of}; null if there are none.`,
    examples: ['tcgplayer'],
  });

const Origins = Type.Object(
  {
    figures: Marketplace('market, low, mid and high'),
    conditions: Marketplace('`conditions`'),
    graded: Type.Array(Type.String(), { description: 'The marketplaces of `graded`.' }),
  },
  { title: 'Origins', description: 'Which of `sources` the prices of each kind are from.' },
);

const FiguresAt = Titled('FiguresAt', Moment('When the figures were observed at their source'));

/** When served prices were observed. */
const Ages = {
  updatedAt: FiguresAt,
  figuresAt: FiguresAt,
  conditionsAt: Titled(
    'ConditionsAt',
    Moment('When the prices of `conditions` were observed at their source'),
  ),
  gradedAt: Titled(
    'GradedAt',
    Moment('When the oldest of the prices of `graded` was observed at its source'),
  ),
};

/** The fields of a card that do not depend on prices. */
export const CardFields = {
  id: CardId,
  name: Text('Card name.', 'Charizard'),
  game: GameSlugText,
  set: Text('Set name.', 'Base Set'),
  setId: SetId,
  setCode: SetCode,
  number: CollectorNumber,
  rarity: Titled('RarityLabel', OptionalText('Rarity label', 'Holo Rare')),
  image: Titled('ImageUrl', OptionalText('Image URL', 'https://example.com/charizard.jpg')),
};

const PricedLanguage = Titled(
  'PricedLanguage',
  LanguageText(
    "Only if another language than the card's is asked for: that of `printing` and `prices`.",
  ),
);

export const ProductTypeText = Type.Unsafe<ProductType>({
  title: 'ProductType',
  type: 'string',
  description: 'Type of the product, which its name says.',
  enum: [...PRODUCT_TYPES],
});

/** The fields of products in place of a card's number and rarity. */
export const PRODUCT_FIELDS = {
  kind: Type.Literal('product', { description: 'Always `product`.' }),
  type: ProductTypeText,
  upc: Type.Unsafe<string | null>({
    title: 'Upc',
    type: ['string', 'null'],
    description: 'UPC or EAN, which products may share; null if none is known.',
    examples: ['820650809545'],
  }),
};

/** Only lists with `kind=product` show these. */
const ONLY_OF_PRODUCTS = {
  kind: Type.Optional(
    Type.Literal('product', {
      title: 'ProductKind',
      description: 'Only of products, which `kind=product` asks for.',
    }),
  ),
  type: Type.Optional(PRODUCT_FIELDS.type),
  upc: Type.Optional(PRODUCT_FIELDS.upc),
};

const CopyOfQuery = Type.Object(
  {
    name: Text('The printing, condition or grade that the query names, for people.', 'PSA 10'),
    price: Price('The price of one such copy'),
    priceOf: PriceOf,
    noPrice: Type.Optional(NoPrice),
  },
  {
    title: 'CopyPrice',
    description:
      'Only if the query names a printing, a condition or a grade: the price of such a copy.',
  },
);

const PrintingDetail = Type.Object({
  name: Text('Finish or edition, and the language if it is another one.', '1st Edition Holofoil'),
  language: LanguageText("Only in another language than the card's."),
  prices: Prices,
  sources: Sources,
  ...Ages,
  origins: Origins,
});

export const DayText = Type.String({
  description: 'Day in UTC, `YYYY-MM-DD`.',
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
    description: 'The marketplace of the prices; null if `source` is null.',
    examples: ['tcgplayer'],
  }),
  repeated: Type.Optional(
    Type.Boolean({
      description:
        'True if everything that the source published that day repeats the day before, so ' +
        'nothing was newly observed. Absent otherwise.',
    }),
  ),
  converted: MONEY.converted,
  reason: MONEY.reason,
});

const HistoryItems = Type.Array(HistoryItem, {
  title: 'HistoryDays',
  description: 'The observed days, oldest first.',
});

const Printings = Type.Array(PrintingDetail, {
  title: 'Printings',
  description: 'Every printing, plainest first.',
});

const DayOfPeriod = (which: string) =>
  Type.Object(
    {
      date: DayText,
      market: Type.Number({ description: 'The market price of that day.', examples: [453.86] }),
    },
    { title: 'MarketDay', description: `The newest day with the ${which} market price.` },
  );

const PeriodStatistics = Type.Unsafe<{
  lowest: { date: string; market: number };
  highest: { date: string; market: number };
  mean: number;
  standardDeviation: number;
  slope: number | null;
  days: number;
} | null>({
  ...Type.Object({
    lowest: DayOfPeriod('lowest'),
    highest: DayOfPeriod('highest'),
    mean: Type.Number({ description: 'Mean of the market prices.', examples: [449.2] }),
    standardDeviation: Type.Number({
      description: 'Standard deviation of these prices, in their currency.',
      examples: [3.11],
    }),
    slope: Type.Unsafe<number | null>({
      type: ['number', 'null'],
      description:
        'How fast they rise, by least squares: US dollars, or units of `currency`, a day; null ' +
        'with only one day.',
      examples: [-0.0214],
    }),
    days: Type.Integer({ description: 'How many days have a market price.', examples: [30] }),
  }),
  type: ['object', 'null'],
  title: 'PeriodStatistics',
  description: 'Null if no day of the period has a market price, or the plan has fewer days.',
});

const Statistics = Type.Object(
  {
    '7d': PeriodStatistics,
    '30d': PeriodStatistics,
    '90d': PeriodStatistics,
    '1y': PeriodStatistics,
    all: PeriodStatistics,
  },
  {
    title: 'Statistics',
    description:
      'Statistics of periods that end with the newest day of the game; `all` has every day that ' +
      'the plan includes.',
  },
);

/** Fields of cards in lists and batches that are present only if `include` names them. */
export const INCLUDED = {
  printings: Type.Optional(Printings),
  history: Type.Optional(HistoryItems),
  statistics: Type.Optional(Statistics),
  facts: Type.Optional(Facts),
};

/** The words that `include` takes. */
export const INCLUDES = Object.keys(INCLUDED) as readonly (keyof typeof INCLUDED)[];

export const CardSummary = Type.Object(
  {
    ...CardFields,
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
        ...LISTED_CONFIDENCE,
        ...MONEY,
      },
      { title: 'ListedPrices', description: "Prices of the card's default printing." },
    ),
    language: PricedLanguage,
    copy: Type.Optional(CopyOfQuery),
    match: Type.Optional(Match),
    ...ONLY_OF_PRODUCTS,
    ...INCLUDED,
  },
  { $id: 'CardSummary', title: 'CardSummary', description: 'A card in a list.' },
);

export const CardDetail = Type.Object(
  {
    ...CardFields,
    names: Type.Optional(
      Type.Unsafe<Partial<Record<LanguageCode, string>>>({
        type: 'object',
        description: 'Only if any is known: its names in other languages, by code.',
        additionalProperties: { type: 'string' },
        examples: [{ de: 'Blitzschlag' }],
      }),
    ),
    externalIds: ExternalIds,
    links: Links,
    facts: Type.Optional(Facts),
    currency: Type.Unsafe<Currency>({
      title: 'CurrencyOfPrices',
      type: 'string',
      description: 'Currency of `prices`: US dollars, unless the request names another.',
      enum: [...CURRENCY_CODES],
    }),
    printing: DefaultPrinting,
    prices: Prices,
    printings: Printings,
    sources: Sources,
    ...Ages,
    origins: Origins,
    grading: Type.Optional(Grading),
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
      { market: Market, stale: Stale, ...LISTED_CONFIDENCE, ...MONEY, asOf: PriceDay },
      { title: 'BatchPrices', description: "Prices of the card's default printing." },
    ),
    language: PricedLanguage,
    requested: Type.Optional(
      Text('Only if the request has an external id of the card: that id.', 'tcgplayer:42382'),
    ),
    ...INCLUDED,
  },
  { $id: 'BatchCard', title: 'BatchCard', description: 'A card in a batch result.' },
);

export const AsOf = Type.Unsafe<string | null>({
  title: 'AsOf',
  type: ['string', 'null'],
  description:
    'The last day of the window: `asOf` of the request, otherwise the newest day with prices of ' +
    'this game; null without either.',
  examples: ['2026-01-28'],
});

const CopyOfHistory = {
  grade: Type.Optional(
    Type.String({
      description: 'The grade of the prices; absent for the figures.',
      examples: ['psa_9'],
    }),
  ),
  condition: Type.Optional(
    Type.String({
      description: 'The condition of the prices; absent for the figures.',
      examples: ['lightly_played'],
    }),
  ),
};

export const PeriodHistory = Type.Object(
  {
    cardId: CardId,
    period: Type.String({ description: 'The requested period.', examples: ['30d'] }),
    printing: OptionalText('The printing of these prices', 'Normal'),
    ...CopyOfHistory,
    asOf: AsOf,
    currency: MONEY.currency,
    history: HistoryItems,
  },
  { $id: 'PeriodHistory', title: 'PeriodHistory', description: 'Price history of a period.' },
);

export const CardStatistics = Type.Object(
  {
    cardId: CardId,
    printing: OptionalText('The printing of these prices', 'Normal'),
    ...CopyOfHistory,
    asOf: AsOf,
    currency: MONEY.currency,
    statistics: Statistics,
  },
  { $id: 'CardStatistics', title: 'CardStatistics', description: 'Statistics of a price.' },
);

export const DaysHistory = Type.Object(
  {
    cardId: CardId,
    days: Type.Integer({ description: 'The requested number of days.', examples: [30] }),
    printing: OptionalText('The printing of these prices', 'Normal'),
    ...CopyOfHistory,
    asOf: AsOf,
    currency: MONEY.currency,
    history: HistoryItems,
  },
  { $id: 'DaysHistory', title: 'DaysHistory', description: 'Price history of a number of days.' },
);

const Value = Price(
  'The cost of one copy of each card with a confirmed or single-source price: the sum of these',
);

export const SetItem = Type.Object(
  {
    setId: SetId,
    code: Text('Set code; several sets may share it.', 'BS'),
    name: Text('Set name.', 'Base Set'),
    game: GameSlugText,
    cardCount: Type.Integer({ description: 'Cards of the set in the catalogue.' }),
    productCount: Type.Integer({
      title: 'ProductCount',
      description: 'Sealed products, code cards and accessories of the set.',
    }),
    pricedCount: Type.Integer({
      description: 'Cards whose default printing has a price: market, low, mid or high.',
    }),
    value: Value,
    releaseDate: ReleaseDate,
  },
  { $id: 'CardSet', title: 'CardSet', description: 'A card set.' },
);

export const GameItem = Type.Object(
  {
    id: GameSlugText,
    name: Text('Name of the game.', 'Pokemon TCG (English)'),
    cardCount: Type.Integer({ description: 'Cards of the game in the catalogue.' }),
    setCount: Type.Integer({ description: 'Sets of the game in the catalogue.' }),
  },
  { $id: 'Game', title: 'Game', description: 'A supported game.' },
);

const ParameterProblem = Type.Object(
  {
    parameter: Type.String({ description: 'Name of the parameter.' }),
    message: Type.String({ description: 'The problem, and what is allowed.' }),
  },
  {
    title: 'ParameterProblem',
    description: 'A parameter that is invalid or unknown.',
  },
);

const Warnings = Type.Optional(
  Type.Array(ParameterProblem, {
    title: 'Warnings',
    description: 'Unknown parameters; absent if there are none. `strict=true` makes them an error.',
  }),
);

/** `{data}` around one resource. */
export const One = <Resource extends TSchema>(resource: Resource) =>
  Type.Object({ data: resource, warnings: Warnings });

/** `{data}` around a list. */
export const Many = <Resource extends TSchema>(resource: Resource, description: string) =>
  Type.Object({ data: Type.Array(resource, { description }), warnings: Warnings });

/** Only in answers to requests with `cursor`. */
export const NextCursor = Type.Optional(
  Type.Unsafe<string | null>({
    title: 'NextCursor',
    type: ['string', 'null'],
    description: 'Only with `cursor`: the cursor of the next page; null on the last page.',
  }),
);

/** `{data, total, limit, offset}` around a page of a list. */
export const Page = <Resource extends TSchema>(resource: Resource, description: string) =>
  Type.Object({
    data: Type.Array(resource, { description }),
    total: Type.Integer({ description: 'Total number of results.' }),
    limit: Type.Integer({ description: 'Most results per page.' }),
    offset: Type.Integer({ description: 'Results before this page.' }),
    nextCursor: NextCursor,
    warnings: Warnings,
  });

const ErrorDetails = Type.Array(ParameterProblem, {
  description: 'Only with status 400: each invalid parameter.',
});

/** The body of every error of `/v1`. */
const errorBody = ($id: string, codes: readonly string[]) =>
  Type.Object(
    {
      error: Type.Object(
        {
          code: Type.String({
            description: 'Error code, for programs.',
            enum: [...codes, 'unauthorized'],
          }),
          message: Type.String({ description: 'Explanation, for people.' }),
          status: Type.Optional(
            Type.Integer({
              description: 'HTTP status; absent if the code is `unauthorized`.',
            }),
          ),
          details: Type.Optional(ErrorDetails),
        },
        { title: 'ApiError', description: 'The error.' },
      ),
    },
    { $id, title: $id, description: 'The body of every error.' },
  );

/** The errors of `/v1`, and of the calls of operators. */
export const ErrorBody = errorBody('ErrorAnswer', Object.keys(API_ERRORS));
export const OperatorErrorBody = errorBody('OperatorErrorAnswer', Object.keys(ERRORS));
