/** The mistakes that the table of kinds (`kinds.ts`) is made of. */
import {
  type Amounts,
  cents,
  type FigureName,
  type Kind,
  type Row,
  type Target,
  type Wrong,
} from './model.ts';

type Plant = Kind['plant'];

/** Returns the wrong amounts, or undefined if there is nothing to go wrong. */
export type Alter = (truth: Amounts, day: number) => Amounts | undefined;

/** Whether a wrong price keeps its first value, or follows the true price. */
export type Lasting = 'stands still' | 'moves';

/** Smaller differences, in cents and as a share, are not visible. */
const LEAST_CENTS = 3;
const LEAST_SHARE = 0.05;

/** Returns the names of the amounts that are visibly wrong. */
export function wrongNames(planted: Amounts, truth: Amounts | undefined): FigureName[] {
  const names = Object.keys(planted) as FigureName[];
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
export function times(name: FigureName, factor: number): Alter {
  return (truth) => set(name, truth[name], (amount) => amount * factor);
}

/** Multiplies all amounts. */
export function allTimes(factor: number): Alter {
  return (truth) => {
    const names = Object.keys(truth) as FigureName[];
    return Object.fromEntries(names.map((name) => [name, cents((truth[name] ?? 0) * factor)]));
  };
}

/** Sets one amount to a share of another one. */
export function shareOf(name: FigureName, base: FigureName, share: number): Alter {
  return (truth) => {
    return truth[name] === undefined ? undefined : set(name, truth[base], (one) => one * share);
  };
}

/** Sets one amount of printings that cost at least `from`, in cents. */
export function setTo(name: FigureName, amount: number, from = 1): Alter {
  return (truth) => {
    return (truth[name] ?? 0) >= from ? { [name]: cents(amount) } : undefined;
  };
}

/** Exchanges two amounts. */
export function exchange(one: FigureName, other: FigureName): Alter {
  return (truth) => {
    const [a, b] = [truth[one], truth[other]];
    return a === undefined || b === undefined ? undefined : { [one]: b, [other]: a };
  };
}

function set(name: FigureName, base: number | undefined, amount: (base: number) => number) {
  return base === undefined ? undefined : { [name]: cents(amount(base)) };
}

/** Replaces a card's amounts with another card's. */
export function anotherCard(lasting: Lasting): Plant {
  return (target) => {
    const [row] = target.rows;
    const other = target.other();
    if (!row || !other) return undefined;
    return [change(row, target.start, lasting, (_, day) => other.days[day])];
  };
}

/** Exchanges two printings of a card whose price ratio is from `from` to below `to`. */
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

/** Gives a printing the amounts of another printing of its card. */
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

/** Reports a printing that the card does not have, at `factor` times the price of a real one. */
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

/** Every printing goes wrong in the same way and follows its true price. */
export function every(alter: Alter): Plant {
  return ({ rows, start }) => rows.map((row) => change(row, start, 'moves', alter));
}

/** Each row takes the amounts of the previous row, as when a column slips by one. */
export function shifted({ rows, start }: Target): Wrong[] {
  return rows.map((row, index) => {
    return takes(row, rows[(index || rows.length) - 1], start);
  });
}

/** Each row takes the amounts of the same row in another set. */
export function ofAnotherSet(target: Target): Wrong[] {
  const others = target.otherSet(target.rows.length);
  return target.rows.map((row, index) => takes(row, others[index], target.start));
}

/** All rows take the amounts of the row with the median price. */
export function allEqual({ rows, start }: Target): Wrong[] {
  const price = ({ days }: Row) => days[start]?.market ?? 0;
  const priced = rows.filter((row) => price(row) > 0).sort((a, b) => price(a) - price(b));
  const middle = priced[Math.floor(priced.length / 2)];
  return rows.map((row) => takes(row, middle, start));
}

/** The printings of every card that has two exchange their amounts. */
export function printingsExchanged({ rows, start }: Target): Wrong[] | undefined {
  const cards = [...Map.groupBy(rows, ({ card }) => card).values()];
  const exchanged = cards.flatMap((own) => {
    const [one, other, ...more] = own;
    if (!one || !other || more.length > 0) return [];
    return [takes(one, other, start), takes(other, one, start)];
  });
  return exchanged.length > 0 ? exchanged : undefined;
}

/** The source publishes the day before the mistake again under each new date. */
export function dayRepeated({ rows, start }: Target): Wrong[] {
  return rows.map((row) => {
    const before = row.days[start - 1];
    return { row, truth: row.days, amounts: () => before };
  });
}

function takes(row: Row, from: Row | undefined, start: number): Wrong {
  return change(row, start, 'moves', (_, day) => withNamesOf(row.days[day], from?.days[day]));
}

/** Takes the amounts that both have: a source without listings does not begin to have them. */
function withNamesOf(own: Amounts | undefined, other: Amounts | undefined): Amounts | undefined {
  if (!own || !other) return undefined;
  return Object.fromEntries(Object.entries(other).filter(([name]) => name in own));
}
