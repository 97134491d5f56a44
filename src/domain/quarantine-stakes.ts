import { type Cents, formatCents } from './money.ts';
import {
  type ChangeSpan,
  findValidationRule,
  formatSpan,
  type QuarantinedPrice,
  tellingAmount,
  VALIDATION_RULES,
} from './quarantined.ts';

/** The stakes of decisions on quarantined prices: their money, and a sentence for the operator. */

/** The weight of a listing's amount: it is served next to the price, not as the price. */
const LISTING_SHARE = 0.05;

/** The most that a listing counts, in cents, because sellers can ask any price. */
const MOST_OF_LISTING = 1000;

/** The figures that come from listings. */
const LISTINGS: readonly string[] = ['low', 'mid', 'high'];

/**
 * Returns the money at stake in a decision on an entry, in cents: the difference between the
 * reported amount and the accepted one, or the whole amount if none was accepted.
 */
export function stakeOf(price: QuarantinedPrice): Cents {
  const amount = tellingAmount(price);
  if (!amount || !Number.isFinite(amount.value)) return 0 as Cents;
  const stake = Math.abs(amount.value - (amount.was ?? 0));
  if (!LISTINGS.includes(amount.name)) return stake as Cents;
  return Math.round(Math.min(stake * LISTING_SHARE, MOST_OF_LISTING)) as Cents;
}

/**
 * Returns the weight of a decision with this stake: twice the stake for a card with nine requests
 * in 30 days, three times for 99.
 */
export function weightOf(stake: Cents, views: number): number {
  return stake * (1 + Math.log10(1 + views));
}

/** The facts for a sentence about a group of entries. */
export interface GroupFacts {
  readonly count: number;
  readonly rules: readonly string[];
  readonly sources: readonly string[];
  /** The name of the set; null for none. */
  readonly set: string | null;
  readonly change: ChangeSpan | null;
  readonly stake: Cents;
  /** The number of requests in 30 days for its most requested card. */
  readonly views: number;
}

/** Describes a group of entries in a sentence. */
export function describeGroup(facts: GroupFacts): string {
  const { count, rules, sources, set, change, stake, views } = facts;
  const what = count === 1 ? 'a price' : `${count} prices`;
  const verb = sources.length === 1 ? 'reports' : 'report';
  const where = set === null ? '' : ` of ${set}`;
  const span = change ? ` at ${formatSpan(change)} of what was accepted` : '';
  const money = stake > 0 ? ` At stake: ${formatCents(stake)}.` : '';
  const requests = views === 1 ? '1 request' : `${views.toLocaleString('en-US')} requests`;
  const most = count === 1 ? '' : ' for one card';
  const interest = views > 0 ? ` ${requests}${most} in 30 days.` : '';
  const held = `${sources.join(' and ')} ${verb} ${what}${where}${span}: ${reasons(rules)}.`;
  return `${held}${money}${interest}`;
}

function reasons(rules: readonly string[]): string {
  return rules
    .map((name) => {
      const rule = findValidationRule(name);
      return rule ? VALIDATION_RULES[rule] : name;
    })
    .join('; ');
}
