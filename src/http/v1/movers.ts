import { Type } from 'typebox';
import type { Catalog } from '../../catalog/catalog.ts';
import { type Day, dayOf } from '../../domain/day.ts';
import { GAMES, type GameSlug } from '../../domain/games.ts';
import type { LocalPrices } from '../../domain/local-prices.ts';
import { type Cents, centsFromDollars, MAX_CENTS } from '../../domain/money.ts';
import {
  CHANGE_DOUBTS,
  CHANGE_WINDOW_NAMES,
  type ChangeDoubt,
  type ChangeWindow,
} from '../../domain/price-changes.ts';
import {
  ConfidenceParameter,
  CurrencyParameter,
  CursorParameter,
  confidenceFilterOf,
  Defaulted,
  GameParameter,
  Limit,
  localPricesOf,
  Offset,
  slugOf,
} from '../parameters.ts';
import { CardSummary, INCLUDES, Page } from '../schemas.ts';
import { MOVER_TABLE } from '../tables.ts';
import { defineEndpoint } from './endpoint.ts';
import { leftOutItem, moverItem } from './mover-view.ts';
import { pageOf } from './page-cursor.ts';
import { MAX_QUERY } from './search.ts';
import { dateOf } from './views.ts';

/** Below this price in US dollars, a few cents are many percent. */
const LEAST_PRICE = 100 as Cents;

const choice = <const Name extends string>(
  description: string,
  names: readonly Name[],
  initial: Name,
) => Defaulted(Type.Unsafe<Name>({ type: 'string', description, enum: names, default: initial }));

const Query = Type.Object({
  game: GameParameter,
  kind: choice('Moves of cards, or of sealed products.', ['card', 'product'], 'card'),
  set: Type.Optional(
    Type.String({
      description: 'Only this set, by `setId`, or by a code or name that sets may share.',
      minLength: 1,
      maxLength: MAX_QUERY,
    }),
  ),
  window: choice<ChangeWindow>('The period of the change.', CHANGE_WINDOW_NAMES, '7d'),
  direction: choice('Only prices that rose, or that fell.', ['up', 'down', 'both'], 'both'),
  sort: choice(
    'Largest first, by `percent` or `amount`; by `relevance`, which weighs both, games take turns.',
    ['relevance', 'percent', 'amount'],
    'relevance',
  ),
  min: Type.Optional(
    Type.Number({
      description:
        'The lowest price before and after the change, in `currency`; 1 US dollar by default.',
      minimum: 0,
      maximum: 1_000_000,
    }),
  ),
  min_confidence: ConfidenceParameter,
  currency: CurrencyParameter,
  limit: Limit(20, 100),
  offset: Offset,
  cursor: CursorParameter,
});

const Dollars = (description: string) =>
  Type.Unsafe<number | null>({
    type: ['number', 'null'],
    description:
      `${description}, in US dollars or converted into \`currency\`; null only if no exchange ` +
      'rate is known.',
  });

const Mover = Type.Object(
  {
    ...Type.Omit(CardSummary, INCLUDES).properties,
    printing: Type.String({
      description: 'The printing that moved, which `prices` describe.',
      examples: ['Holofoil'],
    }),
    from: Dollars('The market price before'),
    to: Dollars('The market price now'),
    amount: Dollars('`to` minus `from`'),
    percent: Type.Number({ description: '`amount` in percent of `from`, to a tenth.' }),
    reason: Type.Optional(
      Type.Unsafe<ChangeDoubt>({
        type: 'string',
        description: 'Only in `leftOut`: why the move is in doubt, for programs.',
        enum: Object.keys(CHANGE_DOUBTS),
      }),
    ),
    detail: Type.Optional(Type.String({ description: 'Only in `leftOut`: why, in a sentence.' })),
  },
  { $id: 'Mover', title: 'Mover', description: 'A printing whose market price has moved.' },
);

const Results = Type.Object({
  ...Page(Mover, 'The movers on this page, largest first.').properties,
  leftOut: Type.Array(Mover, {
    description:
      'The largest moves in doubt, at most `limit`, each with a reason. Only on the first page.',
  }),
  window: Type.String({ description: 'The requested window.', examples: ['7d'] }),
  asOf: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description:
      'The newest day (UTC) with a price of the game, or of any game: `YYYY-MM-DD`; null ' +
      'without prices.',
    examples: ['2026-01-28'],
  }),
});

export const movers = defineEndpoint({
  method: 'GET',
  path: '/v1/movers',
  table: MOVER_TABLE,
  errors: [],
  schema: {
    operationId: 'listMovers',
    summary: 'List the printings whose market prices have moved most',
    description:
      'Between two observations of one marketplace, by 5 percent and $0.50 or more. Moves that ' +
      'look like mistakes are in `leftOut`.',
    querystring: Query,
    response: { 200: Results },
  },
  isCacheable: () => true,
  async answer({ catalog, clock }, request) {
    const { query } = request;
    const { game, kind, set, window, direction, sort, min, limit } = query;
    const slug = slugOf(game);
    const today = dayOf(clock());
    const local = localPricesOf(query, catalog, today);
    const least = min === undefined ? LEAST_PRICE : leastOf(min, local);
    const confidence = confidenceFilterOf(query, today);
    const filter = { window, direction, sort, set, game: slug, least, confidence };
    const movers = kind === 'product' ? catalog.products.movers : catalog.movers;
    const { movers: found, leftOut } = await movers.list(filter);
    const asOf = newestDay(catalog, slug);
    const { page, place } = pageOf('movers', request, found, ({ printing }) => printing.rowId);
    return {
      data: page.map((mover) => moverItem(mover, today, local)),
      leftOut: leftOut
        .slice(0, place.offset === 0 ? limit : 0)
        .map((one) => leftOutItem(one, today, local)),
      ...place,
      window,
      asOf: asOf === null ? null : dateOf(asOf),
    };
  },
});

/** Returns a lowest price in dollars, in which moves are compared; the default without a rate. */
function leastOf(min: number, local: LocalPrices | undefined): Cents {
  const amount = centsFromDollars(min) ?? MAX_CENTS;
  return local ? (local.inDollars(amount) ?? LEAST_PRICE) : amount;
}

function newestDay(catalog: Catalog, game: GameSlug | undefined): Day | null {
  if (game !== undefined) return catalog.asOf(game);
  const days = GAMES.flatMap(({ slug }) => catalog.asOf(slug) ?? []);
  return days.length === 0 ? null : (Math.max(...days) as Day);
}
