import type { Day } from '../../domain/day.ts';
import type { Plan, PlanTable } from '../../domain/plans.ts';
import type { HistoryDay } from '../../domain/price.ts';
import { windowOf } from '../../domain/window.ts';
import type { historyReader } from '../../store/history/index.ts';
import { missingFeature, missingHistory } from '../hooks.ts';

/** Reads the days of a printing with an observation, from one day to another, both included. */
export type HistoryReader = ReturnType<typeof historyReader>;

/** An authenticated caller: its plan, among the plans of the service. */
export interface PlanHolder {
  readonly plan: Plan;
  readonly plans: PlanTable;
}

/**
 * The price history, as far back as the plan of one caller includes it. Endpoints have no other way
 * to history, so none can serve a caller more days than it pays for.
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

  /** How many days back this caller has read; 0 for none, infinite for all. */
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
