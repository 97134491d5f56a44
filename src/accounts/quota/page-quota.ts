import { hash } from 'node:crypto';
import { type Day, dayOf, type Millis } from '../../domain/day.ts';
import { ApiError } from '../../domain/errors.ts';
import type { Plan } from '../../domain/plans.ts';
import { refusals } from '../../lib/counts.ts';
import { networkOf, wideNetworkOf } from '../../lib/networks.ts';
import type { Store } from '../../store/connect.ts';
import { deleteVisitorUsage, prepareCharges } from './charge-sql.ts';
import { QuotaCharger, secondsToReset } from './quota-charger.ts';

/**
 * Priced cards that pages show everyone each day: 150 full pages of results, 300 card pages with
 * their related cards, or 500 keystrokes with suggestions. People who look up cards stay below this
 * limit. Programs that scrape the catalogue soon reach it.
 */
export const LEAST_DAILY_CARDS = 3000;

/**
 * Limits how many priced cards the pages show an account in a day (UTC), across processes. Without
 * it, the pages would bypass the quota of the API (docs/adr/0020).
 */
export class PageQuota {
  readonly #charger: QuotaCharger;
  readonly #clock: () => Millis;

  constructor(store: Store, clock: () => Millis) {
    this.#charger = new QuotaCharger(prepareCharges(store.accounts.engine, 'pages'), clock);
    this.#clock = clock;
  }

  /**
   * Charges the cards that an answer shows, at least one.
   *
   * @throws ApiError RATE_LIMIT_EXCEEDED, and charges nothing, if fewer are left for today.
   */
  async charge(
    { accountId, plan }: { readonly accountId: number; readonly plan: Plan },
    cards: number,
  ): Promise<void> {
    // A plan shows as many cards as it has requests: larger needs are what plans are for.
    const quota = Math.max(LEAST_DAILY_CARDS, plan.dailyRequests);
    const { granted, day } = await this.#charger.charge(accountId, quota, cards);
    if (granted) return;
    const wait = secondsToReset(day, this.#clock());
    throw pagesExceeded(`an account of the ${plan.label} plan`, quota, wait);
  }
}

/**
 * How many times as many cards a wide network may see: an IPv4 /24 or an IPv6 /48, whose addresses
 * may all belong to one visitor or to many.
 */
const WIDE_TIMES = 10;

/** The maximum number of rows for one day, about ten megabytes, however many addresses call. */
const MAX_NETWORKS = 2 ** 22;

/**
 * Limits how many priced cards the pages show a visitor without an account in a day (UTC), by
 * network address, across processes. It stores a number from a digest and no address. Two networks
 * rarely share a number, and never on every day.
 */
export class VisitorQuota {
  readonly #store: Store;
  readonly #charger: QuotaCharger;
  readonly #clock: () => Millis;
  /** The day whose predecessors are deleted. */
  #today: Day | undefined;

  constructor(store: Store, clock: () => Millis) {
    this.#store = store;
    this.#charger = new QuotaCharger(prepareCharges(store.accounts.engine, 'visitors'), clock);
    this.#clock = clock;
  }

  /**
   * Charges the cards that an answer shows, at least one, to the network of an address.
   *
   * @throws ApiError RATE_LIMIT_EXCEEDED if fewer are left for today.
   */
  async charge(address: string, cards: number): Promise<void> {
    const today = dayOf(this.#clock());
    await this.#forgetBefore(today);
    const isGranted =
      (await this.#isGranted(networkOf(address), LEAST_DAILY_CARDS, cards, today)) &&
      (await this.#isGranted(wideNetworkOf(address), WIDE_TIMES * LEAST_DAILY_CARDS, cards, today));
    if (isGranted) return;
    const wait = secondsToReset(today, this.#clock());
    throw pagesExceeded('a network address without an account', LEAST_DAILY_CARDS, wait);
  }

  async #isGranted(network: string, quota: number, cards: number, day: Day): Promise<boolean> {
    return (await this.#charger.charge(numberOf(network, day), quota, cards)).granted;
  }

  async #forgetBefore(today: Day): Promise<void> {
    if (this.#today === today) return;
    this.#today = today;
    await deleteVisitorUsage(this.#store.accounts.db, today);
  }
}

function numberOf(network: string, day: Day): number {
  return hash('sha256', `${day} ${network}`, 'buffer').readUInt32BE() % MAX_NETWORKS;
}

/**
 * The error when the pages have shown somebody all cards of the day. `retryAfter` is in seconds.
 */
function pagesExceeded(whom: string, quota: number, retryAfter: number): ApiError {
  refusals.add('page-quota');
  return new ApiError(
    'RATE_LIMIT_EXCEEDED',
    `The pages show ${whom} ${quota} priced cards a day, and you have ` +
      'seen them. They show more after midnight UTC. To read more than that, use an API key.',
    { retryAfter },
  );
}
