import type { Card, Printing, ServedPrices } from './card.ts';
import type { CopyName } from './copy.ts';
import { addDays, type Day, type Millis, startOfDay } from './day.ts';
import { isGrade } from './grades.ts';
import type { Cents } from './money.ts';
import { type HistoryDay, NO_PRICES } from './price.ts';
import { AGE_LIMITS } from './staleness.ts';

/** Cards with the prices of an earlier day, from the history. */

/** The newest recorded price of one condition or grade. */
export interface PastCopy {
  readonly copy: CopyName;
  readonly price: Cents;
  readonly day: Day;
  /** Undefined for days from before provenance was recorded. */
  readonly marketplace: string | undefined;
}

/** The history of a printing up to a day. */
export interface PastPrices {
  /** The newest day with the four figures; undefined without any. */
  readonly figures: HistoryDay | undefined;
  readonly copies: readonly PastCopy[];
}

const NOTHING: PastPrices = { figures: undefined, copies: [] };

/** Returns a card with the prices of a day. Printings that `past` lacks have none. */
export function cardAsOf(card: Card, day: Day, past: ReadonlyMap<number, PastPrices>): Card {
  const { rowId, id, set, name, number, rarity, image } = card;
  const printings = card.printings.map((printing) => {
    return printingAsOf(printing, day, past.get(printing.rowId) ?? NOTHING);
  });
  return { rowId, id, set, name, number, rarity, image, printings };
}

function printingAsOf({ rowId, name }: Printing, day: Day, past: PastPrices): Printing {
  const { figures, copies } = past;
  const oldest = addDays(day, -AGE_LIMITS.conditions);
  const graded = copies.filter(({ copy }) => isGrade(copy));
  const conditions = copies.filter(
    ({ copy, day: recorded }) => !isGrade(copy) && recorded >= oldest,
  );
  const origins = {
    figures: figures?.provenance?.marketplace ?? null,
    conditions: marketplacesOf(conditions)[0] ?? null,
    graded: marketplacesOf(graded),
  };
  const sources = [origins.figures ?? [], marketplacesOf(conditions), origins.graded].flat();
  const { market, low, mid, high } = figures ?? NO_PRICES;
  const prices: ServedPrices = {
    market,
    low,
    mid,
    high,
    conditions: amountsOf(conditions),
    graded: amountsOf(graded),
    sources: [...new Set(sources)].sort(),
    figuresAt: figures ? startOfDay(figures.day) : null,
    conditionsAt: oldestOf(conditions),
    gradedAt: oldestOf(graded),
  };
  return { rowId, name, prices, origins, isPast: true };
}

function marketplacesOf(copies: readonly PastCopy[]): string[] {
  const all = copies.flatMap(({ marketplace }) => marketplace ?? []);
  return [...new Set(all)].sort();
}

function amountsOf(copies: readonly PastCopy[]) {
  const entries = copies.map(({ copy, price }) => [copy, price]);
  return Object.fromEntries(entries) as Readonly<Partial<Record<CopyName, Cents>>>;
}

function oldestOf(copies: readonly PastCopy[]): Millis | null {
  if (copies.length === 0) return null;
  return startOfDay(Math.min(...copies.map(({ day }) => day)) as Day);
}
