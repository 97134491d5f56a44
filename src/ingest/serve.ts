import { dayOf, type Millis } from '../domain/day.ts';
import type { Quote } from '../domain/quote.ts';
import type { Rates } from '../domain/rates.ts';
import type { PrintingDay } from '../store/history.ts';
import { recordedDays, servedDay, type ToldDays } from './days.ts';
import {
  type BookedPrinting,
  isSameOrigin,
  type NewQuote,
  type PrintingBook,
} from './printings.ts';
import type { Part, ToldQuote } from './quotes.ts';

/** How sound quotes become what is served, and what of them is remembered. */

/** A quote of a printing that may be served. */
export interface SoundQuote {
  readonly told: ToldQuote;
  /** What was told, without the days that are held back. */
  readonly quote: Quote;
  /** The name of the printing. */
  readonly printing: string;
}

/** A printing with what was taken in of it. */
export interface Touched {
  readonly printing: BookedPrinting;
  readonly told: ToldDays[];
}

/** Takes quotes in, in their order, and gives the printings that they are of. */
export function takeIn(
  book: PrintingBook,
  quotes: readonly SoundQuote[],
  fetchedAt: Millis,
): Iterable<Touched> {
  const touched = new Map<BookedPrinting, Touched>();
  for (const { told, quote, printing: name } of quotes) {
    const printing = book.printing(told.card.id, name);
    const { printing: _, past = [], ...rest } = quote;
    const whole = { ...rest, source: told.source, key: told.key, fetchedAt };
    const latest = completed(whole, told.untold, printing);
    const reception = isOnlyPast(told, latest, printing) ? 'older' : book.take(printing, latest);
    const own = { ...latest.prices, day: dayOf(quote.observedAt) };
    const days = reception === 'outdated' ? past : [...past, own];
    const all = touched.get(printing) ?? { printing, told: [] };
    all.told.push({ quote: latest, days });
    touched.set(printing, all);
  }
  return touched.values();
}

/** A quote with what its source told on the same day of what it does not tell now. */
function completed(
  quote: NewQuote,
  untold: readonly Part[] | undefined,
  { quotes }: BookedPrinting,
): NewQuote {
  if (!untold || untold.length === 0) return quote;
  const known = quotes.find((one) => isSameOrigin(one, quote));
  const isSameDay = known && dayOf(known.observedAt) === dayOf(quote.observedAt);
  if (!isSameDay || known.currency !== quote.currency) return quote;
  const prices = { ...quote.prices };
  for (const part of untold) {
    if (part !== 'conditions' && part !== 'graded') prices[part] = known.prices[part];
  }
  const conditions = untold.includes('conditions') ? known.conditions : quote.conditions;
  const graded = untold.includes('graded') ? known.graded : quote.graded;
  return { ...quote, prices, conditions, graded };
}

/** Whether a source had told something newer of others when it did not list this printing. */
function isOnlyPast(
  { presentFrom }: ToldQuote,
  quote: NewQuote,
  { quotes }: BookedPrinting,
): boolean {
  if (presentFrom === undefined || dayOf(quote.observedAt) >= presentFrom) return false;
  return !quotes.some((known) => isSameOrigin(known, quote));
}

/** Serves what printings come to, and gives the days that are for the history. */
export function serveAll(
  book: PrintingBook,
  touched: Iterable<Touched>,
  rates: Rates,
): PrintingDay[] {
  const days: PrintingDay[] = [];
  for (const { printing, told } of touched) {
    const { id } = printing.row;
    const { figures, isNew } = book.serve(printing);
    for (const one of told) days.push(...recordedDays(id, one, figures, rates));
    const isOwn = told.some(({ quote }) => figures && isSameOrigin(quote, figures.quote));
    if (figures && isNew && !isOwn) days.push(servedDay(id, figures));
  }
  return days;
}
