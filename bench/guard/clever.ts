/** Mistakes that are clever or merely noisy: each day by itself, or most of a set, looks right. */
import { type Alter, change } from './mistakes.ts';
import { cents, type Kind, type Row, type Target, type Wrong } from './model.ts';

type Plant = Kind['plant'];

/** Multiplies the market price by a factor that depends on how many days the mistake has lasted. */
export function byDay(factorOf: (days: number, random: number) => number): Plant {
  return ({ rows: [row], start, random }) => {
    if (!row) return undefined;
    const noise = row.days.map(() => random());
    const alter: Alter = ({ market }, day) => {
      if (market === undefined) return undefined;
      return { market: cents(market * factorOf(day - start, noise[day] ?? 0)) };
    };
    return [change(row, start, 'moves', alter)];
  };
}

/** Multiplies by `factor`, give or take a share that differs from day to day. */
export function noisy(factor: number, share: number): Plant {
  return byDay((_, random) => factor * (1 + share * (2 * random - 1)));
}

/** Multiplies the market prices of a share of a set. */
export function partTimes(share: number, factor: number): Plant {
  return (target) => {
    return shareOf(target, share).map((row) => {
      return change(row, target.start, 'moves', ({ market }) => timesMarket(market, factor));
    });
  };
}

/** Exchanges the market prices of a share of a set at random. */
export function permuted(share: number): Plant {
  return (target) => {
    const rows = shareOf(target, share);
    return rows.map((row, at) => takesMarket(row, rows[(at + 1) % rows.length], target.start));
  };
}

/** The rows from a share of the set on take the price of the row before. */
export function shiftedFrom(share: number): Plant {
  return ({ rows, start }) => {
    const from = Math.max(1, Math.floor(rows.length * share));
    return rows.slice(from).map((row, at) => takesMarket(row, rows[from + at - 1], start));
  };
}

/** A share of a set takes the prices of the same rows of another set. */
export function partOfAnotherSet(share: number): Plant {
  return (target) => {
    const rows = shareOf(target, share);
    const others = target.otherSet(rows.length);
    return rows.map((row, at) => takesMarket(row, others[at], target.start));
  };
}

/** A share of a set takes its own prices in the order of their size. */
export function sorted(share: number): Plant {
  return (target) => {
    const rows = shareOf(target, share);
    const price = ({ days }: Row) => days[target.start]?.market ?? 0;
    const bySize = [...rows].sort((a, b) => price(a) - price(b));
    return rows.map((row, at) => takesMarket(row, bySize[at], target.start));
  };
}

/** Each printing of a share of a set takes the price of another printing of its card. */
export function partOfSiblings(share: number): Plant {
  return (target) => {
    return shareOf(target, share).flatMap((row) => {
      const [sibling] = target.siblings(row);
      return sibling ? [takesMarket(row, sibling, target.start)] : [];
    });
  };
}

/** All prices of a set move by a factor more each day. */
export function drifting(factor: number): Plant {
  return ({ rows, start }) => {
    return rows.map((row) =>
      change(row, start, 'moves', ({ market }, day) => {
        return timesMarket(market, factor ** (day - start + 1));
      }),
    );
  };
}

/** All market prices of a set become whole dollars. */
export function rounded({ rows, start }: Target): Wrong[] {
  return rows.map((row) =>
    change(row, start, 'moves', ({ market }) => {
      return market === undefined ? undefined : { market: cents(Math.round(market / 100) * 100) };
    }),
  );
}

/** A printing's price takes a leading digit: `12.50` becomes `112.50`. */
export const leadingDigit: Alter = ({ market }) => {
  return market === undefined ? undefined : { market: cents(Number(`1${market}`)) };
};

function timesMarket(market: number | undefined, factor: number) {
  return market === undefined ? undefined : { market: cents(market * factor) };
}

function takesMarket(row: Row, from: Row | undefined, start: number): Wrong {
  return change(row, start, 'moves', (_, day) => {
    const market = from?.days[day]?.market;
    return market === undefined ? undefined : { market };
  });
}

function shareOf({ rows, random }: Target, share: number): readonly Row[] {
  return rows.filter(() => random() < share);
}
