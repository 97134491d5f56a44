import type { Day } from '../../domain/day.ts';
import type { Plan, PlanTable } from '../../domain/plans.ts';
import type { HistoryDay } from '../../domain/price.ts';
import { windowOf } from '../../domain/window.ts';
import type { historyReader } from '../../store/history/index.ts';
import { missingFeature, missingHistory } from '../hooks.ts';

/** Reads the days of a printing with an observation, from one day to another, both included. */
export type HistoryReader = ReturnType<typeof historyReader>;

/** The plan of an authenticated caller, and all plans of the service. */
export interface PlanHolder {
  readonly plan: Plan;
  readonly plans: PlanTable;
}

/**
 * The price history, as far back as one caller's plan includes it. Endpoints cannot read history in
 * any other way, so none can serve more days than the plan has. The hooks refuse a request earlier
 * if its endpoint declares `historyDays`.
 */
export class PlanHistory {
  readonly #read: HistoryReader;
  readonly #caller: PlanHolder;
  readonly #isOpen: boolean;
  #daysRead = 0;

  /** `isOpen` lets plans without the feature `history` read the days that they include. */
  constructor(read: HistoryReader, caller: PlanHolder, isOpen: boolean) {
    this.#read = read;
    this.#caller = caller;
    this.#isOpen = isOpen;
  }

  /** How many days back this caller has read; 0 for none, `Infinity` for all. */
  get daysRead(): number {
    return this.#daysRead;
  }

  /**
   * Reads the last `days` days of a printing up to `newest`, oldest first; null reads all days.
   * Days without an observation are left out.
   *
   * @throws ApiError PLAN_RESTRICTION when the caller's plan does not include these days.
   */
  async last(days: number | null, newest: Day, printing: number): Promise<HistoryDay[]> {
    this.require(days ?? Number.POSITIVE_INFINITY);
    const { from, to } = windowOf(days, newest);
    return this.#read(printing, from, to);
  }

  /** @throws ApiError PLAN_RESTRICTION when the caller's plan does not include this many days. */
  require(days: number): void {
    if (days === 0) return;
    const { plan, plans } = this.#caller;
    if (!this.#isOpen && !plan.features.includes('history')) throw missingFeature('history', plans);
    const restriction = missingHistory(plan, days);
    if (restriction) throw restriction;
    this.#daysRead = Math.max(this.#daysRead, days);
  }
}
