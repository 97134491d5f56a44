import { type Static, type TSchema, Type } from 'typebox';
import type { Currency } from '../../domain/currencies.ts';
import { PERIODS, type Period, parseDay } from '../../domain/day.ts';
import { centsFromDollars, dollarsFromCents } from '../../domain/money.ts';
import { CONDITIONS, type Condition } from '../../domain/price.ts';
import { CHANGE_WINDOW_NAMES, type ChangeWindow } from '../../domain/price-changes.ts';
import { type MarketDay, type Statistics, statisticsOf } from '../../history/statistics.ts';
import type { ExplainedCard } from '../explain-schemas.ts';
import type { CardSummary, PeriodHistory, SetItem } from '../schemas.ts';
import { dateOf } from '../v1/views.ts';
import { amount, currencyIn, dayIn, fitted, lines, percent, provenance } from './answer.ts';
import type { Api } from './api.ts';
import { cardUrl, listedCard } from './cards.ts';
import {
  Arguments,
  CardIdArgument,
  Choice,
  CurrencyArgument,
  CurrencyText,
  defineTool,
  GameArgument,
  LimitArgument,
  Nullable,
  OffsetArgument,
  ShortText,
  Sources,
  Url,
} from './tool.ts';

/** The tools for price histories, the origin of prices, and sets. */

const CopyArguments = {
  printing: Type.Optional(ShortText('A printing of the card; by default the one of its price.')),
  condition: Type.Optional(Choice<Condition>('The prices of this condition.', CONDITIONS)),
  grade: Type.Optional(ShortText('The prices of this grade instead, such as `psa_10`.')),
  currency: CurrencyArgument,
};

const PricePoint = Type.Object({
  date: Type.String({ description: 'Day (UTC), `YYYY-MM-DD`.' }),
  price: Type.Number(),
});

const HistoryFacts = {
  id: Type.String(),
  printing: Nullable.text('The printing of the prices.'),
  copy: Nullable.text('The grade or condition of the prices; null for the market price.'),
  currency: CurrencyText,
  asOf: Nullable.text('The newest day (UTC) with prices of the game, `YYYY-MM-DD`.'),
  sources: Sources,
  url: Url,
};

type History = Static<typeof PeriodHistory>;

interface CopyInput {
  readonly id: string;
  readonly printing?: string;
  readonly condition?: Condition;
  readonly grade?: string;
  readonly currency?: string;
}

/** Reads a history, with the facts that both tools state and the days that have a price. */
async function readHistory(api: Api, period: Period, { id, ...query }: CopyInput) {
  const path = `/v1/cards/${encodeURIComponent(id)}/history`;
  const { data } = await api.get<{ readonly data: History }>(path, { period, ...query });
  const points = data.history.flatMap(({ date, market }) => {
    return market === null ? [] : [{ date, price: market }];
  });
  const facts = {
    id,
    printing: data.printing,
    copy: data.grade ?? data.condition ?? null,
    currency: currencyIn(data.currency),
    asOf: data.asOf,
    sources: [...new Set(data.history.flatMap(({ marketplace }) => marketplace ?? []))],
    url: cardUrl(api, id),
  };
  return { facts, points };
}

/** `Holofoil, psa_10, as of 2026-01-28, from tcgplayer`. */
function subjectOf(
  facts: Pick<Static<typeof HistoryShape>, 'printing' | 'copy' | 'asOf' | 'sources'>,
) {
  const { printing, copy, asOf, sources } = facts;
  return `${[printing, copy].filter(Boolean).join(', ')}${provenance(asOf, sources)}`;
}

const HistoryShape = Type.Object(HistoryFacts);

export const history = defineTool({
  name: 'history',
  title: 'Get the price history of a card',
  description:
    'Get the market prices of a card by day, oldest first. Long histories are thinned evenly. ' +
    'Use `statistics` for the lowest, highest and mean price.',
  input: Arguments({
    id: CardIdArgument,
    period: Type.Optional(
      Choice('How far back, `30d` by default.', Object.keys(PERIODS) as Period[]),
    ),
    ...CopyArguments,
  }),
  output: Type.Object({
    ...HistoryFacts,
    period: Type.String(),
    days: Type.Integer({ description: 'How many days have a price, listed or not.' }),
    prices: Type.Array(PricePoint, { description: 'Oldest first.' }),
  }),
  async run(api, { period = '30d', ...asked }) {
    const { facts, points } = await readHistory(api, period, asked);
    const { currency } = facts;
    // The items of an answer only count its points.
    return fitted(points, ({ length }) => {
      const prices = thinned(points, length);
      const [first, last] = [points[0], points.at(-1)];
      const text = lines(
        `Prices of ${facts.id}, ${subjectOf(facts)}.`,
        first && last
          ? `${amount(first.price, currency)} on ${first.date}, ${amount(last.price, currency)} on ${last.date}.`
          : 'No day of this period has a price.',
        prices.length < points.length && `${prices.length} of ${points.length} days are shown.`,
        facts.url,
      );
      return { data: { ...facts, period, days: points.length, prices }, text };
    });
  },
});

/** Returns `count` of the items, evenly spread, with the first and the last. */
function thinned<Item>(items: readonly Item[], count: number): Item[] {
  if (count >= items.length) return [...items];
  const step = (items.length - 1) / Math.max(1, count - 1);
  return Array.from({ length: count }, (_, place) => {
    return items[Math.round(place * step)] as Item;
  });
}

const STATISTIC_PERIODS = [
  '7d',
  '30d',
  '90d',
  '1y',
] as const satisfies readonly (keyof Statistics)[];

const Summary = Type.Object({
  lowest: PricePoint,
  highest: PricePoint,
  mean: Type.Number(),
  days: Type.Integer({ description: 'How many days have a price.' }),
});

export const statistics = defineTool({
  name: 'statistics',
  title: 'Summarise the price history of a card',
  description:
    'Get the lowest, highest and mean market price of a card over 7, 30, 90 and 365 days, with ' +
    'the days of the lowest and the highest price. A plan may include only shorter periods.',
  input: Arguments({
    id: CardIdArgument,
    period: Type.Optional(
      Choice('The longest of the periods, `1y` by default.', STATISTIC_PERIODS),
    ),
    ...CopyArguments,
  }),
  output: Type.Object({
    ...HistoryFacts,
    periods: Type.Object(
      {
        '7d': Type.Optional(Summary),
        '30d': Type.Optional(Summary),
        '90d': Type.Optional(Summary),
        '1y': Type.Optional(Summary),
      } satisfies Record<(typeof STATISTIC_PERIODS)[number], TSchema>,
      { description: 'By period; a period without a price is missing.' },
    ),
  }),
  async run(api, { period: longest = '1y', ...asked }) {
    const { facts, points } = await readHistory(api, longest, asked);
    const newest = parseDay(facts.asOf ?? '');
    const days = points.flatMap(({ date, price }) => {
      const [day, market] = [parseDay(date), centsFromDollars(price)];
      return day === undefined || market === undefined ? [] : [{ day, market }];
    });
    const found = newest === undefined ? undefined : statisticsOf(days, newest, PERIODS[longest]);
    const periods = Object.fromEntries(
      STATISTIC_PERIODS.flatMap((period) => {
        const one = found?.[period];
        if (!one) return [];
        const { lowest, highest, mean, days } = one;
        const summary = { lowest: pointOf(lowest), highest: pointOf(highest) };
        return [[period, { ...summary, mean: dollarsFromCents(mean), days }] as const];
      }),
    );
    const text = lines(
      `Prices of ${facts.id}, ${subjectOf(facts)}.`,
      ...Object.entries(periods).map(([period, one]) => {
        return summaryLine(period, one, facts.currency);
      }),
      Object.keys(periods).length === 0 && 'No day of this period has a price.',
      facts.url,
    );
    return { data: { ...facts, periods }, text };
  },
});

function pointOf({ day, market }: MarketDay): Static<typeof PricePoint> {
  return { date: dateOf(day), price: dollarsFromCents(market) };
}

function summaryLine(
  period: string,
  { lowest, highest, mean, days }: Static<typeof Summary>,
  currency: Currency,
): string {
  const [low, high] = [amount(lowest.price, currency), amount(highest.price, currency)];
  return `${period}: ${low} (${lowest.date}) to ${high} (${highest.date}), mean ${amount(mean, currency)}, ${days} days.`;
}

const ExplainedNumber = Type.Object({
  name: Type.String({ description: 'The number: `market`, `conditions.near_mint`, …' }),
  value: Nullable.number('In US dollars; null if none is served.'),
  marketplace: Nullable.text('Where the price was formed.'),
  source: Nullable.text('Who published it.'),
  observedAt: Nullable.text('The day (UTC) of the observation.'),
  explanation: Type.String(),
});

type Explained = Static<typeof ExplainedCard>;
type Printing = Explained['printings'][number];

export const explain = defineTool({
  name: 'explain',
  title: 'Explain where prices come from',
  description:
    'Explain the prices of a card: who reports each number, when it was observed, which rule ' +
    'chose it, why others are missing, and which suspicious prices are held back.',
  input: Arguments({
    id: CardIdArgument,
    printing: Type.Optional(ShortText('A printing of the card; by default the one of its price.')),
  }),
  output: Type.Object({
    id: Type.String(),
    printing: Nullable.text('The printing of the numbers.'),
    numbers: Type.Array(ExplainedNumber),
    numberCount: Type.Integer({ description: 'How many numbers there are, listed or not.' }),
    missing: Type.Array(Type.String(), { description: 'Why other numbers are null.' }),
    quarantined: Type.Array(Type.String(), { description: 'Prices that are held back, and why.' }),
    url: Url,
  }),
  async run(api, { id, printing: wanted }) {
    const path = `/v1/cards/${encodeURIComponent(id)}/explain`;
    const { data } = await api.get<{ readonly data: Explained }>(path);
    const name = (wanted ?? data.printing)?.toLowerCase();
    const printing = data.printings.find((one) => one.name.toLowerCase() === name);
    const numbers = (printing?.numbers ?? []).map(explainedNumber);
    const held = data.quarantined.map(
      ({ explanation, settledBy }) => `${explanation} ${settledBy}`,
    );
    const rest = { missing: missingLines(printing), quarantined: held.slice(0, MAX_HELD) };
    return fitted(numbers, (shown) => {
      const url = cardUrl(api, id);
      const facts = { id, printing: printing?.name ?? null, numberCount: numbers.length };
      const hidden = numbers.length - shown.length;
      const text = lines(
        printing
          ? `Prices of ${id}, ${printing.name}, in US dollars.`
          : `${id} has no such printing with a price. It has ${namesOf(data)}.`,
        ...shown.map(numberLine),
        hidden > 0 && `${hidden} more numbers are not shown here.`,
        ...rest.quarantined.map((one) => `Held back: ${one}`),
        url,
      );
      return { data: { ...facts, numbers: [...shown], ...rest, url }, text };
    });
  },
});

/** The most quarantined prices in an answer. */
const MAX_HELD = 3;

function namesOf({ printings }: Explained): string {
  return printings.map(({ name }) => name).join(', ') || 'none';
}

function explainedNumber(number: Printing['numbers'][number]): Static<typeof ExplainedNumber> {
  const { name, value, marketplace, source, observedAt, explanation } = number;
  return { name, value, marketplace, source, observedAt: dayIn(observedAt), explanation };
}

function numberLine({ name, value, marketplace, observedAt }: Static<typeof ExplainedNumber>) {
  const from = marketplace === null ? [] : [marketplace];
  return `${name}: ${amount(value)}${provenance(observedAt, from)}.`;
}

/** One line for each reason, with the numbers that it applies to. */
function missingLines(printing: Printing | undefined): string[] {
  const byReason = Map.groupBy(printing?.missing ?? [], ({ explanation }) => explanation);
  return [...byReason].map(
    ([reason, all]) => `${all.map(({ name }) => name).join(', ')}: ${reason}`,
  );
}

const Mover = Type.Object({
  id: Type.String({ description: 'Card id, for the other tools.' }),
  name: Type.String(),
  set: Type.String(),
  number: Nullable.text('Collector number.'),
  printing: Nullable.text('The printing that moved.'),
  from: Nullable.number('Market price before.'),
  to: Nullable.number('Market price now.'),
  percent: Type.Number({ description: 'Change in percent.' }),
  confidence: Nullable.text('How sure the price is.'),
  url: Url,
});

interface Movers {
  readonly data: readonly (Static<typeof CardSummary> & {
    readonly from: number | null;
    readonly to: number | null;
    readonly percent: number;
  })[];
  readonly total: number;
  readonly asOf: string | null;
}

export const movers = defineTool({
  name: 'movers',
  title: 'List the largest price moves',
  description:
    'List the cards whose market prices rose or fell most within 1, 7 or 30 days. Each move ' +
    'compares two observations of one marketplace; doubtful moves are left out.',
  input: Arguments({
    game: GameArgument,
    set: Type.Optional(ShortText('Only this set, by setId, code or name.')),
    window: Type.Optional(
      Choice<ChangeWindow>('Period of the change, `7d` by default.', CHANGE_WINDOW_NAMES),
    ),
    direction: Type.Optional(
      Choice('Prices that rose, that fell, or by default both.', ['up', 'down', 'both']),
    ),
    min: Type.Optional(
      Type.Number({
        description: 'Lowest price before and after; 1 US dollar by default.',
        minimum: 0,
        maximum: 1_000_000,
        multipleOf: 0.01,
      }),
    ),
    currency: CurrencyArgument,
    limit: LimitArgument(20, 10),
    offset: OffsetArgument,
  }),
  output: Type.Object({
    movers: Type.Array(Mover, { description: 'Largest first.' }),
    total: Type.Integer(),
    window: Type.String(),
    currency: CurrencyText,
    asOf: Nullable.text('The newest day (UTC) with prices, `YYYY-MM-DD`.'),
    url: Url,
  }),
  async run(api, { window = '7d', limit = 10, offset = 0, ...filters }) {
    const asked = { window, limit, offset, ...filters };
    const { data, total, asOf } = await api.get<Movers>('/v1/movers', asked);
    const currency = currencyIn(data[0]?.prices.currency);
    const found = data.map((one) => moverOf(api, one));
    return fitted(found, (shown) => {
      const rest = total - offset - shown.length;
      const text = lines(
        `${total} prices moved within ${window}${provenance(asOf)}.`,
        ...shown.map((one, index) => `${offset + index + 1}. ${moverLine(one, currency)}`),
        rest > 0 && `${rest} more: repeat this with offset ${offset + shown.length}.`,
        '`explain` says which marketplace reports a price.',
      );
      const url = `${api.site}/movers${filters.game ? `/${filters.game}` : ''}`;
      return { data: { movers: [...shown], total, window, currency, asOf, url }, text };
    });
  },
});

function moverOf(api: Api, one: Movers['data'][number]): Static<typeof Mover> {
  const { id, name, set, number, printing, confidence, url } = listedCard(api, one);
  const { from, to, percent } = one;
  return { id, name, set, number, printing, from, to, percent, confidence, url };
}

function moverLine(mover: Static<typeof Mover>, currency: Currency): string {
  const { name, set, number, printing, from, to, percent: change, url } = mover;
  const title = `${name} (${[set, number, printing].filter(Boolean).join(', ')})`;
  return `${title}: ${amount(from, currency)} to ${amount(to, currency)}, ${percent(change)}. ${url}`;
}

const ListedSet = Type.Object({
  setId: Type.String({ description: 'Id of the set, for `search` and `movers`.' }),
  code: Type.String(),
  name: Type.String(),
  game: Type.String(),
  releaseDate: Nullable.text('`YYYY-MM-DD`.'),
  cardCount: Type.Integer(),
  value: Nullable.number('Cost of one copy of each card with a sure price, in US dollars.'),
  url: Url,
});

interface Sets {
  readonly data: readonly Static<typeof SetItem>[];
  readonly total: number;
}

export const sets = defineTool({
  name: 'sets',
  title: 'List card sets',
  description: 'List the sets of a game, or find sets by name or code, with their size and value.',
  input: Arguments({
    game: GameArgument,
    query: Type.Optional(ShortText('Part of the name or code of the set.')),
    sort: Type.Optional(
      Choice('Order, by default `newest` within each game.', ['newest', 'value', 'name']),
    ),
    limit: LimitArgument(20, 10),
    offset: OffsetArgument,
  }),
  output: Type.Object({
    sets: Type.Array(ListedSet),
    total: Type.Integer(),
    offset: Type.Integer({ description: 'Results before these.' }),
  }),
  async run(api, { query, limit = 10, offset = 0, ...filters }) {
    const asked = { q: query, limit, offset, ...filters };
    const { data, total } = await api.get<Sets>('/v1/sets', asked);
    const found = data.map((set) => listedSet(api, set));
    return fitted(found, (shown) => {
      const rest = total - offset - shown.length;
      const text = lines(
        `${total} ${total === 1 ? 'set' : 'sets'}. Values are the sums of the prices served now.`,
        ...shown.map((set, index) => `${offset + index + 1}. ${setLine(set)}`),
        rest > 0 && `${rest} more: repeat this with offset ${offset + shown.length}.`,
      );
      return { data: { sets: [...shown], total, offset }, text };
    });
  },
});

function listedSet({ site }: Api, set: Static<typeof SetItem>): Static<typeof ListedSet> {
  const { setId, code, name, game, releaseDate, cardCount, value } = set;
  const url = `${site}/sets/${game}/${encodeURIComponent(setId)}`;
  return { setId, code, name, game, releaseDate, cardCount, value, url };
}

function setLine({ name, code, releaseDate, cardCount, value, url }: Static<typeof ListedSet>) {
  const worth = value === null ? '' : `, ${amount(value)}`;
  return `${name} (${[code, releaseDate].filter(Boolean).join(', ')}): ${cardCount} cards${worth}. ${url}`;
}
