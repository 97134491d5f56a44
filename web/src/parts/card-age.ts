import { MS_PER_DAY } from '../../../src/domain/day.ts';

/** Prices of this age say little of today: the longest time for which any source counts as fresh. */
const OLD_DAYS = 14;

/** Whether what was observed at a moment is too old to go by. `nowMs` is the server's clock. */
export function isOld(observedAt: string, nowMs: number): boolean {
  return nowMs - Date.parse(observedAt) > OLD_DAYS * MS_PER_DAY;
}
