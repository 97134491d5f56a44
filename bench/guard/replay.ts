import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Day, dayOf } from '../../src/domain/day.ts';
import type { PriceSettings } from '../../src/ingest/import.ts';
import { openStore, type Store } from '../../src/store/connect.ts';
import type { Wrong } from './kind.ts';
import { wrongNames } from './mistakes.ts';
import type { AmountName, Amounts, Importer, Row, World } from './model.ts';
import { LASTING, type Mistake, type Plan, publishedDays } from './plan.ts';
import { historyOf, type Locate, locator, placeKey, readServed, type Served } from './state.ts';

/** What became of a mistake. */
export interface Verdict {
  readonly mistake: Mistake;
  /** Whether it was neither served nor accepted on its first day. */
  readonly isHeld: boolean;
  /** The rule that held it on its first day. */
  readonly rule: string | undefined;
  /** Whether a reader got a wrong amount at the end of each of its days. */
  readonly served: readonly boolean[];
  /** Whether a wrong amount is in the history in the end. */
  readonly isInHistory: boolean;
}

/** A world whose first days are imported into a database that replays copy. */
export interface Base {
  readonly world: World;
  readonly file: string;
  readonly locate: Locate;
}

/** Imports what comes before the mistakes. Rows that are no card of ours leave the world. */
export async function makeBase(
  world: World,
  folder: string,
  settings: PriceSettings,
): Promise<Base> {
  const file = join(folder, `${world.name}.db`);
  const store = await openStore(file);
  const nothing: Plan = { mistakes: [], uncounted: [] };
  await world.prepare({ store, settings });
  if (!world.isAtOnce) {
    const days = publishedDays(world, nothing, 0).slice(0, world.daysBefore);
    await world.publish({ store, settings }, days);
  }
  const locate = await locator(store, world);
  await store.close();
  const isOurs = (row: Row) => locate(row) !== undefined;
  const rows = world.rows.filter(isOurs);
  return { world: { ...world, rows, unlisted: world.unlisted.filter(isOurs) }, file, locate };
}

/** Imports the days with the mistakes of a plan, and judges each mistake after each day. */
export async function replay(
  { world, file, locate }: Base,
  plan: Plan,
  settings: PriceSettings,
): Promise<Verdict[]> {
  const copy = `${file}.replay`;
  cpSync(file, copy);
  const store = await openStore(copy);
  try {
    const judges = plan.mistakes.map((mistake) => new Judge(mistake, locate));
    const to = { store, settings };
    if (world.isAtOnce) {
      await world.publish(to, publishedDays(world, plan, 0));
    } else {
      await replayDays(world, plan, to, judges);
    }
    await judgeHistory(store, world, judges);
    return judges.map((judge) => judge.verdict());
  } finally {
    await store.close();
    for (const suffix of ['', '-wal', '-shm', '-usage', '-usage-wal', '-usage-shm']) {
      rmSync(`${copy}${suffix}`, { force: true });
    }
  }
}

async function replayDays(
  world: World,
  plan: Plan,
  to: Importer,
  judges: readonly Judge[],
): Promise<void> {
  const cards = judges.flatMap((judge) => judge.cards);
  for (const published of publishedDays(world, plan, world.daysBefore)) {
    await world.publish(to, [published]);
    const served = await readServed(to.store, world.source, cards);
    const day = world.days[published.index] ?? (0 as Day);
    for (const judge of judges) judge.look(published.index, day, served);
  }
}

async function judgeHistory(store: Store, world: World, judges: readonly Judge[]): Promise<void> {
  const last = world.days.at(-1) ?? (0 as Day);
  const read = historyOf(store, last);
  const cards = judges.flatMap((judge) => judge.cards);
  const served = await readServed(store, world.source, cards);
  for (const judge of judges) await judge.lookBack(world, served, read);
}

type ReadHistory = ReturnType<typeof historyOf>;

/** Judges one mistake. */
class Judge {
  readonly #mistake: Mistake;
  readonly #watched: readonly Watched[];
  readonly #served: boolean[] = [];
  #isHeld = true;
  #rule: string | undefined;
  #isInHistory = false;

  constructor(mistake: Mistake, locate: Locate) {
    this.#mistake = mistake;
    this.#watched = mistake.wrongs.map((wrong) => new Watched(wrong, mistake, locate));
  }

  get cards(): number[] {
    return this.#watched.flatMap(({ place }) => place?.card ?? []);
  }

  look(index: number, day: Day, served: ReadonlyMap<string, Served>): void {
    const offset = index - this.#mistake.start;
    if (offset < 0 || offset >= LASTING) return;
    const isWrong = this.#watched.map((one) => one.isServedWrong(index, day, served));
    this.#served[offset] = isWrong.some(Boolean);
    if (offset > 0) return;
    const isAccepted = this.#watched.some((one) => one.isAcceptedWrong(index, served));
    this.#isHeld = !isAccepted && !isWrong.some(Boolean);
    this.#rule = this.#watched.map((one) => one.ruleIn(served)).find(Boolean);
  }

  async lookBack(
    world: World,
    served: ReadonlyMap<string, Served>,
    read: ReadHistory,
  ): Promise<void> {
    for (const one of this.#watched) {
      const days = await one.wrongDaysInHistory(world, served, read);
      if (days.length > 0) this.#isInHistory = true;
      if (!world.isAtOnce) continue;
      for (let offset = 0; offset < LASTING; offset += 1) {
        this.#served[offset] ||= days.includes(this.#mistake.start + offset);
      }
      this.#isHeld = this.#served[0] === false;
      this.#rule ??= one.ruleIn(served);
    }
  }

  verdict(): Verdict {
    return {
      mistake: this.#mistake,
      isHeld: this.#isHeld,
      rule: this.#isHeld ? this.#rule : undefined,
      served: this.#served,
      isInHistory: this.#isInHistory,
    };
  }
}

/** A printing that is reported wrongly. */
class Watched {
  readonly place: ReturnType<Locate>;
  readonly #wrong: Wrong;
  readonly #mistake: Mistake;
  /** All wrong amounts until now, and all true ones, by the name of the amount. */
  readonly #planted = new Map<AmountName, Set<number>>();
  readonly #true = new Map<AmountName, Set<number>>();

  constructor(wrong: Wrong, mistake: Mistake, locate: Locate) {
    this.#wrong = wrong;
    this.#mistake = mistake;
    this.place = locate(wrong.row);
    for (const truth of wrong.truth.slice(0, mistake.start)) this.#note(this.#true, truth);
  }

  /** Whether an amount is served that was wrong on a day until now, and true on none. */
  isServedWrong(index: number, day: Day, served: ReadonlyMap<string, Served>): boolean {
    const own = this.#in(served);
    if (this.#mistake.kind.isOldNews) {
      return own?.figuresAt !== undefined && dayOf(own.figuresAt ?? 0) >= day;
    }
    const planted = this.#wrong.amounts(index);
    const truth = this.#wrong.truth[index];
    this.#note(this.#true, truth);
    if (planted) this.#note(this.#planted, planted, wrongNames(planted, truth));
    return own !== undefined && this.#isWrong(own.amounts);
  }

  isAcceptedWrong(index: number, served: ReadonlyMap<string, Served>): boolean {
    const { accepted } = this.#in(served) ?? {};
    const planted = this.#wrong.amounts(index);
    if (!accepted || !planted || this.#mistake.kind.isOldNews) return false;
    const names = wrongNames(planted, this.#wrong.truth[index]);
    return names.some((name) => accepted[name] === planted[name]);
  }

  ruleIn(served: ReadonlyMap<string, Served>): string | undefined {
    return this.#in(served)?.rule;
  }

  /** The indexes of the days on which the history has a wrong amount. */
  async wrongDaysInHistory(
    { days }: World,
    served: ReadonlyMap<string, Served>,
    read: ReadHistory,
  ): Promise<number[]> {
    const own = this.#in(served);
    const { start, kind } = this.#mistake;
    if (!own || kind.isOldNews) return [];
    const history = await read(own.id, days[start] ?? (0 as Day));
    return days.flatMap((day, index) => {
      const stored = history.get(day);
      const planted = index < start ? undefined : this.#wrong.amounts(index);
      if (!stored || !planted) return [];
      const names = wrongNames(planted, this.#wrong.truth[index]);
      return names.some((name) => stored[name] === planted[name]) ? [index] : [];
    });
  }

  #in(served: ReadonlyMap<string, Served>): Served | undefined {
    return this.place && served.get(placeKey(this.place));
  }

  #isWrong(amounts: Amounts): boolean {
    return [...this.#planted].some(([name, wrong]) => {
      const amount = amounts[name];
      return amount !== undefined && wrong.has(amount) && !this.#true.get(name)?.has(amount);
    });
  }

  #note(
    noted: Map<AmountName, Set<number>>,
    amounts: Amounts | undefined,
    names = Object.keys(amounts ?? {}) as AmountName[],
  ): void {
    for (const name of names) {
      const amount = amounts?.[name];
      const known = noted.get(name) ?? new Set<number>();
      if (amount !== undefined) noted.set(name, known.add(amount));
    }
  }
}
