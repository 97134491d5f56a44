import { type Day, dayOf, type Millis } from '../../domain/day.ts';

/** Counts of one day by a number that says what is counted. */
type Counts = Map<number, number>;

/** Counts in memory, by day, until they are written. */
export class DayCounts {
  #days = new Map<Day, Counts>();
  /** The day of the last count and its counts, which nearly every count uses again. */
  #day: Day | undefined;
  #counts: Counts = new Map();

  /** Counts one more of `id` on the day of a moment. */
  add(id: number, at: Millis): void {
    const day = dayOf(at);
    if (day !== this.#day) this.#selectDay(day);
    this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1);
  }

  /** Returns all counts and begins anew. */
  take(): ReadonlyMap<Day, ReadonlyMap<number, number>> {
    const days = this.#days;
    this.#days = new Map();
    this.#day = undefined;
    return days;
  }

  /** Adds counts that were taken. */
  putBack(days: ReadonlyMap<Day, ReadonlyMap<number, number>>): void {
    for (const [day, counts] of days) {
      this.#selectDay(day);
      for (const [id, count] of counts) this.#counts.set(id, (this.#counts.get(id) ?? 0) + count);
    }
  }

  #selectDay(day: Day): void {
    this.#day = day;
    this.#counts = this.#days.get(day) ?? new Map();
    this.#days.set(day, this.#counts);
  }
}
