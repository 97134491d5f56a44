import { wrongNames } from './mistakes.ts';
import {
  type Kind,
  type Random,
  type Row,
  rowKey,
  type Target,
  type World,
  type Wrong,
} from './model.ts';

/** A mistake that begins on a day and lasts to the end. */
export interface Mistake {
  readonly kind: Kind;
  /** The index of its first day in its world. */
  readonly start: number;
  /** What counts as this one mistake: a wrong printing, or two that are exchanged. */
  readonly wrongs: readonly Wrong[];
}

/** Mistakes that do not disturb each other, so they share a replay of the days. */
export interface Plan {
  readonly mistakes: Mistake[];
  /** Wrong amounts too small to count: cents in a set whose prices all move. */
  readonly uncounted: StartedWrong[];
}

interface StartedWrong {
  readonly wrong: Wrong;
  readonly start: number;
}

/** How many mistakes of each kind are planted. */
export interface Amount {
  readonly singles: number;
  readonly sets: number;
}

/** How many days of a mistake are judged. */
export const LASTING = 10;
/** Mistakes begin on one of this many days. */
const STARTS = 3;
/** One in this many printings of a set is wrong, or one of a smaller set. */
const PRINTINGS_PER_MISTAKE = 30;
/** One in this many sets is wrong as a whole, or one of fewer. */
const SETS_PER_MISTAKE = 12;
/** Smaller sets do not go wrong as wholes. */
const LEAST_SET = 12;
const TRIES = 80;
/** Half of the single mistakes are in printings of at least this price, in cents. */
const EXPENSIVE = 500;

/** Plants mistakes of all kinds in a world. Equal random numbers give equal mistakes. */
export function plan(world: World, kinds: readonly Kind[], amount: Amount, random: Random): Plan[] {
  const planner = new Planner(world, random);
  for (const kind of kinds) {
    if (kind.scope === 'feed') planner.addFeed(kind);
    for (let n = 0; kind.scope === 'set' && n < amount.sets; n += 1) planner.addSet(kind);
  }
  // Kinds take turns, so each is part of every replay.
  for (let n = 0; n < amount.singles; n += 1) {
    for (const kind of kinds) if (kind.scope === 'single') planner.addSingle(kind);
  }
  return planner.plans.map(({ plan: made }) => made);
}

/** A plan, and where it is full. */
interface Draft {
  readonly plan: Plan;
  readonly isFull: boolean;
  /** How many mistakes each set has; Infinity if all of it is wrong. */
  readonly sets: Map<string, number>;
  readonly cards: Set<string>;
}

class Planner {
  readonly plans: Draft[] = [];
  readonly #world: World;
  readonly #random: Random;
  readonly #rows: { readonly all: readonly Row[]; readonly expensive: readonly Row[] };
  readonly #byCard: ReadonlyMap<string, readonly Row[]>;
  readonly #bySet: ReadonlyMap<string, readonly Row[]>;

  constructor(world: World, random: Random) {
    this.#world = world;
    this.#random = random;
    const expensive = world.rows.filter(({ days }) => priceOn(days, world.daysBefore) >= EXPENSIVE);
    this.#rows = { all: world.rows, expensive };
    this.#byCard = Map.groupBy(world.rows, ({ card }) => card);
    this.#bySet = Map.groupBy(world.rows, ({ set }) => set);
  }

  addFeed(kind: Kind): void {
    const start = this.#world.daysBefore;
    const wrongs = kind.plant(this.#target(this.#world.rows, start));
    if (!wrongs) return;
    const draft = this.#newDraft(true);
    this.#addMass(draft, kind, start, wrongs);
  }

  addSet(kind: Kind): void {
    const sets = [...this.#bySet].filter(([, rows]) => rows.length >= LEAST_SET);
    const most = Math.max(1, Math.floor(this.#bySet.size / SETS_PER_MISTAKE));
    for (let n = 0; n < TRIES; n += 1) {
      const [set, rows] = this.#pick(sets) ?? [];
      if (set === undefined || !rows) return;
      const start = this.#start();
      const wrongs = kind.plant(this.#target(rows, start));
      const visible = wrongs?.filter((one) => isVisible(one, kind, start)) ?? [];
      if (!wrongs || visible.length < leastRows(kind, rows.length)) continue;
      const fits = ({ isFull, sets: taken }: Draft) => {
        return !isFull && !taken.has(set) && taken.size < most;
      };
      const draft = this.plans.find(fits) ?? this.#newDraft(false);
      draft.sets.set(set, Number.POSITIVE_INFINITY);
      this.#addMass(draft, kind, start, wrongs);
      return;
    }
  }

  #addMass(draft: Draft, kind: Kind, start: number, wrongs: readonly Wrong[]): void {
    for (const wrong of wrongs) {
      if (isVisible(wrong, kind, start)) draft.plan.mistakes.push({ kind, start, wrongs: [wrong] });
      else draft.plan.uncounted.push({ wrong, start });
    }
  }

  addSingle(kind: Kind): void {
    for (let n = 0; n < TRIES; n += 1) {
      const row = this.#pickRow(kind);
      const start = this.#start();
      if (!row || !isReported(row, start)) continue;
      const wrongs = kind.plant(this.#target([row], start));
      if (!wrongs?.every((wrong) => isVisible(wrong, kind, start))) continue;
      const draft = this.plans.find((one) => this.#hasRoom(one, row)) ?? this.#newDraft(false);
      draft.cards.add(row.card);
      draft.sets.set(row.set, (draft.sets.get(row.set) ?? 0) + wrongs.length);
      draft.plan.mistakes.push({ kind, start, wrongs });
      return;
    }
  }

  #pickRow({ isUnlisted }: Kind): Row | undefined {
    if (isUnlisted) return this.#pick(this.#world.unlisted);
    const { all, expensive } = this.#rows;
    return this.#pick(this.#random() < 0.5 && expensive.length > 0 ? expensive : all);
  }

  #hasRoom({ isFull, sets, cards }: Draft, { card, set }: Row): boolean {
    const size = this.#bySet.get(set)?.length ?? 0;
    const most = Math.max(1, Math.floor(size / PRINTINGS_PER_MISTAKE));
    return !isFull && !cards.has(card) && (sets.get(set) ?? 0) < most;
  }

  #newDraft(isFull: boolean): Draft {
    const plan: Plan = { mistakes: [], uncounted: [] };
    const draft = { plan, isFull, sets: new Map(), cards: new Set<string>() };
    this.plans.push(draft);
    return draft;
  }

  #start(): number {
    const { days, daysBefore } = this.#world;
    const latest = days.length - LASTING - daysBefore;
    return daysBefore + Math.floor(this.#random() * Math.min(STARTS, latest + 1));
  }

  #target(rows: readonly Row[], start: number): Target {
    const own = rows[0];
    return {
      rows,
      start,
      random: this.#random,
      siblings: (row) => {
        const all = this.#byCard.get(row.card) ?? [];
        return all.filter((one) => one !== row && one.days[start] !== undefined);
      },
      other: () => {
        const other = this.#pick(this.#world.rows);
        return other && other.set !== own?.set && other.days.every(Boolean) ? other : undefined;
      },
      otherSet: (size) => {
        const large = [...this.#bySet.values()].filter((set) => set.length >= size);
        return this.#pick(large.filter((set) => set[0]?.set !== own?.set)) ?? [];
      },
    };
  }

  #pick<Item>(items: readonly Item[]): Item | undefined {
    return items[Math.floor(this.#random() * items.length)];
  }
}

function priceOn(days: Row['days'], day: number): number {
  return days[day]?.market ?? 0;
}

/** Whether a row is reported on the day before a mistake and on all of its days. */
function isReported({ days }: Row, start: number): boolean {
  return days.slice(start - 1, start + LASTING).every(Boolean);
}

/** How many rows must be visibly wrong for a mistake in a set of this size. */
function leastRows({ group }: Kind, size: number): number {
  return group === 'part' ? Math.max(10, size / 10) : 5;
}

/** A row of a part of a set counts if its mistake moves it by this factor. */
const LEAST_MOVE = 1.15;

function hasMoved(is = 0, was = 0): boolean {
  return Math.max(is, was) >= LEAST_MOVE * Math.min(is, was);
}

function isVisible({ amounts, truth }: Wrong, { isOldNews, group }: Kind, start: number): boolean {
  const planted = amounts(start);
  const before = truth[start - 1];
  if (isOldNews) return before?.market !== truth[start]?.market && before !== undefined;
  if (planted === undefined || wrongNames(planted, truth[start]).length === 0) return false;
  return group !== 'part' || hasMoved(planted.market, before?.market);
}

/** Returns what the source reports on each day of a plan, from `from` on. */
export function publishedDays(world: World, { mistakes, uncounted }: Plan, from: number) {
  const all = [
    ...mistakes.flatMap(({ wrongs, start }) => wrongs.map((wrong) => ({ wrong, start }))),
    ...uncounted,
  ];
  const planted = new Map(all.map((one) => [rowKey(one.wrong.row), one]));
  const known = new Set(world.rows.map(rowKey));
  const added = all.filter(({ wrong }) => !known.has(rowKey(wrong.row)));
  return Array.from({ length: world.days.length - from }, (_, offset) => {
    const index = from + offset;
    const rows = world.rows.map((row) => {
      const mistake = planted.get(rowKey(row));
      const isWrong = mistake !== undefined && index >= mistake.start;
      return { row, amounts: isWrong ? mistake.wrong.amounts(index) : row.days[index] };
    });
    const more = added.map(({ wrong, start }) => {
      return { row: wrong.row, amounts: index >= start ? wrong.amounts(index) : undefined };
    });
    const reports = [...rows, ...more].flatMap(({ row, amounts }) => {
      return amounts ? [{ row, amounts }] : [];
    });
    return { index, reports };
  });
}
