import { Movers } from '../../src/catalog/movers.ts';
import { findBasePrices } from '../../src/domain/base-prices.ts';
import type { Card, CardSet, Printing, ServedPrices } from '../../src/domain/card.ts';
import { type Day, startOfDay } from '../../src/domain/day.ts';
import type { Cents } from '../../src/domain/money.ts';
import type { HistoryDay } from '../../src/domain/price.ts';
import {
  CHANGE_WINDOW_NAMES,
  CHANGE_WINDOWS,
  type ChangeWindow,
  factorBetween,
  type PriceMove,
} from '../../src/domain/price-changes.ts';

/** Made catalogues in which it is known which prices have truly moved. */

export const TODAY = 20_500 as Day;
const DAYS = 60;

export type Random = () => number;

/** A number from `low` to `high`, each factor as likely as any other. */
export function between(random: Random, low: number, high: number): number {
  return low * (high / low) ** random();
}

export function wholeBetween(random: Random, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1));
}

/** A day of a made history, `ago` days before today. Amounts are in dollars. */
export interface MadeDay {
  readonly ago: number;
  market: number;
  low: number | null;
  mid: number | null;
  high: number | null;
  marketplace: string;
}

/** A printing with its history, and with what its prices were in truth. */
export interface MadePrinting {
  readonly kind: string;
  readonly days: MadeDay[];
  /** The true market prices in dollars, by how many days ago. */
  readonly truth: ReadonlyMap<number, number>;
  /** Whether the list must leave it out, even if its true prices moved. */
  isNever: boolean;
  /** How many days ago a price of it was put into quarantine. */
  quarantined?: number;
}

/** A card with its printings, which share a set with others. */
export type MadeCard = readonly MadePrinting[];
export type MadeSet = readonly MadeCard[];

export interface Shape {
  /** The price on the newest day, in dollars. */
  readonly price: number;
  readonly hasListings: boolean;
  /** What the price was, as a part of that on the newest day, so many days ago. */
  readonly course: (ago: number) => number;
}

/** Makes the true days of a printing: they follow a course, with the noise of real prices. */
export function makePrinting(kind: string, random: Random, shape: Shape): MadePrinting {
  const { price, hasListings, course } = shape;
  const parts = {
    low: between(random, 0.5, 0.98),
    mid: between(random, 0.9, 1.6),
    high: between(random, 1.7, 12),
  };
  const days: MadeDay[] = [];
  let drift = 1;
  for (let ago = 0; ago < DAYS; ago += 1) {
    const market = price * course(ago) * drift;
    // Most prices stand still from one day to the next, and a listing is not there on every day.
    if (random() < 0.45) drift *= 1 + (random() - 0.5) * 0.02;
    const listing = (part: number) => {
      return hasListings ? round(market * part * (1 + (random() - 0.5) * 0.08)) : null;
    };
    const [low, mid, high] = [listing(parts.low), listing(parts.mid), listing(parts.high)];
    days.unshift({ ago, market: round(market), low, mid, high, marketplace: 'tcgplayer' });
  }
  const truth = new Map(days.map(({ ago, market }) => [ago, market]));
  return { kind, days, truth, isNever: false };
}

/** Multiplies what is reported, on some days, of the market price or of all figures. */
export function distort(
  { days }: MadePrinting,
  factor: number,
  of: 'market' | 'all',
  isOn: (ago: number) => boolean,
): void {
  const scaled = (amount: number | null) => amount && round(amount * factor);
  for (const day of days.filter(({ ago }) => isOn(ago))) {
    day.market = round(day.market * factor);
    if (of === 'all') {
      day.low = scaled(day.low);
      day.mid = scaled(day.mid);
      day.high = scaled(day.high);
    }
  }
}

export function round(dollars: number): number {
  return Math.max(0.01, Math.round(dollars * 100) / 100);
}

/** What became of planted moves, by their kind. */
export interface Outcome {
  readonly planted: Map<string, number>;
  /** The mistakes that are in the list. */
  readonly listed: string[];
  /** How many true moves there are, and which of them are not in the list. */
  trueMoves: number;
  readonly missed: string[];
}

/** Lists the movers of made sets, and compares them with the truth. */
export async function judgeSets(sets: readonly MadeSet[]): Promise<Outcome> {
  const { movers, made } = catalogOf(sets);
  const outcome: Outcome = { planted: new Map(), listed: [], trueMoves: 0, missed: [] };
  for (const { kind } of made.values()) {
    outcome.planted.set(kind, (outcome.planted.get(kind) ?? 0) + 1);
  }
  for (const window of CHANGE_WINDOW_NAMES) {
    const filter = { window, sort: 'percent', direction: 'both', least: 100 as Cents } as const;
    const list = await movers.list(filter);
    const found = new Map(list.movers.map((mover) => [mover.printing, mover]));
    for (const [printing, planted] of made) judge(outcome, planted, window, found.get(printing));
  }
  return outcome;
}

function judge(
  outcome: Outcome,
  planted: MadePrinting,
  window: ChangeWindow,
  mover: PriceMove | undefined,
): void {
  const { kind, days } = planted;
  const name = `${kind} ${window} of ${JSON.stringify(days.slice(-9))}`;
  const trueMove = trueMoveOf(planted, window);
  if (mover && isWrong(planted, trueMove, mover.to / mover.from)) outcome.listed.push(name);
  if (!kind.startsWith('true') || !trueMove || !isClear(trueMove)) return;
  outcome.trueMoves += 1;
  if (!mover) outcome.missed.push(name);
}

interface TrueMove {
  readonly from: number;
  readonly to: number;
}

/** The true move of a window, by the newest day that the printing has at its start. */
function trueMoveOf({ days, truth }: MadePrinting, window: ChangeWindow): TrueMove | undefined {
  const start = (days.at(-1)?.ago ?? 0) + CHANGE_WINDOWS[window].days;
  const base = days.findLast(({ ago }) => ago >= start);
  if (!base || base.ago > start + CHANGE_WINDOWS[window].tolerance) return undefined;
  const [from, to] = [truth.get(base.ago), truth.get(days.at(-1)?.ago ?? 0)];
  return from && to ? { from, to } : undefined;
}

function isWrong({ isNever }: MadePrinting, move: TrueMove | undefined, factor: number): boolean {
  return isNever || !move || factorBetween(move.to / move.from, factor) > 1.05;
}

/** Whether a move is so far above the floors that the list must have it. */
function isClear({ from, to }: TrueMove): boolean {
  const isLarge = Math.abs(to - from) >= 0.6 && factorBetween(from, to) >= 1.06;
  return isLarge && Math.min(from, to) >= 1.05;
}

function catalogOf(sets: readonly MadeSet[]) {
  const made = new Map<Printing, MadePrinting>();
  const quarantined = new Map<number, Day>();
  let rowId = 0;
  const cards = sets.flatMap((set, index) => {
    const cardSet = { rowId: index, id: `set-${index}`, game: 'mtg' } as CardSet;
    return set.map((card): Card => {
      const printings = card.map((planted) => {
        rowId += 1;
        const printing = printingOf(rowId, planted);
        made.set(printing, planted);
        if (planted.quarantined !== undefined) {
          quarantined.set(rowId, (TODAY - planted.quarantined) as Day);
        }
        return printing;
      });
      return { set: cardSet, printings } as unknown as Card;
    });
  });
  const movers = new Movers({
    publication: { revision: 1, id: 'planted', publishedAt: null },
    cards: () => cards,
    asOf: () => TODAY,
    quarantinedOn: (printing) => quarantined.get(printing),
  });
  return { movers, made };
}

function printingOf(rowId: number, { days }: MadePrinting): Printing {
  const history = days.map(historyDay);
  const newest = history.at(-1);
  const market = newest?.market ?? null;
  const day = newest?.day ?? TODAY;
  const reported = market === null ? [] : [market];
  const prices = { market, figuresAt: startOfDay(day) } as ServedPrices;
  const bases = findBasePrices(history, { market, day, reported });
  return { rowId, name: 'Normal', prices, bases };
}

function historyDay({ ago, market, low, mid, high, marketplace }: MadeDay): HistoryDay {
  const provenance = { source: marketplace, marketplace, repeated: false };
  const amounts = { market: cents(market), low: cents(low), mid: cents(mid), high: cents(high) };
  return { day: (TODAY - ago) as Day, ...amounts, provenance } as HistoryDay;
}

function cents(dollars: number | null): number | null {
  return dollars === null ? null : Math.round(dollars * 100);
}
