import type { ExplanationBody, HistoryBody, PrintingBody } from '../../api/responses.ts';
import { formatMoney } from '../../ui/format.ts';
import { isCopy, type PriceName } from '../price-names.ts';
import { type ChartDays, dateAt } from './days.ts';

/** An event of a price that a line cannot show. */
export interface PriceEvent {
  readonly kind: keyof typeof EVENT_LABELS;
  /** `YYYY-MM-DD`, UTC. */
  readonly date: string;
  /** A sentence or two. */
  readonly text: string;
}

export const EVENT_LABELS = {
  source: 'Source changed',
  disputed: 'Disputed',
  quarantined: 'Quarantined',
} as const;

type Origin = Pick<HistoryBody['history'][number], 'date' | 'source' | 'marketplace'>;

/** Returns the days on which the source of the prices changed. */
export function findSourceChanges(history: readonly Origin[]): PriceEvent[] {
  const known = history.filter(({ source }) => source !== null);
  return known.flatMap(({ date, source, marketplace }, index) => {
    const before = known[index - 1];
    if (!before || (before.source === source && before.marketplace === marketplace)) return [];
    const text =
      before.marketplace === marketplace
        ? `${marketplace} prices now come from ${source} instead of ${before.source}.`
        : `The marketplace changed from ${before.marketplace} to ${marketplace}.`;
    return [{ kind: 'source', date, text }];
  });
}

/** Returns the beginning of the dispute about a market price, if there is one. */
export function findDispute({ disputed, currency }: PrintingBody['prices']): PriceEvent[] {
  if (!disputed) return [];
  const { since, reported, reason } = disputed;
  const text = `A source has reported ${formatMoney(reported, currency)} since this day. ${reason}`;
  return [{ kind: 'disputed', date: since, text }];
}

/** Returns the quarantined amounts of a price of a printing. */
export function findQuarantined(
  entries: ExplanationBody['quarantined'],
  printing: string | null,
  name: PriceName,
): PriceEvent[] {
  const figure = isCopy(name) ? name : 'market';
  return entries.flatMap((entry) => {
    const { source, marketplace, currency, amounts, decision } = entry;
    const amount = amounts.find((one) => one.name === figure);
    const isGone = amounts.length === 0 && !isCopy(name);
    if ((entry.printing !== null && entry.printing !== printing) || !(amount || isGone)) return [];
    const date = (entry.observedAt ?? entry.quarantinedAt).slice(0, 10);
    const reported = amount ? formatMoney(amount.value, currency) : 'that the price is gone';
    const text = `${marketplace ?? source} reported ${reported}. ${outcomeOf(decision)}`;
    return [{ kind: 'quarantined', date, text }];
  });
}

function outcomeOf(decision: string | null): string {
  if (decision === 'rejected') return 'The operator rejected this report.';
  return decision === null ? 'This report is not accepted yet.' : 'Nothing has confirmed it since.';
}

/** An event in a chart. */
export interface ChartEvent extends PriceEvent {
  /** The index of the day. */
  readonly index: number;
}

/**
 * Returns the rows of marks at these ascending positions. A mark that would cover the previous one
 * is placed a row above it.
 */
export function stackMarks(places: readonly number[], width: number): number[] {
  const rows: number[] = [];
  for (const [index, place] of places.entries()) {
    const isFree = place - (places[index - 1] ?? -width) >= width;
    rows.push(isFree ? 0 : (rows[index - 1] ?? 0) + 1);
  }
  return rows;
}

/** Returns the events within the days of a chart, oldest first. Later ones are on the last day. */
export function placeEvents(days: ChartDays, events: readonly PriceEvent[]): ChartEvent[] {
  const last = days.seconds.length - 1;
  const first = dateAt(days, 0);
  return events
    .filter(({ date }) => date >= first)
    .sort((a, b) => a.date.localeCompare(b.date))
    .map((event) => {
      const index = days.seconds.findLastIndex((_, at) => dateAt(days, at) <= event.date);
      return { ...event, index: Math.min(index, last) };
    });
}
