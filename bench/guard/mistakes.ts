/** Single mistakes: functions that make the table of kinds (`kinds.ts`). */
import type { Kind, Target, Wrong } from './kind.ts';
import { type AmountName, type Amounts, cents, type Row } from './model.ts';

type Plant = Kind['plant'];

/** Returns the amounts that go wrong, or undefined where there are none to go wrong. */
export type Alter = (truth: Amounts, day: number) => Amounts | undefined;

/** Whether a wrong price keeps its first value, or follows the true price. */
export type Lasting = 'stands still' | 'moves';

/** Less than this, in cents and as a share, is no mistake that anybody sees. */
const LEAST_CENTS = 3;
const LEAST_SHARE = 0.05;

/** The names of the amounts that are visibly wrong. */
export function wrongNames(planted: Amounts, truth: Amounts | undefined): AmountName[] {
  const names = Object.keys(planted) as AmountName[];
  return names.filter((name) => {
    const [wrong = 0, right = 0] = [planted[name], truth?.[name]];
    const apart = Math.abs(wrong - right);
    return apart >= LEAST_CENTS && apart >= right * LEAST_SHARE;
  });
}

/** A mistake in one printing. */
export function single(lasting: Lasting, alter: Alter): Plant {
  return ({ rows: [row], start }) => row && [change(row, start, lasting, alter)];
}

/** Makes a printing's report wrong from a day on. */
export function change(row: Row, start: number, lasting: Lasting, alter: Alter): Wrong {
  const first = row.days[start];
  const still = first && alter(first, start);
  const amounts = (day: number) => {
    const truth = row.days[day];
    const wrong = truth && (lasting === 'moves' ? alter(truth, day) : still);
    return wrong && { ...truth, ...wrong };
  };
  return { row, truth: row.days, amounts };
}

/** Multiplies one amount. */
export function times(name: AmountName, factor: number): Alter {
  return (truth) => set(name, truth[name], (amount) => amount * factor);
}

/** Multiplies all amounts. */
export function allTimes(factor: number): Alter {
  return (truth) => {
    const names = Object.keys(truth) as AmountName[];
    return Object.fromEntries(names.map((name) => [name, cents((truth[name] ?? 0) * factor)]));
  };
}

/** Sets one amount to a share of another one. */
export function shareOf(name: AmountName, base: AmountName, share: number): Alter {
  return (truth) => {
    return truth[name] === undefined ? undefined : set(name, truth[base], (one) => one * share);
  };
}

/** Sets one amount of printings that cost at least `from`, in cents. */
export function setTo(name: AmountName, amount: number, from = 1): Alter {
  return (truth) => {
    return (truth[name] ?? 0) >= from ? { [name]: cents(amount) } : undefined;
  };
}

/** Exchanges two amounts. */
export function exchange(one: AmountName, other: AmountName): Alter {
  return (truth) => {
    const [a, b] = [truth[one], truth[other]];
    return a === undefined || b === undefined ? undefined : { [one]: b, [other]: a };
  };
}

function set(name: AmountName, base: number | undefined, amount: (base: number) => number) {
  return base === undefined ? undefined : { [name]: cents(amount(base)) };
}

/** Another card's amounts take the place of a card's own. */
export function anotherCard(lasting: Lasting): Plant {
  return (target) => {
    const [row] = target.rows;
    const other = target.other();
    if (!row || !other) return undefined;
    return [change(row, target.start, lasting, (_, day) => other.days[day])];
  };
}

/** Two printings of a card, one of which costs between so many times the other, are exchanged. */
export function siblingsSwapped(from: number, to: number): Plant {
  return (target) => {
    const pair = siblings(target, from, to);
    if (!pair) return undefined;
    const [one, other] = pair;
    return [
      change(one, target.start, 'moves', (_, day) => other.days[day]),
      change(other, target.start, 'moves', (_, day) => one.days[day]),
    ];
  };
}

/** A printing takes the amounts of another printing of its card. */
export function siblingCopied(lasting: Lasting): Plant {
  return (target) => {
    const pair = siblings(target, 1.3, Number.POSITIVE_INFINITY);
    if (!pair) return undefined;
    const [one, other] = pair;
    return [change(one, target.start, lasting, (_, day) => other.days[day])];
  };
}

function siblings(target: Target, from: number, to: number): [Row, Row] | undefined {
  const [row] = target.rows;
  if (!row) return undefined;
  const price = ({ days }: Row) => days[target.start]?.market ?? 0;
  const fits = target.siblings(row).filter((sibling) => {
    const ratio = Math.max(price(row) / price(sibling), price(sibling) / price(row));
    return ratio >= from && ratio < to;
  });
  const other = fits[Math.floor(target.random() * fits.length)];
  return other && [row, other];
}

/** A printing that the card does not have, at so many times the price of one that it has. */
export function inventedPrinting(names: readonly string[], factor: number): Plant {
  return ({ rows: [row], siblings: own, random }) => {
    if (!row) return undefined;
    const known = new Set([row, ...own(row)].map(({ printing }) => printing));
    const free = names.filter((name) => !known.has(name));
    const printing = free[Math.floor(random() * free.length)];
    if (printing === undefined) return undefined;
    const { card, set: group } = row;
    const amounts = (day: number) => {
      const truth = row.days[day];
      return truth && allTimes(factor)(truth, day);
    };
    return [{ row: { card, printing, set: group }, truth: [], amounts }];
  };
}
