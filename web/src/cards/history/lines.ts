import { formatDay, formatMoney } from '../../ui/format.ts';
import { type PriceName, viewOfPrice } from '../price-names.ts';
import { type Amounts, type ChartDays, dateAt, type ObservedDay } from './days.ts';
import { type ChartEvent, EVENT_LABELS } from './events.ts';

/** Prices that a chart can show in addition to its printing's prices. */
export interface Comparison {
  /** Unique among the comparisons of a card. */
  readonly id: string;
  readonly label: string;
  /** The current price; null if unknown. */
  readonly amount: number | null;
  /** US dollars by default. */
  readonly currency?: string | undefined;
  /** The printing whose history is compared. */
  readonly printing?: string | undefined;
  /** The grade or condition of that printing, if it is not its market price. */
  readonly grade?: string | undefined;
  readonly condition?: string | undefined;
  /** The CSS variable of the line's color. */
  readonly color: string;
}

/** A line that is compared with the market price. */
export interface ComparedLine extends Comparison {
  readonly amounts: Amounts;
}

/** The condition or grade shown in a chart. */
export interface ChartCopy {
  readonly label: string;
  /** Its prices, each valid until the next one. */
  readonly held: Amounts;
}

/** Everything that a chart draws. */
export interface Chart {
  readonly days: ChartDays;
  /** Undefined for a chart of the market price. */
  readonly copy?: ChartCopy | undefined;
  readonly events: readonly ChartEvent[];
  /** Whether to draw the highest listings, which stretch the scale. */
  readonly isHighShown: boolean;
  readonly compared: readonly ComparedLine[];
  /** US dollars by default; null for the value of an index. */
  readonly currency?: string | null | undefined;
}

/** The colors of comparisons, which repeat after the last one. */
const COLORS = ['--series-1', '--series-2', '--series-3', '--series-4', '--series-5'];

interface ComparableCard {
  readonly printings: readonly {
    readonly name: string;
    readonly prices: { readonly market: number | null; readonly currency?: string };
  }[];
}

interface ComparablePrice {
  readonly name: PriceName;
  readonly label: string;
  readonly amount: number;
}

/**
 * Returns the other printings, and the other prices of the shown one, that a history can be
 * compared with. `currency` is the currency of these prices.
 */
export function listComparisons(
  { printings }: ComparableCard,
  shown: string | null,
  prices: readonly ComparablePrice[],
  currency?: string,
): Comparison[] {
  const others = printings.filter(({ name }) => name !== shown);
  const comparisons = [
    ...others.map(({ name, prices }) => {
      const { market: amount, currency } = prices;
      return { id: `printing ${name}`, label: name, amount, currency, printing: name };
    }),
    ...prices.map(({ name, label, amount }) => {
      const { grade, condition } = viewOfPrice(name);
      const printing = shown ?? undefined;
      return { id: name, label, amount, currency, printing, grade, condition };
    }),
  ];
  return comparisons.map((comparison, index) => {
    return { ...comparison, color: COLORS[index % COLORS.length] ?? '' };
  });
}

/** Returns the market prices of a history on the days of a chart. */
export function alignMarket(days: ChartDays, history: readonly ObservedDay[]): Amounts {
  const byDate = new Map(history.map(({ date, market }) => [date, market]));
  return days.seconds.map((_, index) => byDate.get(dateAt(days, index)) ?? null);
}

/**
 * Returns the prices of a grade or condition on the days of a chart. Price guides appear monthly or
 * less often, so a price is valid until the next one.
 */
export function holdMarket(days: ChartDays, history: readonly ObservedDay[]): Amounts {
  let next = 0;
  let held: number | null = null;
  return days.seconds.map((_, index) => {
    const date = dateAt(days, index);
    for (let day = history[next]; day && day.date <= date; day = history[next]) {
      held = day.market ?? held;
      next += 1;
    }
    return held;
  });
}

/**
 * The chart ends at this multiple of the highest market price: a higher listing would flatten it.
 */
const MAX_MARKET_MULTIPLE = 3;

export interface AmountRange {
  readonly from: number;
  readonly to: number;
  /** Whether some of the highest listings are above the range. */
  readonly isTruncated: boolean;
}

/**
 * Returns the range of amounts of a chart, with a margin above and below. The highest
 * listings count only if the chart draws them.
 */
export function computeAmountRange({ days, isHighShown, compared }: Chart): AmountRange {
  const { market, low, high } = days;
  const lines = [market, low, ...compared.map(({ amounts }) => amounts)];
  const maxLine = Math.max(...lines.map(findMax));
  const drawn = isHighShown ? [...lines, high] : lines;
  const highest = Math.max(...drawn.map(findMax));
  const maxMarket = findMax(market);
  const limit = maxMarket > 0 ? Math.max(maxMarket * MAX_MARKET_MULTIPLE, maxLine) : highest;
  const top = Math.min(highest, limit);
  const bottom = Math.min(...drawn.map(findMin), top);
  const margin = Math.max((top - bottom) * 0.08, (top || 1) * 0.03);
  return { from: Math.max(0, bottom - margin), to: top + margin, isTruncated: highest > limit };
}

function findMax(amounts: Amounts): number {
  return amounts.reduce<number>((max, amount) => Math.max(max, amount ?? 0), 0);
}

function findMin(amounts: Amounts): number {
  return amounts.reduce<number>((min, amount) => Math.min(min, amount ?? min), Infinity);
}

/** Formats an amount of a chart. */
function formatAmount(amount: number, currency: Chart['currency']): string {
  return currency === null ? amount.toFixed(2) : formatMoney(amount, currency);
}

/** A day of the chart as text. */
export interface DayDescription {
  readonly day: string;
  readonly amounts: string;
}

/** Describes a day by its date, the known prices of all lines, and its events. */
export function describeDay(chart: Chart, index: number): DayDescription {
  const { days, copy, events, isHighShown, compared, currency } = chart;
  const { market, low, high, observed } = days;
  const lines = [
    {
      label: copy?.label ?? (currency === null ? 'index' : 'market'),
      amounts: copy?.held ?? market,
    },
    { label: 'low', amounts: low },
    ...(isHighShown ? [{ label: 'high', amounts: high }] : []),
    ...compared,
  ];
  const known = lines.flatMap(({ label, amounts }) => {
    const amount = amounts[index] ?? null;
    return amount === null ? [] : [`${label} ${formatAmount(amount, currency)}`];
  });
  const happened = events.filter((event) => event.index === index);
  const parts = [
    ...(observed[index] ? known : ['nothing observed', ...known]),
    ...new Set(happened.map(({ kind }) => EVENT_LABELS[kind].toLowerCase())),
  ];
  return { day: formatDay(dateAt(days, index)), amounts: parts.join(', ') };
}
