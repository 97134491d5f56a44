import type { Millis } from '../../domain/day.ts';
import { ApiError } from '../../domain/errors.ts';
import type { Plan } from '../../domain/plans.ts';
import { refusals } from '../../lib/tally.ts';
import type { Store } from '../../store/connect.ts';
import { prepareCharges } from './charge-sql.ts';
import { QuotaCharger, secondsToReset } from './quota-charger.ts';

/**
 * Priced cards a day that pages show to everybody: 150 full pages of results, 300 pages of cards with
 * what is around them, or 500 keystrokes with their suggestions. Somebody who looks cards up does not get there, and who reads the catalogue out
 * does not get far.
 */
export const LEAST_DAILY_CARDS = 3000;

/**
 * Limits how many priced cards the pages show an account in a day (UTC), across processes. Without
 * it the pages would be a way around the quota of the API (docs/adr/0020).
 */
export class PageQuota {
  readonly #charger: QuotaCharger;
  readonly #clock: () => Millis;

  constructor(store: Store, clock: () => Millis) {
    this.#charger = new QuotaCharger(prepareCharges(store.accounts.engine, 'pages'), clock);
    this.#clock = clock;
  }

  /**
   * Charges `cards` that an answer shows, at least one.
   *
   * @throws ApiError RATE_LIMIT_EXCEEDED when fewer are left for today; nothing is charged then.
   */
  async charge(account: { readonly accountId: number; readonly plan: Plan }, cards: number) {
    const quota = dailyCards(account.plan);
    const { granted, day } = await this.#charger.charge(account.accountId, quota, cards);
    const { label } = account.plan;
    if (granted) return;
    const wait = secondsToReset(day, this.#clock());
    throw pagesExceeded(`an account of the ${label} plan`, quota, wait);
  }
}

/** As many as the plan has requests to the API, which are what larger needs are for. */
function dailyCards({ dailyRequests }: Plan): number {
  return Math.max(LEAST_DAILY_CARDS, dailyRequests);
}

/** The error of `whom` the pages have shown all cards of the day, which ends in `retryAfter` seconds. */
export function pagesExceeded(whom: string, quota: number, retryAfter: number): ApiError {
  refusals.add('page-quota');
  return new ApiError(
    'RATE_LIMIT_EXCEEDED',
    `The pages show ${whom} ${quota} priced cards a day, and you have ` +
      'seen them. They show more after midnight UTC. To read more than that, use an API key.',
    { retryAfter },
  );
}
