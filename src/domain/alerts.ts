import type { CopyName } from './copy.ts';
import { formatCopyName } from './copy.ts';
import type { Day } from './day.ts';
import { isGrade } from './grades.ts';
import { type Cents, dollarsFromCents, dollarsOrNull, formatCents, MAX_CENTS } from './money.ts';

/** Alerts: rules for when a price of a card makes one fire (docs/alerts.md). */

/** The kinds of rules of an alert, with a sentence for each. */
export const ALERT_KINDS = {
  above: 'The price reaches an amount or more.',
  below: 'The price falls to an amount or less.',
  rise: 'The price rises by a percentage within some days.',
  fall: 'The price falls by a percentage within some days.',
  high: 'The price is higher than ever before.',
  low: 'The price is lower than ever before.',
  first: 'The first price becomes known.',
} as const;

export type AlertKind = keyof typeof ALERT_KINDS;

export const ALERT_KIND_NAMES = Object.keys(ALERT_KINDS) as AlertKind[];

/** When to mail the events of an alert: never, at once, or together once a day. */
export const ALERT_MAILS = ['off', 'now', 'daily'] as const;

export type AlertMail = (typeof ALERT_MAILS)[number];

/** The rule of an alert. Parts that its kind does not use are null. */
export interface AlertRule {
  readonly kind: AlertKind;
  /** For `above` and `below`, in cents. */
  readonly amount: Cents | null;
  /** For `rise` and `fall`, like `days`. */
  readonly percent: number | null;
  readonly days: number | null;
}

/** A price that an alert watches. */
export interface AlertLine {
  /** The public id of the card. */
  readonly card: string;
  /** The name of the printing. */
  readonly printing: string;
  /** A condition or grade; empty for the market price. */
  readonly copy: CopyName | '';
}

/** The state of a line between two prices, stored as JSON. */
export interface AlertState {
  /** The last known price; null before the first. */
  readonly price: Cents | null;
  /** Whether the next price may make the alert fire. */
  readonly armed: boolean;
  /** For `high` and `low`: the highest or lowest price so far. */
  readonly extreme?: Cents | null;
  /**
   * For `rise` and `fall`: earlier prices since the alert last fired, each with the day on which
   * another replaced it. Only those that can still be the lowest or highest of a window.
   */
  readonly replaced?: readonly (readonly [day: Day, price: Cents])[];
}

/** The lowest and highest price of a history, in cents. */
export interface PriceRange {
  readonly lowest: Cents;
  readonly highest: Cents;
}

/** The largest numbers of a rule; the amount in cents. `days` bounds the size of a state. */
export const RULE_LIMITS = { amount: MAX_CENTS, percent: 1000, days: 90 } as const;

/**
 * How far a price must return, in percent of the amount or extreme, before an alert that has fired
 * may fire again. Smaller fluctuations do not fire it again.
 */
export const REARM_PERCENT = 5;

/** The parts of a rule in a request. */
export interface RuleDraft {
  readonly kind: AlertKind;
  readonly amount?: Cents | undefined;
  readonly percent?: number | undefined;
  readonly days?: number | undefined;
}

/** Reads the parts of a rule; returns a sentence about a missing or superfluous part. */
export function readRule({
  kind,
  amount,
  percent,
  days,
}: RuleDraft): { readonly rule: AlertRule } | { readonly problem: string } {
  const hasAmount = kind === 'above' || kind === 'below';
  const hasWindow = kind === 'rise' || kind === 'fall';
  if (hasAmount !== (amount !== undefined)) {
    return { problem: `An alert of the kind "${kind}" ${hasAmount ? 'needs' : 'has no'} amount.` };
  }
  if (hasWindow !== (percent !== undefined) || hasWindow !== (days !== undefined)) {
    const verb = hasWindow ? 'needs percent and' : 'has no percent or';
    return { problem: `An alert of the kind "${kind}" ${verb} days.` };
  }
  if (kind === 'fall' && percent !== undefined && percent > 99) {
    return { problem: 'A price cannot fall by more than 99 percent.' };
  }
  return {
    rule: { kind, amount: amount ?? null, percent: percent ?? null, days: days ?? null },
  };
}

/** Describes the rule of an alert: `above $50.00`. */
export function describeRule({ kind, amount, percent, days }: AlertRule): string {
  const window = `${percent} % within ${days === 1 ? 'a day' : `${days} days`}`;
  const texts: Readonly<Record<AlertKind, string>> = {
    above: `at or above ${formatCents(amount ?? (0 as Cents))}`,
    below: `at or below ${formatCents(amount ?? (0 as Cents))}`,
    rise: `up ${window}`,
    fall: `down ${window}`,
    high: 'a new all-time high',
    low: 'a new all-time low',
    first: 'a first price',
  };
  return texts[kind];
}

/**
 * Returns the initial state of a line. A price that is already beyond the amount has not crossed
 * it.
 * @param past The earlier prices in the history; undefined if there are none, or if the kind of the
 *   rule does not depend on them.
 */
export function beginWith(rule: AlertRule, price: Cents | null, past?: PriceRange): AlertState {
  switch (rule.kind) {
    case 'above':
    case 'below':
      return { price, armed: price === null || !isBeyond(rule, price) };
    case 'rise':
    case 'fall':
      return { price, armed: true, replaced: [] };
    case 'high':
      return { price, armed: true, extreme: furthest(rule, price, past?.highest ?? null) };
    case 'low':
      return { price, armed: true, extreme: furthest(rule, price, past?.lowest ?? null) };
    case 'first':
      return { price, armed: price === null && past === undefined };
  }
}

/** A price of a line. */
export interface JudgedPrice {
  /** The day (UTC) on which it was published. */
  readonly day: Day;
  /** Null while the price is unknown, which changes nothing. */
  readonly price: Cents | null;
}

/**
 * Judges the next price of a line. Previews and alerts share this function, so a preview lists
 * exactly the events that would fire if the same prices were published on the same days. An
 * unchanged price has no effect, so it need not be judged.
 */
export function judge(
  rule: AlertRule,
  state: AlertState,
  { day, price }: JudgedPrice,
): { readonly state: AlertState; readonly fires: boolean } {
  if (price === null || price === state.price) return { state, fires: false };
  switch (rule.kind) {
    case 'above':
    case 'below':
      return judgeAmount(rule, state, price);
    case 'rise':
    case 'fall':
      return judgeMove(rule, state, day, price);
    case 'high':
    case 'low':
      return judgeExtreme(rule, state, price);
    case 'first':
      return { state: { price, armed: false }, fires: state.armed };
  }
}

/** An event that would have fired on a day. */
export interface PreviewedEvent {
  readonly day: Day;
  readonly before: Cents | null;
  readonly after: Cents;
}

/** The known prices of a line, oldest first. */
export interface PreviewedPast {
  readonly prices: readonly { readonly day: Day; readonly price: Cents }[];
  /** The assumed day of the alert's creation: judgement begins on the next day. */
  readonly from: Day;
  /**
   * Whether `prices` contains everything before. If not, the first price only sets the initial
   * state.
   */
  readonly isWhole: boolean;
}

/**
 * Returns the events that an alert would have fired if the prices of each day had been published
 * then.
 */
export function previewLine(
  rule: AlertRule,
  { prices, from, isWhole }: PreviewedPast,
): PreviewedEvent[] {
  const later = prices.findIndex(({ day }) => day > from);
  const split = later === -1 ? prices.length : later;
  const begin = split === 0 && !isWhole ? 1 : split;
  const past = prices.slice(0, begin);
  let state = beginWith(rule, past.at(-1)?.price ?? null, rangeOf(past));
  const events: PreviewedEvent[] = [];
  for (const { day, price } of prices.slice(begin)) {
    const judged = judge(rule, state, { day, price });
    if (judged.fires) events.push({ day, before: state.price, after: price });
    state = judged.state;
  }
  return events;
}

/** Returns the lowest and the highest price; undefined if there are none. */
export function rangeOf(prices: Iterable<{ readonly price: Cents }>): PriceRange | undefined {
  let range: PriceRange | undefined;
  for (const { price } of prices) {
    const { lowest, highest } = range ?? { lowest: price, highest: price };
    range = {
      lowest: price < lowest ? price : lowest,
      highest: price > highest ? price : highest,
    };
  }
  return range;
}

function judgeAmount(rule: AlertRule, { armed }: AlertState, price: Cents) {
  if (isBeyond(rule, price)) return { state: { price, armed: false }, fires: armed };
  return { state: { price, armed: armed || isBack(rule, rule.amount, price) }, fires: false };
}

/** The price that fired the alert starts the next move. */
function judgeMove(rule: AlertRule, state: AlertState, day: Day, price: Cents) {
  const replaced = replacedBy(rule, state, day);
  const base = replaced[0]?.[1];
  const fires = base !== undefined && hasMoved(rule, base, price);
  return { state: { price, armed: true, replaced: fires ? [] : replaced }, fires };
}

/**
 * Returns the earlier prices in the window that ends on a day, the lowest first for `rise` and the
 * highest first for `fall`. Omits an earlier price that is less extreme than a later one, because
 * it leaves the window sooner.
 */
function replacedBy({ kind, days }: AlertRule, { price, replaced = [] }: AlertState, day: Day) {
  const recent = replaced.filter(([end]) => end > day - (days ?? 0));
  if (price === null) return recent;
  const further = recent.filter(([, other]) => (kind === 'rise' ? other < price : other > price));
  return [...further, [day, price] as const];
}

function judgeExtreme(rule: AlertRule, { armed, extreme = null }: AlertState, price: Cents) {
  if (furthest(rule, price, extreme) !== extreme) {
    return { state: { price, armed: false, extreme: price }, fires: armed && extreme !== null };
  }
  return { state: { price, extreme, armed: armed || isBack(rule, extreme, price) }, fires: false };
}

function isBeyond({ kind, amount }: AlertRule, price: Cents): boolean {
  if (amount === null) return false;
  return kind === 'above' ? price >= amount : price <= amount;
}

/** Whether a price has returned far enough from a limit. */
function isBack({ kind }: AlertRule, limit: Cents | null, price: Cents): boolean {
  if (limit === null) return false;
  const isUpper = kind === 'above' || kind === 'high';
  const share = isUpper ? 100 - REARM_PERCENT : 100 + REARM_PERCENT;
  return isUpper ? price * 100 <= limit * share : price * 100 >= limit * share;
}

function hasMoved({ kind, percent }: AlertRule, base: Cents, price: Cents): boolean {
  const share = percent ?? 0;
  return kind === 'rise'
    ? price * 100 >= base * (100 + share)
    : price * 100 <= base * (100 - share);
}

/** The higher or lower of two prices; null if neither is known. */
function furthest({ kind }: AlertRule, a: Cents | null, b: Cents | null): Cents | null {
  if (a === null || b === null) return a ?? b;
  const isFurther = kind === 'high' ? a > b : a < b;
  return isFurther ? a : b;
}

/** The data of the event `alert.fired`. */
export interface FiredAlert {
  /** The id of the alert. */
  readonly alert: number;
  /** Its name; empty without one. */
  readonly name: string;
  /** Its rule, in words. */
  readonly rule: string;
  readonly card: string;
  readonly cardName: string;
  readonly printing: string;
  readonly condition?: string;
  readonly grade?: string;
  /** In US dollars; null for a first price. */
  readonly before: number | null;
  readonly after: number;
  readonly publication: number;
  /** The cursor at which the changes after the publication begin, for `/v1/changes`. */
  readonly cursor: string;
}

/** The event of a line. */
interface Firing extends AlertLine {
  readonly alertId: number;
  readonly name: string;
  readonly rule: AlertRule;
  readonly cardName: string;
  readonly before: Cents | null;
  readonly after: Cents;
  readonly publication: { readonly revision: number };
  readonly cursor: string;
}

/** Returns the data of an event for its receivers. */
export function alertPayload(event: Firing): FiredAlert {
  const { alertId, name, rule, card, cardName, printing, copy, before, after } = event;
  return {
    alert: alertId,
    name,
    rule: describeRule(rule),
    card,
    cardName,
    printing,
    ...copyFields(copy),
    before: dollarsOrNull(before),
    after: dollarsFromCents(after),
    publication: event.publication.revision,
    cursor: event.cursor,
  };
}

/** Returns a condition or grade under its name in the API; nothing for the market price. */
export function copyFields(copy: AlertLine['copy']): { condition?: string; grade?: string } {
  if (copy === '') return {};
  return isGrade(copy) ? { grade: copy } : { condition: copy };
}

/** Words an event of an alert for a chat. */
export function alertSentence(fired: FiredAlert): string {
  const { name, rule, cardName, printing, condition, grade, before, after } = fired;
  const copy = (condition ?? grade) as CopyName | undefined;
  const what = [cardName, printing, ...(copy ? [formatCopyName(copy)] : [])].join(', ');
  const was = before === null ? '' : `, was $${before.toFixed(2)}`;
  const label = name === '' ? '' : `${name}: `;
  return `${label}${what} is at $${after.toFixed(2)}${was} (${rule}).`;
}
