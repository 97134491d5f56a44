import { type Cents, formatCents } from './money.ts';
import {
  type ChangeSpan,
  findValidationRule,
  formatSpan,
  type QuarantinedPrice,
  tellingAmount,
  VALIDATION_RULES,
} from './quarantined.ts';

/** What decisions on quarantined prices are about: their money, and a sentence for the operator. */

/** How much of its amount a listing counts: it is served next to the price, not as the price. */
const LISTING_SHARE = 0.05;

/** The most that a listing counts, in cents: sellers ask anything. */
const MOST_OF_LISTING = 1000;

/** The figures that sellers ask for. */
const LISTINGS: readonly string[] = ['low', 'mid', 'high'];

/**
 * Returns how much money is at stake in a decision on an entry, in cents: the difference between
 * the reported amount and the accepted one, or the whole amount without one.
 */
export function stakeOf(price: QuarantinedPrice): Cents {
  const amount = tellingAmount(price);
  if (!amount || !Number.isFinite(amount.value)) return 0 as Cents;
  const stake = Math.abs(amount.value - (amount.was ?? 0));
  if (!LISTINGS.includes(amount.name)) return stake as Cents;
  return Math.round(Math.min(stake * LISTING_SHARE, MOST_OF_LISTING)) as Cents;
}

/**
 * Returns how much a decision with this stake counts among others: twice for a card with nine
 * requests in 30 days, three times for one with 99.
 */
export function weightOf(stake: Cents, views: number): number {
  return stake * (1 + Math.log10(1 + views));
}

/** What a sentence about a group of entries says. */
export interface GroupFacts {
  readonly count: number;
  readonly rules: readonly string[];
  readonly sources: readonly string[];
  /** The name of the set; null for none. */
  readonly set: string | null;
  readonly change: ChangeSpan | null;
  readonly stake: Cents;
  /** How many times its most requested card was requested in 30 days. */
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
