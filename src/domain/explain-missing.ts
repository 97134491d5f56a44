import type { LeftOutReason } from './choose.ts';
import { dayOf, formatDay } from './day.ts';
import type { ExplainedLeftOut, ExplainedNumber } from './explain.ts';
import { CONTRACT_GRADES } from './grade-names.ts';
import { isGrade } from './grades.ts';
import { formatCents } from './money.ts';
import { CONDITIONS, FIGURES } from './price.ts';
import { actionsOn, type QuarantinedAmount, type QuarantinedPrice } from './quarantined.ts';

/** Explains in sentences which numbers of a printing are not served, and what replaces them. */

/** Why a number is null: no source reports it, it is quarantined, or a merge rule leaves it out. */
export type MissingReason = 'not-reported' | 'quarantined' | LeftOutReason;

/** A quarantined entry with the amount that it reports for one number. */
export interface QuarantinedNumber {
  readonly price: QuarantinedPrice;
  /** Null for a mass delisting, which reports that there is no longer a price. */
  readonly amount: QuarantinedAmount | null;
  readonly explanation: string;
}

/** A served number with its quarantined observations. */
export interface NumberWithQuarantined extends ExplainedNumber {
  readonly quarantined: readonly QuarantinedNumber[];
}

/** A number that a printing could have and does not serve. */
export interface MissingNumber {
  /** As in the prices of a card: `market`, `conditions.near_mint`, `graded.psa_10`. */
  readonly name: string;
  readonly reason: MissingReason;
  readonly explanation: string;
  readonly quarantined: readonly QuarantinedNumber[];
  readonly leftOut: readonly ExplainedLeftOut[];
}

/** The numbers that every answer about a printing contains. */
const NUMBERS: readonly string[] = [
  ...FIGURES,
  ...CONDITIONS.map((name) => `conditions.${name}`),
  ...CONTRACT_GRADES.map((name) => `graded.${name}`),
];

/**
 * Adds the quarantined entries to numbers. If the served price is an older one from the same source
 * and marketplace, the explanation says so.
 */
export function withQuarantined(
  numbers: readonly ExplainedNumber[],
  quarantined: readonly QuarantinedPrice[],
): NumberWithQuarantined[] {
  return numbers.map((number) => {
    const own = quarantinedOf(number.name, quarantined, number.observation?.source);
    const newer = own.find(({ price }) => isNewerThanServed(number, price));
    const { observation, explanation } = number;
    if (!newer || !observation) return { ...number, quarantined: own };
    const day = formatDay(dayOf(observation.observedAt));
    const last = `It is the last accepted one, of ${day}: ${newer.explanation}`;
    return { ...number, explanation: `${explanation} ${last}`, quarantined: own };
  });
}

/** Explains every number that a printing could have but `numbers` do not serve. */
export function explainMissing(
  numbers: readonly ExplainedNumber[],
  quarantined: readonly QuarantinedPrice[],
): MissingNumber[] {
  const known = new Map(numbers.map((number) => [number.name, number]));
  const held = quarantined.flatMap(({ amounts }) => amounts.map(({ name }) => name));
  const grades = held.filter(isGrade).map((name) => `graded.${name}`);
  return [...new Set([...NUMBERS, ...known.keys(), ...grades])].flatMap((name) => {
    const number = known.get(name);
    if (number && number.value !== null) return [];
    return [missing(name, number, quarantinedOf(name, quarantined))];
  });
}

function missing(
  name: string,
  number: ExplainedNumber | undefined,
  quarantined: readonly QuarantinedNumber[],
): MissingNumber {
  const leftOut = (number?.leftOut ?? []).filter(({ value }) => value !== null);
  const [[held], [other]] = [quarantined, leftOut];
  const rest = { name, quarantined, leftOut };
  if (held) return { ...rest, reason: 'quarantined', explanation: held.explanation };
  if (!number || !other) {
    return { ...rest, reason: 'not-reported', explanation: 'No source reports it.' };
  }
  return { ...rest, reason: other.reason, explanation: describeLeftOut(number, other) };
}

function describeLeftOut({ observation: served }: ExplainedNumber, other: ExplainedLeftOut) {
  const { observation, value, explanation } = other;
  const has = value === null ? 'has it' : `has ${formatCents(value, observation.currency)}`;
  const whose = `${observation.source} (${observation.marketplace}) ${has}`;
  if (!served) return `${whose}. ${explanation}`;
  const one = `${served.source} (${served.marketplace}) is served and does not report it`;
  return `${one}. ${whose}, but in another observation. ${explanation}`;
}

/**
 * Returns the entries about a number, newest first. An entry about a past day concerns no served
 * number. A mass delisting concerns the numbers that its source serves.
 */
function quarantinedOf(
  name: string,
  quarantined: readonly QuarantinedPrice[],
  servedSource?: string,
): QuarantinedNumber[] {
  const plain = name.slice(name.indexOf('.') + 1);
  const own = quarantined.flatMap((price): QuarantinedNumber[] => {
    const amount = price.amounts.find((one) => one.name === plain) ?? null;
    const isDelisted = price.delisted.length > 0 && price.source === servedSource;
    if ((!amount && !isDelisted) || price.days === 0) return [];
    return [{ price, amount, explanation: describeQuarantined(price, amount) }];
  });
  return own.sort((a, b) => (b.price.observedAt ?? 0) - (a.price.observedAt ?? 0));
}

function isNewerThanServed({ observation }: ExplainedNumber, price: QuarantinedPrice): boolean {
  if (!observation || observation.source !== price.source) return false;
  const { marketplace, observedAt } = price;
  if (marketplace !== null && marketplace !== observation.marketplace) return false;
  return (observedAt ?? 0) > observation.observedAt;
}

function describeQuarantined(price: QuarantinedPrice, amount: QuarantinedAmount | null): string {
  const { id, source, rule, detail, currency, days, observedAt, quarantinedAt } = price;
  const what = amount ? formatCents(amount.value, currency) : 'no price';
  const when = observedAt === null ? '' : ` of ${formatDay(dayOf(observedAt))}`;
  const since = `quarantined since ${formatDay(dayOf(quarantinedAt))}`;
  const often = days > 1 ? `, reported on ${days} days` : '';
  const head = `${source} reports ${what}${when}, ${since}${often} by ${rule}`;
  return `${head}: ${detail} ${describeActions(id, price)}`;
}

function describeActions(id: number, price: QuarantinedPrice): string {
  const texts = {
    approve: 'approve it',
    reject: 'reject it',
    undo: 'undo its rejection',
  };
  const can = actionsOn(price).map((action) => texts[action]);
  return `The operator can ${can.join(' or ')} (entry ${id}).`;
}
