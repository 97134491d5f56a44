import { hash } from 'node:crypto';
import { type Day, dayOf, type Millis } from '../../domain/day.ts';
import { ApiError } from '../../domain/errors.ts';
import type { Plan } from '../../domain/plans.ts';
import { refusals } from '../../lib/counts.ts';
import { networkOf, wideNetworkOf } from '../../lib/networks.ts';
import type { Store } from '../../store/connect.ts';
import { type ChargeStatements, deleteVisitorUsage, prepareCharges } from './charge-sql.ts';
import { QuotaCharger, secondsToReset } from './quota-charger.ts';

/**
 * Priced cards that pages show everyone each day: 150 full pages of results, 300 card pages with
 * their related cards, or 500 keystrokes with suggestions. People who look up cards stay below this
 * limit. Programs that scrape the catalogue soon reach it.
 */
export const LEAST_DAILY_CARDS = 3000;

/** Counts the priced cards that the pages may still show somebody today. */
export interface CardsLeft {
  /** The quota of the day. */
  readonly limit: number;
  readonly remaining: number;
}

/**
 * Limits how many priced cards the pages show an account in a day (UTC), across processes. Without
 * it, the pages would bypass the quota of the API (docs/adr/0020).
 */
export class PageQuota {
  readonly #statements: ChargeStatements;
  readonly #charger: QuotaCharger;
  readonly #clock: () => Millis;

  constructor(store: Store, clock: () => Millis) {
    this.#statements = prepareCharges(store.accounts.engine, 'pages');
    this.#charger = new QuotaCharger(this.#statements, clock);
    this.#clock = clock;
  }

  /**
   * Charges the cards that an answer shows, at least one.
   *
   * @throws ApiError RATE_LIMIT_EXCEEDED, and charges nothing, if fewer are left for today.
   */
  async charge({ accountId, plan }: PageReader, cards: number): Promise<void> {
    const quota = dailyCardsOf(plan);
    const { granted, day } = await this.#charger.charge(accountId, quota, cards);
    if (granted) return;
    const wait = secondsToReset(day, this.#clock());
    throw pagesExceeded(`an account of the ${plan.label} plan`, quota, wait);
  }

  /** Returns how many cards are left for an account today. */
  async left({ accountId, plan }: PageReader): Promise<CardsLeft> {
    const limit = dailyCardsOf(plan);
    const [usage] = await this.#statements.usage([accountId], dayOf(this.#clock()));
    return { limit, remaining: Math.max(0, limit - (usage?.used ?? 0)) };
  }
}

/** The account to which pages show cards. */
interface PageReader {
  readonly accountId: number;
  readonly plan: Plan;
}

/**
 * Returns the number of priced cards that pages may show an account in a day: the same as its
 * requests, because plans exist for larger needs.
 */
export function dailyCardsOf({ dailyRequests }: Plan): number {
  return Math.max(LEAST_DAILY_CARDS, dailyRequests);
}

/**
 * How many times more cards a wide network may see: an IPv4 /24 or an IPv6 /48, whose addresses may
 * all belong to one visitor or to many.
 */
const WIDE_TIMES = 10;

/**
 * The maximum number of rows for one day: about ten megabytes, regardless of the number of callers.
 */
const MAX_NETWORKS = 2 ** 22;

/**
 * Limits how many priced cards the pages show a visitor without an account in a day (UTC), by
 * network address, across processes. It stores a number from a digest and no address. Two networks
 * rarely share a number, and never on every day.
 */
export class VisitorQuota {
  readonly #store: Store;
  readonly #statements: ChargeStatements;
  readonly #charger: QuotaCharger;
  readonly #clock: () => Millis;
  /** The day whose predecessors are deleted. */
  #today: Day | undefined;

  constructor(store: Store, clock: () => Millis) {
    this.#store = store;
    this.#statements = prepareCharges(store.accounts.engine, 'visitors');
    this.#charger = new QuotaCharger(this.#statements, clock);
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
    for (const { id, quota } of networksOf(address, today)) {
      const { granted } = await this.#charger.charge(id, quota, cards);
      if (granted) continue;
      const wait = secondsToReset(today, this.#clock());
      throw pagesExceeded('a network address without an account', LEAST_DAILY_CARDS, wait);
    }
  }

  /** Returns how many cards are left for the network of an address today. */
  async left(address: string): Promise<CardsLeft> {
    const today = dayOf(this.#clock());
    const networks = networksOf(address, today);
    const usages = await this.#statements.usage(
      networks.map(({ id }) => id),
      today,
    );
    const left = networks.map(({ id, quota }) => {
      return quota - (usages.find((usage) => usage.id === id)?.used ?? 0);
    });
    return { limit: LEAST_DAILY_CARDS, remaining: Math.max(0, Math.min(...left)) };
  }

  async #forgetBefore(today: Day): Promise<void> {
    if (this.#today === today) return;
    this.#today = today;
    await deleteVisitorUsage(this.#store.accounts.db, today);
  }
}

/** The networks to which the cards of an address count, with their quotas. */
function networksOf(address: string, day: Day) {
  return [
    { id: numberOf(networkOf(address), day), quota: LEAST_DAILY_CARDS },
    { id: numberOf(wideNetworkOf(address), day), quota: WIDE_TIMES * LEAST_DAILY_CARDS },
  ];
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
