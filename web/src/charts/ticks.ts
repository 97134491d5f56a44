/** Where the axes of the chart have their labels. */

/** The multiples of a power of ten that people count in. */
const ROUND = [1, 2, 2.5, 5, 10];

/**
 * Returns evenly spaced round amounts within a range of dollars, at most `most` of them and no finer
 * than whole cents.
 */
export function amountTicks(from: number, to: number, most: number): number[] {
  // In cents, whose multiples are exact.
  const least = Math.max(1, ((to - from) * 100) / Math.max(1, most));
  const power = 10 ** Math.floor(Math.log10(least));
  const steps = ROUND.map((factor) => factor * power);
  const step = steps.find((each) => each >= least && Number.isInteger(each)) ?? 10 * power;
  const first = Math.ceil((from * 100) / step);
  const last = Math.floor((to * 100) / step);
  return Array.from({ length: last - first + 1 }, (_, index) => ((first + index) * step) / 100);
}

const SECONDS_PER_DAY = 86_400;
/** The steps in which days, months and years are counted. */
const DAYS = [1, 2, 7, 14];
const MONTHS = [1, 2, 3, 6];
const YEARS = [1, 2, 5, 10, 20, 50];

/**
 * Returns UTC midnights from the first to the last one, all in Unix seconds, at most `most` of them:
 * some days apart, the first days of months, or those of years.
 */
export function dayTicks(first: number, last: number, most: number): number[] {
  const isFew = (ticks: readonly number[]) => ticks.length <= most;
  return (
    DAYS.map((step) => daysApart(first, last, step)).find(isFew) ??
    [...MONTHS, ...YEARS.map((years) => years * 12)]
      .map((step) => firstsOfMonths(first, last, step))
      .find(isFew) ??
    []
  );
}

/** Counts back from the last day, which is the one that matters most. */
function daysApart(first: number, last: number, step: number): number[] {
  const count = Math.floor((last - first) / SECONDS_PER_DAY / step) + 1;
  return Array.from({ length: count }, (_, index) => {
    return last - (count - 1 - index) * step * SECONDS_PER_DAY;
  });
}

/** The months whose number since the year 0 is a multiple of `step`. */
function firstsOfMonths(first: number, last: number, step: number): number[] {
  const start = Math.ceil(monthsOf(first - 1) / step) * step;
  const ticks = [];
  for (let month = start; secondsOf(month) <= last; month += step) {
    if (secondsOf(month) >= first) ticks.push(secondsOf(month));
  }
  return ticks;
}

function monthsOf(seconds: number): number {
  const date = new Date(seconds * 1000);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

function secondsOf(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12) / 1000;
}
