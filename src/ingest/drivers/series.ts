import type { CopyName } from '../../domain/copy.ts';
import { type Day, dayOf, startOfDay } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import type { Cents } from '../../domain/money.ts';
import type { Currency, Observation } from '../../domain/observation.ts';
import { type DayPrices, FIGURES, type PriceFigures } from '../../domain/price.ts';
import { countsAs } from '../../domain/sources.ts';
import type { Backfill } from '../../sources/contract/backfill.ts';
import { cardNames } from '../../store/catalogue/catalogue.ts';
import { readCardIds } from '../../store/catalogue/series.ts';
import type { Store, Transaction } from '../../store/connect.ts';
import type { CardObservation, ObservationPart } from '../observation.ts';
import { type WrittenObservations, writeObservations } from '../pricing/write.ts';
import type { ImportRun } from '../run.ts';

/** The properties that distinguish the series of a card. */
export interface SeriesKind {
  /** Undefined is the card's default printing. */
  readonly printing: string | undefined;
  readonly marketplace: string;
  readonly currency: Currency;
}

/** The prices over time of one printing of one of our cards, at one marketplace. */
export interface Series extends SeriesKind {
  /** The card's row id. */
  readonly card: number;
  /** The row id of its set. */
  readonly set: number;
  readonly game: GameSlug;
  /** The source's own id of the card. */
  readonly externalId: string;
}

/** The history of one condition or grade of a series. */
interface CopySeries {
  readonly copy: CopyName;
  /** The number of its series. */
  readonly of: number;
}

interface CardSeries extends Pick<Series, 'card' | 'set' | 'game'> {
  /** The numbers of a card's few series. */
  readonly numbers: number[];
}

/** Numbers the series of a backfill from 0, in order of appearance. */
export class SeriesIndex {
  readonly #cards: ReadonlyMap<string, CardSeries>;
  readonly #series: (Series & Partial<CopySeries>)[] = [];
  /** The numbers of conditions and grades, by number of their series. */
  readonly #copies = new Map<number, Map<CopyName, number>>();

  private constructor(cards: ReadonlyMap<string, CardSeries>) {
    this.#cards = cards;
  }

  /** Opens the index for the external ids of an id space; null means our own public ids. */
  static async open(store: Store, idSpace: string | null): Promise<SeriesIndex> {
    const cards = await readCardIds(store.db, idSpace);
    return new SeriesIndex(
      new Map(cards.map(({ externalId, ...card }) => [externalId, { ...card, numbers: [] }])),
    );
  }

  /** Returns the number of a series, or undefined if the card is not ours. */
  numberOf(externalId: string, kind: SeriesKind): number | undefined {
    const known = this.#cards.get(externalId);
    if (!known) return undefined;
    const { numbers, ...card } = known;
    const found = numbers.find((number) => isOfKind(this.#series[number], kind));
    if (found !== undefined) return found;
    const number = this.#series.push({ ...kind, ...card, externalId }) - 1;
    numbers.push(number);
    return number;
  }

  /** Returns the number of a condition or grade of a series. */
  copyOf(of: number, copy: CopyName): number {
    const copies = this.#copies.get(of) ?? new Map<CopyName, number>();
    this.#copies.set(of, copies);
    const known = copies.get(copy);
    if (known !== undefined) return known;
    const number = this.#series.push({ ...this.at(of), copy, of }) - 1;
    copies.set(copy, number);
    return number;
  }

  /** The numbers of all series, grouped by set. A condition or grade comes after its series. */
  bySet(): readonly number[] {
    const numbers = Array.from(this.#series.keys());
    return numbers.sort((a, b) => this.at(a).set - this.at(b).set || a - b);
  }

  /** @throws RangeError for a number that no series has. */
  at(number: number): Series & Partial<CopySeries> {
    const series = this.#series[number];
    if (!series) throw new RangeError(`no series has the number ${number}`);
    return series;
  }
}

function isOfKind(
  series: Series | undefined,
  { printing, marketplace, currency }: SeriesKind,
): boolean {
  if (series === undefined || series.printing !== printing) return false;
  return series.marketplace === marketplace && series.currency === currency;
}

/** Number of the series, day, market, low, mid, high. */
const FIELDS = 6;
/** Cents are never below 0. */
const UNKNOWN = -1;

/**
 * Collects points (days of series) in the order in which a source reports them, and returns them
 * series by series. A series is a small number. A point takes 28 bytes.
 */
export class PointBuffer {
  readonly #fields: Int32Array;
  readonly #capacity: number;
  #size = 0;
  /** The number of points of each series. */
  readonly #counts: number[] = [];

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#fields = new Int32Array(capacity * FIELDS);
  }

  get size(): number {
    return this.#size;
  }

  /** The remaining room, in points. */
  get free(): number {
    return this.#capacity - this.#size;
  }

  /** Adds a point. Call it only while there is room. */
  add(series: number, day: Day, { market, low, mid, high }: PriceFigures): void {
    const at = this.#size * FIELDS;
    this.#fields[at] = series;
    this.#fields[at + 1] = day;
    this.#fields[at + 2] = market ?? UNKNOWN;
    this.#fields[at + 3] = low ?? UNKNOWN;
    this.#fields[at + 4] = mid ?? UNKNOWN;
    this.#fields[at + 5] = high ?? UNKNOWN;
    this.#counts[series] = (this.#counts[series] ?? 0) + 1;
    this.#size += 1;
  }

  /**
   * Empties the buffer: yields each series with its days, in the order in which they were added.
   * `series` gives the order of the series and must contain all of them.
   */
  *drain(series: Iterable<number>): Generator<[series: number, days: DayPrices[]]> {
    const order = this.#bySeries();
    const ends = this.#ends();
    for (const one of series) {
      const count = this.#counts[one];
      if (!count) continue;
      const end = ends[one] ?? 0;
      const points = order.subarray(end - count, end);
      yield [one, Array.from(points, (point) => this.#read(point))];
    }
    this.#size = 0;
    this.#counts.length = 0;
  }

  /** The indexes of the points, sorted by series and, within a series, by the order of adding. */
  #bySeries(): Uint32Array {
    const next = this.#ends().map((end, series) => end - (this.#counts[series] ?? 0));
    const order = new Uint32Array(this.#size);
    for (let point = 0; point < this.#size; point += 1) {
      const series = this.#fields[point * FIELDS] ?? 0;
      const place = next[series] ?? 0;
      order[place] = point;
      next[series] = place + 1;
    }
    return order;
  }

  /** For each series, the end of its points among the points sorted by series. */
  #ends(): number[] {
    let end = 0;
    return Array.from(this.#counts, (count) => {
      end += count ?? 0;
      return end;
    });
  }

  #read(point: number): DayPrices {
    const at = point * FIELDS;
    return {
      day: this.#fields[at + 1] as Day,
      market: this.#cents(at + 2),
      low: this.#cents(at + 3),
      mid: this.#cents(at + 4),
      high: this.#cents(at + 5),
    };
  }

  #cents(at: number): Cents | null {
    const value = this.#fields[at] ?? UNKNOWN;
    return value === UNKNOWN ? null : (value as Cents);
  }
}

/** The dependencies for writing the series of a backfill. */
export interface SeriesRun extends ImportRun {
  readonly backfill: Backfill;
  /**
   * The day of the source's newest price for each game and marketplace at the start of the import.
   * One file of quotes may contain prices of several shops, and a newer price of one shop does not
   * make those of another outdated.
   */
  readonly newestDays: ReadonlyMap<MarketKey, Day>;
}

/** A game and a marketplace. */
export type MarketKey = `${GameSlug} ${string}`;

export function marketKey({ game, marketplace }: Pick<Series, 'game' | 'marketplace'>): MarketKey {
  return `${game} ${marketplace}`;
}

/** One or more days of a series, in any order. If a day occurs twice, the later entry counts. */
export interface SeriesDays {
  readonly series: Series;
  readonly days: readonly DayPrices[];
  readonly extras?: SeriesExtras | undefined;
  /** The days of its conditions and grades. */
  readonly copies: Map<CopyName, readonly DayPrices[]>;
}

/** Everything except the figures of one day; undefined for parts that the source cannot report. */
export interface SeriesExtras
  extends Partial<Pick<Observation, 'conditions' | 'graded' | 'trade'>> {
  readonly day: Day;
}

/**
 * Writes days of series in one transaction. The newest day of a series is the source's current
 * report, and the others are its earlier days.
 */
export async function writeSeries(
  run: SeriesRun,
  batch: readonly SeriesDays[],
): Promise<WrittenObservations> {
  return run.store.db.transaction().execute(async (transaction) => {
    const observations = await observationsOf(run, transaction, batch);
    return writeObservations(run, transaction, observations);
  });
}

async function observationsOf(
  { backfill, newestDays }: SeriesRun,
  transaction: Transaction,
  batch: readonly SeriesDays[],
): Promise<CardObservation[]> {
  const ids = new Set(batch.map(({ series }) => series.card));
  const names = await cardNames(transaction, [...ids]);
  return batch.map(({ series, days, extras, copies }) => {
    const { card, externalId, printing, marketplace, currency } = series;
    const { newest, missing } = newestOf(backfill, days, extras);
    const earlierCopies = earlierOf(copies, dayOf(newest.observedAt));
    return {
      source: countsAs(backfill.source),
      card: { id: card, name: names.get(card) ?? '' },
      externalId,
      observation: { printing, marketplace, currency, ...newest, ...earlierCopies },
      missing,
      presentFrom: newestDays.get(marketKey(series)),
    };
  });
}

/**
 * Returns the days of conditions and grades before the newest day. The report itself contains that
 * day.
 */
function earlierOf(
  copies: ReadonlyMap<CopyName, readonly DayPrices[]>,
  newest: Day,
): Pick<Observation, 'earlierCopies'> {
  if (copies.size === 0) return {};
  const earlier = [...copies].map(([copy, days]) => {
    return [copy, days.filter(({ day }) => day !== newest)] as const;
  });
  return { earlierCopies: Object.fromEntries(earlier) };
}

function newestOf({ figures }: Backfill, days: readonly DayPrices[], extras?: SeriesExtras) {
  const last = days.reduce((before, prices) => (prices.day < before.day ? before : prices));
  const { day, ...prices } = last;
  const earlierDays = days.filter((one) => one !== last);
  const { conditions, graded, trade } = extras?.day === day ? extras : {};
  const missing: ObservationPart[] = FIGURES.filter((figure) => !figures.includes(figure));
  if (!conditions) missing.push('conditions');
  if (!graded) missing.push('graded');
  const amounts = {
    prices,
    conditions: conditions ?? {},
    graded: graded ?? {},
    ...(trade && { trade }),
  };
  return { newest: { observedAt: startOfDay(day), ...amounts, earlierDays }, missing };
}
