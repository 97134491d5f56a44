import { type Amounts, type ChartDays, dateAt, type ObservedDay } from './days.ts';

/** What a chart can show besides the prices of its printing. */
export interface Comparison {
  /** Unique among the comparisons of a card. */
  readonly id: string;
  readonly label: string;
  /** What it is worth now, in dollars; null when unknown. */
  readonly amount: number | null;
  /** The name of the printing whose history it is; undefined for a grade, of which none is kept. */
  readonly printing?: string;
  /** The CSS variable of its colour. */
  readonly color: string;
}

/** A line that is compared with the market price. */
export interface ComparedLine extends Comparison {
  readonly amounts: Amounts;
}

/** Everything that a chart draws. */
export interface Chart {
  readonly days: ChartDays;
  /** Whether the highest listings are drawn, which stretch the scale. */
  readonly isHighShown: boolean;
  readonly compared: readonly ComparedLine[];
}

/** The colours of comparisons; more comparisons begin anew. */
const COLORS = ['--series-1', '--series-2', '--series-3', '--series-4', '--series-5'];

interface ComparableCard {
  readonly printings: readonly {
    readonly name: string;
    readonly prices: { readonly market: number | null };
  }[];
}

interface PricedGrade {
  readonly label: string;
  readonly amount: number;
}

/** Returns what the history of a printing can be compared with: other printings, and its grades. */
export function listComparisons(
  { printings }: ComparableCard,
  shown: string | null,
  grades: readonly PricedGrade[],
): Comparison[] {
  const others = printings.filter(({ name }) => name !== shown);
  const comparisons = [
    ...others.map(({ name, prices }) => {
      return { id: `printing ${name}`, label: name, amount: prices.market, printing: name };
    }),
    ...grades.map(({ label, amount }) => ({ id: `grade ${label}`, label, amount })),
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

/** Returns the same amount on every day of a chart. */
export function levelAt(days: ChartDays, amount: number): Amounts {
  return days.seconds.map(() => amount);
}
