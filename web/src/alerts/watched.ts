import type { AlertKind } from '../../../src/domain/alerts.ts';

/** The subject of a new alert, and the default rule, which the reader can change. */

/** A printing of a card, in a condition or grade if one is named. */
export interface WatchedLine {
  readonly card: string;
  readonly printing?: string | undefined;
  readonly condition?: string | undefined;
  readonly grade?: string | undefined;
}

/** The subject of an alert: one price, the lines of a list, or a set. */
export interface Watched {
  /** Its description for people: `Charizard, Holofoil, near mint`. */
  readonly label: string;
  /** The name of the alert, if its card or set does not name it. */
  readonly name?: string;
  readonly target:
    | WatchedLine
    | { readonly lines: readonly WatchedLine[] }
    | { readonly set: string };
  /** The price now in US dollars, if it is one price and known. */
  readonly price?: number | undefined;
}

/** The rule of an alert, as entered in a form. */
export interface DraftRule {
  readonly kind: AlertKind;
  readonly amount: string;
  readonly percent: string;
  readonly days: string;
}

/** The default rise before a new alert fires, as a share of the price. */
const RISE = 1.1;

/** Returns the default rule of a new alert. */
export function suggestedRule({ price }: Watched): DraftRule {
  const window = { percent: '20', days: '30' };
  if (price === undefined) return { kind: 'rise', amount: '', ...window };
  return { kind: 'above', amount: roundedUp(price * RISE).toFixed(2), ...window };
}

/** Returns the next amount that people would choose: whole dollars from 20 on, otherwise dimes. */
function roundedUp(amount: number): number {
  if (amount >= 20) return Math.ceil(amount);
  return amount >= 1 ? Math.ceil(amount * 10) / 10 : Math.ceil(amount * 100) / 100;
}

export function hasAmount(kind: AlertKind): boolean {
  return kind === 'above' || kind === 'below';
}

export function hasWindow(kind: AlertKind): boolean {
  return kind === 'rise' || kind === 'fall';
}

/** Returns the body of the calls that preview or add an alert; undefined if a number is missing. */
export function bodyOf({ target }: Watched, rule: DraftRule): object | undefined {
  const { kind } = rule;
  const [amount, percent, days] = [rule.amount, rule.percent, rule.days].map(Number);
  if (hasAmount(kind)) return amount ? { ...target, kind, amount } : undefined;
  if (hasWindow(kind)) return percent && days ? { ...target, kind, percent, days } : undefined;
  return { ...target, kind };
}
