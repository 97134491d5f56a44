import { Type } from 'typebox';
import { type Card, defaultPrinting, type Printing } from '../../domain/card.ts';
import type { CopyName } from '../../domain/copy.ts';
import type { WantedCurrency } from '../../domain/currencies.ts';
import { type Day, dayOf, PERIODS, type Period } from '../../domain/day.ts';
import { isGrade } from '../../domain/grades.ts';
import type { HistoryDay } from '../../domain/price.ts';
import { statisticsOf } from '../../history/statistics.ts';
import { invalidParameter } from '../errors.ts';
import { CurrencyParameter, Defaulted, IdParameter, localPricesOf } from '../parameters.ts';
import { CardStatistics, DaysHistory, One, PeriodHistory } from '../schemas.ts';
import { HISTORY_TABLE } from '../tables.ts';
import { shown } from '../validation.ts';
import { askedPast, newestDay, type Past, PastParameters } from './as-of.ts';
import { requireCard } from './card.ts';
import { askedCopy, CopyParameters } from './copy-parameters.ts';
import { defineEndpoint, type PlanHistory, type Resources } from './endpoint.ts';
import { historyItems, localDays, statisticsView } from './history-view.ts';
import { dateOf } from './views.ts';

const PrintingParameter = Type.Optional(
  Type.String({
    description: "Name of one of the card's printings; by default the card's default printing.",
    minLength: 1,
    maxLength: 100,
    examples: ['Reverse Holofoil'],
  }),
);

export const PeriodParameter = Defaulted(
  Type.Unsafe<Period>({
    type: 'string',
    description: 'How far back from the newest day with prices of the game.',
    enum: Object.keys(PERIODS),
    default: '30d',
  }),
);

export const PeriodQuery = Type.Object({
  period: PeriodParameter,
  printing: PrintingParameter,
  ...PastParameters,
  currency: CurrencyParameter,
  ...CopyParameters,
});

const PrintingQuery = Type.Object({
  printing: PrintingParameter,
  ...PastParameters,
  currency: CurrencyParameter,
  ...CopyParameters,
});

const DaysQuery = Type.Object({
  days: Defaulted(
    Type.Integer({
      description: 'Number of days back from the newest day with prices of the game.',
      minimum: 1,
      maximum: 90,
      default: 30,
    }),
  ),
  printing: PrintingParameter,
  ...PastParameters,
  currency: CurrencyParameter,
  ...CopyParameters,
});

export const historyOfPeriod = defineEndpoint({
  method: 'GET',
  path: '/v1/cards/:id/history',
  table: HISTORY_TABLE,
  feature: 'history',
  errors: ['CARD_NOT_FOUND'],
  schema: {
    operationId: 'getHistoryOfPeriod',
    summary: "Get a card's price history over a period",
    description:
      'The observed days of a window that ends with the newest day of the game. Days without an ' +
      'observation are left out. Requires the Trader plan or above.',
    params: IdParameter,
    querystring: PeriodQuery,
    response: { 200: One(PeriodHistory) },
  },
  isCacheable: () => true,
  historyDays: daysOfPeriod,
  async answer(resources, { params, query }, history) {
    const { period } = query;
    const asked = { ...query, days: PERIODS[period] };
    const read = await readHistory(resources, history, asked, () => subject(resources, params.id));
    return { data: { cardId: params.id, period, ...read } };
  },
});

export const historyOfDays = defineEndpoint({
  method: 'GET',
  path: '/v1/cards/:id/prices',
  table: HISTORY_TABLE,
  feature: 'history',
  errors: ['CARD_NOT_FOUND'],
  schema: {
    operationId: 'getHistoryOfDays',
    summary: "Get a card's price history of the last days",
    description:
      'The same items as the history over a period, for a number of days. Requires the Trader ' +
      'plan or above.',
    params: IdParameter,
    querystring: DaysQuery,
    response: { 200: One(DaysHistory) },
  },
  isCacheable: () => true,
  historyDays: (query) => Number((query as { days?: unknown }).days ?? 30) || 0,
  async answer(resources, { params, query }, history) {
    const { days } = query;
    const read = await readHistory(resources, history, query, () => subject(resources, params.id));
    return { data: { cardId: params.id, days, ...read } };
  },
});

export const cardStatistics = defineEndpoint({
  method: 'GET',
  path: '/v1/cards/:id/statistics',
  feature: 'history',
  errors: ['CARD_NOT_FOUND'],
  schema: {
    operationId: 'getStatistics',
    summary: "Get statistics of a card's price over periods",
    description:
      'The lowest and highest market price of each period with their days, mean, standard ' +
      'deviation and slope. Requires the Trader plan or above.',
    params: IdParameter,
    querystring: PrintingQuery,
    response: { 200: One(CardStatistics) },
  },
  isCacheable: () => true,
  async answer(resources, { params, query }, history) {
    const find = () => subject(resources, params.id);
    const longest = (age: number) => history.longest(0, age);
    const read = await readDays(resources, history, { ...query, days: longest }, find);
    const statistics = statisticsOf(read.days, read.newest, read.included);
    return { data: { cardId: params.id, ...read.shown, statistics: statisticsView(statistics) } };
  },
});

/** Returns the days that a query for a period asks for; 0 for an unknown period. */
export function daysOfPeriod(query: unknown): number {
  const { period = '30d' } = query as { period?: string };
  const days = Object.entries(PERIODS).find(([name]) => name === period);
  return days ? (days[1] ?? Number.POSITIVE_INFINITY) : 0;
}

/** A request for history. */
interface Asked {
  readonly printing?: string | undefined;
  readonly grade?: string | undefined;
  readonly condition?: string | undefined;
  /**
   * Null for all days; or a function of how many days before the newest day of the game the window
   * ends.
   */
  readonly days: number | null | ((age: number) => number | null);
  readonly asOf?: string;
  readonly knownAt?: string;
  readonly currency?: WantedCurrency;
}

/** A card or product, and the newest day with figures of its game. */
interface Subject {
  readonly card: Card;
  readonly known: Day | null;
}

/** @throws ApiError CARD_NOT_FOUND */
function subject({ catalog }: Resources, id: string): Subject {
  const card = requireCard(catalog, id);
  return { card, known: catalog.asOf(card.set.game) };
}

/**
 * Reads the last days of a printing, up to the requested day or the newest day of its game, in the
 * form of an answer.
 */
export async function readHistory(
  resources: Resources,
  history: PlanHistory,
  asked: Asked,
  find: () => Subject,
) {
  const { shown, days } = await readDays(resources, history, asked, find);
  return { ...shown, history: historyItems(days) };
}

/**
 * Reads the last days of a printing in the requested currency, with the fields that an answer
 * shows.
 */
async function readDays(
  resources: Resources,
  history: PlanHistory,
  asked: Asked,
  find: () => Subject,
) {
  const { catalog, clock } = resources;
  const copy = askedCopy(asked);
  const past = await askedPast(resources, history, asked);
  const { card, known } = find();
  const printing = choosePrinting(card, asked.printing);
  const newest = await newestDay(resources, past, card.set.game, known);
  const end = past.asOf ?? newest;
  const included = typeof asked.days === 'function' ? asked.days(ageOf(end, known)) : asked.days;
  const window = { days: included, copy, known, newest, past };
  const read = printing && (await daysOf(history, printing, window));
  const { days = [], asOf = end } = read ?? {};
  const today = past.day ?? dayOf(clock());
  const local = printing && localPricesOf(asked, catalog, today);
  const currency = printing && local?.currencyOf(printing);
  const shown = {
    printing: printing?.name ?? null,
    ...(copy !== undefined && (isGrade(copy) ? { grade: copy } : { condition: copy })),
    asOf: asOf === null ? null : dateOf(asOf),
    ...(currency && { currency }),
  };
  const inCurrency = local && currency ? localDays(days, currency, local) : days;
  return { shown, days: inCurrency, newest: asOf ?? today, included };
}

/** Returns how many days before the newest day of its game a window ends. */
function ageOf(end: Day | null, known: Day | null): number {
  return end === null || known === null ? 0 : Math.max(0, known - end);
}

interface AskedDays {
  readonly days: number | null;
  readonly copy: CopyName | undefined;
  /** The newest day with figures of the game, now and in the publication that is read. */
  readonly known: Day | null;
  readonly newest: Day | null;
  readonly past: Past;
}

async function daysOf(
  history: PlanHistory,
  { rowId: printing }: Printing,
  { days, copy, known, newest, past: { asOf } }: AskedDays,
): Promise<{ readonly days: readonly HistoryDay[]; readonly asOf: Day } | undefined> {
  if (copy !== undefined) {
    return history.lastOfCopy(days, known, { printing, copy, asOf, known: newest });
  }
  const end = asOf ?? newest;
  if (known === null || end === null) return undefined;
  return { days: await history.last(days, known, printing, end), asOf: end };
}

function choosePrinting(card: Card, name: string | undefined): Printing | undefined {
  if (name === undefined) return defaultPrinting(card);
  const wanted = name.toLowerCase();
  const found = card.printings.find((printing) => printing.name.toLowerCase() === wanted);
  if (found) return found;
  const names = card.printings.map((printing) => printing.name).join(', ') || 'none';
  const message = `"${shown(name)}" is not a printing of this card; its printings: ${names}.`;
  throw invalidParameter('printing', message);
}
