/** Mistakes in all prices of a set or a feed: functions that make the table of kinds. */
import type { Kind, Target, Wrong } from './kind.ts';
import { type Alter, change } from './mistakes.ts';
import type { Amounts, Row } from './model.ts';

type Plant = Kind['plant'];

/** Every printing goes wrong in the same way, and follows its true price. */
export function every(alter: Alter): Plant {
  return ({ rows, start }) => rows.map((row) => change(row, start, 'moves', alter));
}

/** Each row takes the amounts of the row before it, as when a column slips by one. */
export function shifted({ rows, start }: Target): Wrong[] {
  return rows.map((row, index) => {
    return takes(row, rows[(index || rows.length) - 1], start);
  });
}

/** Each row takes the amounts of the row at its place in another set. */
export function ofAnotherSet(target: Target): Wrong[] {
  const others = target.otherSet(target.rows.length);
  return target.rows.map((row, index) => takes(row, others[index], target.start));
}

/** All rows take the amounts of one of them, of the middle one by price. */
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

/** The source publishes the day before the mistake again and again, under the new dates. */
export function dayRepeated({ rows, start }: Target): Wrong[] {
  return rows.map((row) => {
    const before = row.days[start - 1];
    return { row, truth: row.days, amounts: () => before };
  });
}

function takes(row: Row, from: Row | undefined, start: number): Wrong {
  return change(row, start, 'moves', (_, day) => withNamesOf(row.days[day], from?.days[day]));
}

/** Takes the amounts that both have: a source that gives no listing does not begin to. */
function withNamesOf(own: Amounts | undefined, other: Amounts | undefined): Amounts | undefined {
  if (!own || !other) return undefined;
  return Object.fromEntries(Object.entries(other).filter(([name]) => name in own));
}
