import { type Day, startOfDay } from '../../src/domain/day.ts';
import type { Cents } from '../../src/domain/money.ts';
import type { Currency, Observation, SourceObservation } from '../../src/domain/observation.ts';
import { NO_PRICES, type PriceFigures } from '../../src/domain/price.ts';
import type { QuarantinedBefore, ResolvedObservation } from '../../src/ingest/observation.ts';
import { withoutAmounts } from '../../src/ingest/validation/amounts.ts';
import { DEFAULT_LIMITS, type ValidationLimits } from '../../src/ingest/validation/index.ts';
import { judgeBatch } from '../../src/ingest/validation/judge.ts';
import type { QuarantineFinding } from '../../src/ingest/validation/limits.ts';
import { findRepeats } from '../../src/ingest/validation/past.ts';
import { pastOf, withLastAccepted } from '../../src/ingest/validation/quarantine.ts';

/** A source's price on a day. */
export interface Reported {
  readonly source: string;
  readonly marketplace?: string;
  readonly currency?: Currency;
  readonly card: number;
  /** The row id of its set. By default all cards are in one set. */
  readonly set?: number;
  readonly name?: string;
  readonly printing: string;
  readonly stated?: readonly string[] | null;
  readonly prices: Partial<PriceFigures>;
}

export interface QuarantinedPrice extends QuarantineFinding {
  readonly resolved: ResolvedObservation;
}

/**
 * Validates the reports of sources day by day, and remembers accepted and quarantined prices like
 * an import.
 */
export class Replay {
  readonly #accepted = new Map<string, SourceObservation>();
  readonly #quarantined = new Map<string, QuarantinedBefore>();
  readonly #printings = new Map<number, Set<string>>();
  /** The marketplace of each source. */
  readonly #sources = new Map<string, string>();
  readonly #limits: ValidationLimits;
  /** The number of prices with an earlier price or another source to compare with. */
  compared = 0;

  constructor(limits: ValidationLimits = DEFAULT_LIMITS) {
    this.#limits = limits;
  }

  /** Validates the reports of one day, and returns the quarantined prices. */
  day(day: Day, reported: readonly Reported[]): QuarantinedPrice[] {
    const now = startOfDay(day);
    const batch = reported.map((one) => this.#resolve(now, one));
    for (const { before, others } of batch) if (before || others.length > 0) this.compared += 1;
    const repeats = findRepeats(batch);
    const observed = batch.filter((resolved) => !repeats.has(resolved));
    const found = judgeBatch(observed, { limits: this.#limits, now });
    for (const resolved of observed) this.#remember(resolved, found.get(resolved));
    return [...found].map(([resolved, finding]) => ({ ...finding, resolved }));
  }

  #resolve(observedAt: number, reported: Reported): ResolvedObservation {
    const { source, card, printing, set = 1, name = `card ${card}`, stated = null } = reported;
    const { marketplace = 'tcgplayer', currency = 'USD' } = reported;
    this.#sources.set(source, marketplace);
    const prices = { ...NO_PRICES, ...reported.prices };
    const observation: Observation = {
      printing,
      marketplace,
      currency,
      observedAt,
      prices,
      conditions: {},
      graded: {},
    };
    const others = [...this.#sources].filter(([other]) => other !== source);
    const known = others.map(([other, at]) => {
      return { source: other, marketplace: at, key: `${other} ${card} ${printing}` };
    });
    const key = `${source} ${card} ${printing}`;
    const [accepted, quarantined] = [this.#accepted.get(key), this.#quarantined.get(key)];
    return {
      source,
      card,
      cardName: name,
      printing,
      statedPrintings: stated,
      observation,
      set: { rowId: set, name: `set ${set}` },
      knownPrintings: [...(this.#printings.get(card) ?? [])],
      reportedPrintings: [...(this.#printings.get(card) ?? [])],
      before: accepted && quarantined ? withLastAccepted(accepted, quarantined) : accepted,
      others: known.flatMap((other) => {
        return this.#quarantined.has(other.key) ? [] : (this.#accepted.get(other.key) ?? []);
      }),
      witnesses: known.flatMap((other) => {
        const witness = this.#quarantined.get(other.key);
        return witness && other.marketplace !== marketplace ? [{ ...witness, ...other }] : [];
      }),
      quarantined,
    };
  }

  #remember(resolved: ResolvedObservation, finding: QuarantineFinding | undefined): void {
    const { source, card, printing, observation } = resolved;
    const key = `${source} ${card} ${printing}`;
    this.#quarantined.delete(key);
    if (finding) {
      const past = pastOf(resolved, finding.amounts);
      this.#quarantined.set(key, { ...observation, ...finding, ...past, isRejected: false });
      if (!finding.amounts) return;
    }
    this.#accepted.set(key, { ...withoutAmounts(observation, finding?.amounts ?? []), source });
    const known = this.#printings.get(card) ?? new Set();
    this.#printings.set(card, known.add(printing));
  }
}

/** Converts dollars to whole cents. */
export function usd(dollars: number): Cents {
  return Math.round(dollars * 100) as Cents;
}
