import { type Day, startOfDay } from '../../src/domain/day.ts';
import type { Cents } from '../../src/domain/money.ts';
import type { Currency, Observation } from '../../src/domain/observation.ts';
import { NO_PRICES, type PriceFigures } from '../../src/domain/price.ts';
import {
  DEFAULT_LIMITS,
  type Held,
  type HeldBefore,
  judgeObservations,
  type ResolvedObservation,
  type StoredQuote,
  type ValidationLimits,
} from '../../src/ingest/validation/index.ts';

/** A price that a source gives on a day. */
export interface Told {
  readonly source: string;
  readonly market?: string;
  readonly currency?: Currency;
  readonly card: number;
  readonly name?: string;
  readonly printing: string;
  readonly stated?: readonly string[] | null;
  readonly prices: Partial<PriceFigures>;
}

export interface HeldPrice extends Held {
  readonly candidate: ResolvedObservation;
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
  readonly #limits: ValidationLimits;
  /** How many prices were judged that had a past or another source to be set against. */
  judged = 0;

  constructor(limits: ValidationLimits = DEFAULT_LIMITS) {
    this.#limits = limits;
  }

  /** What is held back of one day. */
  day(day: Day, told: readonly Told[]): HeldPrice[] {
    const batch = told.map((one) => this.#candidate(startOfDay(day), one));
    for (const { before, others } of batch) if (before || others.length > 0) this.judged += 1;
    const held = judgeObservations(batch, this.#limits, startOfDay(day));
    for (const candidate of batch) this.#remember(candidate, held.get(candidate));
    return [...held].map(([candidate, finding]) => ({ ...finding, candidate }));
  }

  #candidate(observedAt: number, told: Told): ResolvedObservation {
    const { source, card, printing, name = `card ${card}`, stated = null } = told;
    const { market = 'tcgplayer', currency = 'USD' } = told;
    this.#sources.add(source);
    const prices = { ...NO_PRICES, ...told.prices };
    const quote: Observation = {
      ...{ printing, marketplace: market, currency, observedAt, prices },
      ...{ conditions: {}, graded: {} },
    };
    const others = [...this.#sources].filter((other) => other !== source);
    const keys = others.map((other) => `${other} ${card} ${printing}`);
    return {
      ...{ source, card, cardName: name, printing, statedPrintings: stated, observation: quote },
      knownPrintings: [...(this.#printings.get(card) ?? [])],
      before: this.#good.get(`${source} ${card} ${printing}`),
      others: keys.flatMap((key) => this.#good.get(key) ?? []),
      witnesses: keys.flatMap((key, index) => {
        const held = this.#held.get(key);
        return held ? [{ ...held, source: others[index] ?? '', marketplace: market }] : [];
      }),
      held: this.#held.get(`${source} ${card} ${printing}`),
    };
  }

  #remember(
    { source, card, printing, observation }: ResolvedObservation,
    held: Held | undefined,
  ): void {
    const key = `${source} ${card} ${printing}`;
    if (held) {
      const { days } = held;
      this.#held.set(key, { ...observation, days, isRejected: false });
      return;
    }
    this.#held.delete(key);
    this.#good.set(key, { ...observation, source });
    const known = this.#printings.get(card) ?? new Set();
    this.#printings.set(card, known.add(printing));
  }
}

/** Dollars as the amount that a quote holds. */
export function usd(dollars: number): Cents {
  return Math.round(dollars * 100) as Cents;
}
