import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Day, dayOf } from '../../src/domain/day.ts';
import type { PriceSettings } from '../../src/ingest/import.ts';
import { openStore, type Store } from '../../src/store/connect.ts';
import { wrongNames } from './mistakes.ts';
import {
  type Amounts,
  type FigureName,
  type Row,
  rowKey,
  type World,
  type Wrong,
} from './model.ts';
import { LASTING, type Mistake, type Plan, publishedDays } from './plan.ts';

/** What became of a mistake. */
export interface Verdict {
  readonly mistake: Mistake;
  /** Whether it was neither served nor accepted on its first day. */
  readonly isHeld: boolean;
  /** The rule that quarantined it on its first day. */
  readonly rule: string | undefined;
  /** Whether a wrong amount was served at the end of each of its days. */
  readonly served: readonly boolean[];
}

const NOTHING: Plan = { mistakes: [], uncounted: [] };

/** Imports the days before the mistakes. Returns the database, which replays copy. */
export async function makeBase(
  world: World,
  folder: string,
  settings: PriceSettings,
): Promise<string> {
  const file = join(folder, 'base.db');
  const store = await openStore(file);
  const to = { store, settings };
  await world.prepare(to);
  for (const { index, reports } of publishedDays(world, NOTHING, 0).slice(0, world.daysBefore)) {
    await world.publish(to, dayAt(world, index), reports);
  }
  await store.close();
  return file;
}

/** Imports the days with the mistakes of a plan, and judges each mistake after each day. */
export async function replay(
  world: World,
  file: string,
  plan: Plan,
  settings: PriceSettings,
): Promise<Verdict[]> {
  const judges = plan.mistakes.map((mistake) => new Judge(mistake));
  await eachDay(world, file, plan, settings, (index, served) => {
    for (const judge of judges) judge.look(index, dayAt(world, index), served);
  });
  return judges.map((judge) => judge.verdict());
}

/** What a day without mistakes came to. */
export interface TrueDay {
  readonly day: Day;
  readonly compared: number;
  /** True market prices that were not accepted, by the rule that holds them. */
  readonly held: readonly string[];
}

/** Imports the days without mistakes. Returns which true market prices were held on each. */
export async function replayTruth(
  world: World,
  file: string,
  settings: PriceSettings,
): Promise<TrueDay[]> {
  const days: TrueDay[] = [];
  await eachDay(world, file, NOTHING, settings, (index, served) => {
    const reported = world.rows.filter(({ days: own }) => own[index] !== undefined);
    const held = reported.flatMap((row) => {
      const own = served.get(rowKey(row));
      return own?.accepted?.market === row.days[index]?.market ? [] : [own?.rule ?? 'no rule'];
    });
    days.push({ day: dayAt(world, index), compared: reported.length, held });
  });
  return days;
}

async function eachDay(
  world: World,
  file: string,
  plan: Plan,
  settings: PriceSettings,
  look: (index: number, served: ReadonlyMap<string, Served>) => void,
): Promise<void> {
  const copy = `${file}.replay`;
  for (const suffix of ['', '-accounts', '-usage']) {
    cpSync(`${file}${suffix}`, `${copy}${suffix}`, { force: true });
  }
  const store = await openStore(copy);
  try {
    for (const { index, reports } of publishedDays(world, plan, world.daysBefore)) {
      await world.publish({ store, settings }, dayAt(world, index), reports);
      look(index, await readServed(store));
    }
  } finally {
    await store.close();
    for (const suffix of ['', '-wal', '-shm', '-usage', '-accounts']) {
      rmSync(`${copy}${suffix}`, { force: true });
    }
  }
}

function dayAt({ days }: World, index: number): Day {
  return days[index] ?? (0 as Day);
}

/** What is served of a printing, and what its source has accepted. */
interface Served {
  readonly amounts: Amounts;
  readonly figuresAt: number | null;
  readonly accepted: Amounts | undefined;
  /** The rule that quarantined the source's newest price. */
  readonly rule: string | undefined;
}

/** Reads every printing, by `card printing` with the ids of the source. */
async function readServed({ db }: Store): Promise<Map<string, Served>> {
  const ids = await db.selectFrom('card_external_ids').select(['external_id', 'card_id']).execute();
  const cards = new Map(ids.map(({ external_id, card_id }) => [card_id, external_id]));
  const keyOf = (card: number | null, printing: string | null) => {
    return rowKey({ card: cards.get(card ?? 0) ?? '', printing: printing ?? '' });
  };
  const quarantined = await db
    .selectFrom('quarantine')
    .where('decision', 'is', null)
    .select(['card_id', 'printing', 'rule'])
    .orderBy('id')
    .execute();
  const rules = new Map(quarantined.map((row) => [keyOf(row.card_id, row.printing), row.rule]));
  const served = new Map<string, Served>(
    [...rules].map(([key, rule]) => [key, { amounts: {}, figuresAt: null, accepted: {}, rule }]),
  );
  const printings = await db
    .selectFrom('printings as p')
    .leftJoin('observations as o', 'o.printing_id', 'p.id')
    .select(['p.card_id', 'p.name', 'p.market', 'p.low', 'p.mid', 'p.high', 'p.figures_at'])
    .select(['o.market as o_market', 'o.low as o_low', 'o.mid as o_mid', 'o.high as o_high'])
    .execute();
  for (const row of printings) {
    const key = keyOf(row.card_id, row.name);
    const accepted = { market: row.o_market, low: row.o_low, mid: row.o_mid, high: row.o_high };
    const amounts = knownOf({ market: row.market, low: row.low, mid: row.mid, high: row.high });
    const rule = rules.get(key);
    served.set(key, { amounts, figuresAt: row.figures_at, accepted: knownOf(accepted), rule });
  }
  return served;
}

function knownOf(figures: Readonly<Record<FigureName, number | null>>): Amounts {
  const known = Object.entries(figures).filter(([, amount]) => amount !== null);
  return Object.fromEntries(known) as Amounts;
}

/** Judges one mistake. */
class Judge {
  readonly #mistake: Mistake;
  readonly #watched: readonly Watched[];
  readonly #served: boolean[] = [];
  #isHeld = true;
  #rule: string | undefined;

  constructor(mistake: Mistake) {
    this.#mistake = mistake;
    this.#watched = mistake.wrongs.map((wrong) => new Watched(wrong, mistake));
  }

  look(index: number, day: Day, served: ReadonlyMap<string, Served>): void {
    const offset = index - this.#mistake.start;
    if (offset < 0 || offset >= LASTING) return;
    const isWrong = this.#watched.map((one) => one.isServedWrong(index, day, served));
    this.#served[offset] = isWrong.some(Boolean);
    if (offset > 0) return;
    const isAccepted = this.#watched.some((one) => one.isAcceptedWrong(index, served));
    this.#isHeld = !isAccepted && !isWrong.some(Boolean);
    this.#rule = this.#watched.map((one) => served.get(one.key)?.rule).find(Boolean);
  }

  verdict(): Verdict {
    const rule = this.#isHeld ? this.#rule : undefined;
    return { mistake: this.#mistake, isHeld: this.#isHeld, rule, served: this.#served };
  }
}

/** A printing that is reported wrongly. */
class Watched {
  readonly key: string;
  readonly #wrong: Wrong;
  readonly #isOldNews: boolean;
  readonly #leastFactor: number;
  /** All wrong amounts until now, and all true ones. */
  readonly #planted = new Map<FigureName, Set<number>>();
  readonly #true = new Map<FigureName, Set<number>>();

  constructor(wrong: Wrong, { kind, start }: Mistake) {
    this.#wrong = wrong;
    this.#isOldNews = kind.isOldNews ?? false;
    this.#leastFactor = kind.leastFactor ?? 1;
    this.key = rowKey(wrong.row);
    for (const truth of wrong.truth.slice(0, start)) note(this.#true, truth);
  }

  /** Whether an amount is served that was wrong on a day until now, and true on none. */
  isServedWrong(index: number, day: Day, served: ReadonlyMap<string, Served>): boolean {
    const own = served.get(this.key);
    if (this.#isOldNews) return dayOf(own?.figuresAt ?? 0) >= day;
    const planted = this.#wrong.amounts(index);
    const truth = this.#wrong.truth[index];
    note(this.#true, truth);
    if (planted) note(this.#planted, planted, wrongNames(planted, truth));
    return [...this.#planted].some(([name, wrong]) => {
      const amount = own?.amounts[name];
      if (amount === undefined || !wrong.has(amount)) return false;
      return !this.#true.get(name)?.has(amount) && this.#isFarOff(amount, truth?.[name]);
    });
  }

  #isFarOff(amount: number, truth = amount): boolean {
    return Math.max(amount / truth, truth / amount) >= this.#leastFactor;
  }

  isAcceptedWrong(index: number, served: ReadonlyMap<string, Served>): boolean {
    const accepted = served.get(this.key)?.accepted;
    const planted = this.#wrong.amounts(index);
    if (!accepted || !planted || this.#isOldNews) return false;
    const names = wrongNames(planted, this.#wrong.truth[index]);
    const truth = this.#wrong.truth[index];
    return names.some((name) => {
      const amount = accepted[name];
      return amount === planted[name] && this.#isFarOff(amount ?? 0, truth?.[name]);
    });
  }
}

function note(
  noted: Map<FigureName, Set<number>>,
  amounts: Row['days'][number],
  names = Object.keys(amounts ?? {}) as FigureName[],
): void {
  for (const name of names) {
    const amount = amounts?.[name];
    if (amount !== undefined) noted.set(name, (noted.get(name) ?? new Set()).add(amount));
  }
}
