import { hash } from 'node:crypto';
import { type Day, dayOf, type Millis } from '../../domain/day.ts';
import type { Store } from '../../store/connect.ts';
import { networkOf, wideNetworkOf } from '../sign-in/attempt-limiter.ts';
import { deleteVisitorUsage, prepareCharges } from './charge-sql.ts';
import { LEAST_DAILY_CARDS, pagesExceeded } from './page-quota.ts';
import { QuotaCharger, secondsToReset } from './quota-charger.ts';

/**
 * How many times as much a wide network may see: an IPv4 /24 or an IPv6 /48, whose addresses may all
 * be of one visitor, or of many.
 */
const WIDE_TIMES = 10;

/** The most rows of a day, whatever addresses callers have: some ten megabytes. */
const MAX_NETWORKS = 2 ** 22;

/**
 * Limits how many priced cards the pages show a visitor without an account in a day (UTC), by network
 * address, across processes. A network is a number of a digest: no address is stored, and two
 * networks rarely share one, on each day others.
 */
export class VisitorQuota {
  readonly #store: Store;
  readonly #charger: QuotaCharger;
  readonly #clock: () => Millis;
  /** The day for which earlier ones are deleted. */
  #today: Day | undefined;

  constructor(store: Store, clock: () => Millis) {
    this.#store = store;
    this.#charger = new QuotaCharger(prepareCharges(store.accounts.engine, 'visitors'), clock);
    this.#clock = clock;
  }

  /**
   * Charges `cards` that an answer shows, at least one, to the network of an address.
   *
   * @throws ApiError RATE_LIMIT_EXCEEDED when fewer are left for today.
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
