import type { Millis } from './day.ts';
import { type Cents, formatCents } from './money.ts';
import type { Amounts, Currency } from './observation.ts';

/**
 * From this factor, a price needs a second witness to be accepted, however long it stays. Of the 65
 * moves by a factor of two or more in 262,861 days of printings, two were larger, and both look
 * wrong.
 */
export const WITNESS_FACTOR = 10;

/** The validation rules and what each one catches, worded for the operator. */
export const VALIDATION_RULES = {
  'absurd-price': 'an impossible amount',
  'absurd-date': 'observed in the future, or before trading cards existed',
  'wrong-currency': 'a currency that is not the one of that market',
  'shared-external-id': 'different cards of the source claim one product',
  'reassigned-id': 'the source’s id of a card comes back with another card’s name or number',
  'conflicting-prices': 'two very different prices for one printing at once',
  'unknown-printing': 'a finish or edition that the card is not known to have',
  'swapped-printings': 'two printings of a card have taken each other’s prices',
  'copied-price': 'a printing has the exact price of another printing of its card',
  'exchanged-prices': 'two cards of a set have taken each other’s prices',
  'set-shift': 'a whole set has moved as sets never do, or has the prices of other cards',
  'partial-shift': 'many prices of a set moved together, or took each other’s places',
  'source-shift': 'a whole source has moved away from another source of its marketplace',
  'outside-listings': 'a market price outside its own listings',
  'stray-listing': 'a listing that does not fit the market price',
  'grade-order': 'a grade whose price is out of order with the raw card or other grades',
  'condition-order': 'a worn copy that costs far more than a near mint one',
  'price-jump': 'too far from its own past, and no other source agrees',
  'source-outlier': 'the first price of a source, too far from every other source',
  'mass-delisting': 'too many prices of a set or game are gone at once',
} as const;

export type ValidationRule = keyof typeof VALIDATION_RULES;

/** The rules whose findings the operator cannot approve: such a price can never be served. */
const FINAL: readonly ValidationRule[] = ['absurd-price', 'absurd-date'];

/** The rules that report the same price again in every import, so approvals are remembered. */
const LASTING: readonly ValidationRule[] = [
  'wrong-currency',
  'shared-external-id',
  'conflicting-prices',
  'unknown-printing',
  'stray-listing',
  'grade-order',
  'condition-order',
];

/** The rules that do not judge the price, but whether it is one of this printing at all. */
const NOT_ABOUT_VALUE: readonly ValidationRule[] = [
  'absurd-price',
  'absurd-date',
  'wrong-currency',
  'shared-external-id',
  'reassigned-id',
  'unknown-printing',
];

/** Whether a rule has compared a price of the printing, so the served price is in dispute. */
export function isAboutValue(rule: ValidationRule): boolean {
  return !NOT_ABOUT_VALUE.includes(rule);
}

/** Returns a sentence for callers on why a rule rejects a price. */
export function reasonOf(rule: string): string {
  const known = findValidationRule(rule);
  const text = known ? VALIDATION_RULES[known] : 'a price that is not confirmed yet';
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Returns the rule of this name, or undefined. */
export function findValidationRule(name: string): ValidationRule | undefined {
  return (Object.keys(VALIDATION_RULES) as ValidationRule[]).find((rule) => rule === name);
}

/** The rules about many prices at once. */
const MASS_RULES: readonly ValidationRule[] = ['set-shift', 'partial-shift', 'source-shift'];

/** Whether a rule is about a whole set or source, which is released as a whole. */
export function isMassRule(rule: ValidationRule | undefined): boolean {
  return rule !== undefined && MASS_RULES.includes(rule);
}

/** Whether the operator may approve what a rule has quarantined. */
export function isApprovable(rule: ValidationRule): boolean {
  return !FINAL.includes(rule);
}

/** Whether a rule would quarantine an approved price again unless the approval is remembered. */
export function isLasting(rule: ValidationRule): boolean {
  return LASTING.includes(rule);
}

/** The outcome of an entry: the operator's decision, or `closed` if it closed by itself. */
export type EntryDecision = 'approved' | 'rejected' | 'closed';

/* Quarantined prices, as explanations, lists and reports show them. */

/** An amount that is not served. */
export interface QuarantinedAmount {
  /** `market`, `near_mint`, `psa_10`. */
  readonly name: string;
  /** In cents, like `was`. */
  readonly value: Cents;
  /** The last accepted amount; null if there is none or it is not known. */
  readonly was: Cents | null;
  /** The ratio of the larger amount to the smaller one, at least 1; null without `was`. */
  readonly ratio: number | null;
}

/** An entry of the quarantine. */
export interface QuarantinedPrice {
  /** The id by which the operator decides on the entry. */
  readonly id: number;
  readonly source: string;
  /** Null if the entry is about several observations. */
  readonly marketplace: string | null;
  /** The source's own id of the card. */
  readonly externalId: string | null;
  /** The name of the printing; null if the entry is about several. */
  readonly printing: string | null;
  /** By its name in the table of validation rules. */
  readonly rule: string;
  /** Why the rule objects, with the numbers that it compared. */
  readonly detail: string;
  readonly currency: Currency;
  readonly amounts: readonly QuarantinedAmount[];
  /** The row ids of the printings that would lose their price; empty except for mass delistings. */
  readonly delisted: readonly number[];
  /** The number of days on which its source has reported about the same; 0 for a past day. */
  readonly days: number;
  readonly observedAt: Millis | null;
  readonly quarantinedAt: Millis;
  readonly decision: EntryDecision | null;
}

/** The operator's possible actions on an entry. */
export type QuarantineAction = 'approve' | 'reject' | 'undo';

/** Returns the operator's possible actions on an entry, in the order to offer them. */
export function actionsOn({
  rule,
  decision,
}: Pick<QuarantinedPrice, 'rule' | 'decision'>): QuarantineAction[] {
  if (decision === 'approved') return [];
  const known = findValidationRule(rule);
  const approve: QuarantineAction[] = known && !isApprovable(known) ? [] : ['approve'];
  return [...approve, decision === null ? 'reject' : 'undo'];
}

/** Lists amounts by name; `names` restricts them. */
export function quarantinedAmounts(
  { prices, conditions, graded }: Amounts,
  was: Readonly<Record<string, Cents>> = {},
  names?: readonly string[],
): QuarantinedAmount[] {
  const all = Object.entries<Cents | null | undefined>({ ...prices, ...conditions, ...graded });
  return all.flatMap(([name, value]) => {
    if (value === null || value === undefined || names?.includes(name) === false) return [];
    const before = was[name] ?? null;
    return [{ name, value, was: before, ratio: before ? ratioOf(value, before) : null }];
  });
}

/** Returns the ratio of the larger amount to the smaller; null if one of them is not above 0. */
export function ratioOf(a: Cents, b: Cents): number | null {
  return a > 0 && b > 0 ? Math.max(a, b) / Math.min(a, b) : null;
}

/**
 * Returns the most significant amount: the market price if it has moved, otherwise the amount
 * farthest from the accepted one, otherwise the first. Large moves of listings mean little.
 */
export function tellingAmount({
  amounts,
}: Pick<QuarantinedPrice, 'amounts'>): QuarantinedAmount | undefined {
  const market = amounts.find(({ name, ratio }) => name === 'market' && ratio !== null);
  if (market && market.value !== market.was) return market;
  return amounts.reduce<QuarantinedAmount | undefined>((best, amount) => {
    return best && (best.ratio ?? 0) >= (amount.ratio ?? 0) ? best : amount;
  }, undefined);
}

/** Formats an amount as `$10.00 → $99.00 (9.9×)`, or as the new one alone. */
export function formatChange({ value, was, ratio }: QuarantinedAmount, currency: Currency): string {
  if (was === null) return formatCents(value, currency);
  const change = `${formatCents(was, currency)} → ${formatCents(value, currency)}`;
  return ratio === null ? change : `${change} (${formatRatio(ratio)})`;
}

/** The smallest and largest quarantined amounts, as multiples of the accepted ones. */
export interface ChangeSpan {
  readonly from: number;
  readonly to: number;
}

/** Formats a span of changes as `0.25× to 9.9×`, or as one ratio if both are the same. */
export function formatSpan({ from, to }: ChangeSpan): string {
  const ends = [...new Set([from, to].map(formatRatio))];
  return ends.join(' to ');
}

/** Formats a ratio as `9.9×`; ratios of a hundred and more have no decimals. */
function formatRatio(ratio: number): string {
  if (ratio >= 99.95) return `${Math.round(ratio)}×`;
  if (ratio >= 9.995) return `${ratio.toFixed(1)}×`;
  return `${ratio.toFixed(2).replace(/0$/, '')}×`;
}
