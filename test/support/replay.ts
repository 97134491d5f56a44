import { type Day, startOfDay } from '../../src/domain/day.ts';
import type { Cents } from '../../src/domain/money.ts';
import { NO_PRICES, type PriceQuad } from '../../src/domain/price.ts';
import type { Currency, Quote } from '../../src/domain/quote.ts';
import {
  type Candidate,
  DEFAULT_LIMITS,
  type GuardLimits,
  guard,
  type Held,
  type HeldBefore,
  type StoredQuote,
} from '../../src/ingest/guard.ts';

/** A price that a source gives on a day. */
export interface Told {
  readonly source: string;
  readonly market?: string;
  readonly currency?: Currency;
  readonly card: number;
  readonly name?: string;
  readonly printing: string;
  readonly stated?: readonly string[] | null;
  readonly prices: Partial<PriceQuad>;
}

export interface HeldPrice extends Held {
  readonly candidate: Candidate;
}

/**
 * Brings the guard what sources tell day after day, and remembers as an importer does what it let
 * through and what it held back.
 */
export class Replay {
  readonly #good = new Map<string, StoredQuote>();
  readonly #held = new Map<string, HeldBefore>();
  readonly #printings = new Map<number, Set<string>>();
  readonly #sources = new Set<string>();
  readonly #limits: GuardLimits;
  /** How many prices were judged that had a past or another source to be set against. */
  judged = 0;

  constructor(limits: GuardLimits = DEFAULT_LIMITS) {
    this.#limits = limits;
  }

  /** What is held back of one day. */
  day(day: Day, told: readonly Told[]): HeldPrice[] {
    const batch = told.map((one) => this.#candidate(startOfDay(day), one));
    for (const { before, others } of batch) if (before || others.length > 0) this.judged += 1;
    const held = guard(batch, this.#limits, startOfDay(day));
    for (const candidate of batch) this.#remember(candidate, held.get(candidate));
    return [...held].map(([candidate, finding]) => ({ ...finding, candidate }));
  }

  #candidate(observedAt: number, told: Told): Candidate {
    const { source, card, printing, name = `card ${card}`, stated = null } = told;
    const { market = 'tcgplayer', currency = 'USD' } = told;
    this.#sources.add(source);
    const prices = { ...NO_PRICES, ...told.prices };
    const quote: Quote = {
      ...{ printing, market, currency, observedAt, prices },
      ...{ conditions: {}, graded: {} },
    };
    const others = [...this.#sources].filter((other) => other !== source);
    const keys = others.map((other) => `${other} ${card} ${printing}`);
    return {
      ...{ source, card, cardName: name, printing, statedPrintings: stated, quote },
      knownPrintings: [...(this.#printings.get(card) ?? [])],
      before: this.#good.get(`${source} ${card} ${printing}`),
      others: keys.flatMap((key) => this.#good.get(key) ?? []),
      witnesses: keys.flatMap((key, index) => {
        const held = this.#held.get(key);
        return held ? [{ ...held, source: others[index] ?? '', market }] : [];
      }),
      held: this.#held.get(`${source} ${card} ${printing}`),
    };
  }

  #remember({ source, card, printing, quote }: Candidate, held: Held | undefined): void {
    const key = `${source} ${card} ${printing}`;
    if (held) {
      const { days } = held;
      this.#held.set(key, { ...quote, days, isRejected: false });
      return;
    }
    this.#held.delete(key);
    this.#good.set(key, { ...quote, source });
    const known = this.#printings.get(card) ?? new Set();
    this.#printings.set(card, known.add(printing));
  }
}

/** Dollars as the amount that a quote holds. */
export function usd(dollars: number): Cents {
  return Math.round(dollars * 100) as Cents;
}
