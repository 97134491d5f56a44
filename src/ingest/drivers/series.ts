import type { GameSlug } from '../../domain/games.ts';
import type { Currency } from '../../domain/observation.ts';
import { readCardIds } from '../../store/catalogue/series.ts';
import type { Store } from '../../store/connect.ts';

/** What distinguishes the series of a card. */
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

interface CardSeries extends Pick<Series, 'card' | 'set' | 'game'> {
  /** The numbers of its series: a few. */
  readonly numbers: number[];
}

/** Numbers the series of a backfill, from 0 on, in the order in which it meets them. */
export class SeriesIndex {
  readonly #cards: ReadonlyMap<string, CardSeries>;
  readonly #series: Series[] = [];

  private constructor(cards: ReadonlyMap<string, CardSeries>) {
    this.#cards = cards;
  }

  /** Opens it for the external ids of an id space; null stands for our own public ids. */
  static async open(store: Store, idSpace: string | null): Promise<SeriesIndex> {
    const cards = await readCardIds(store.db, idSpace);
    return new SeriesIndex(
      new Map(cards.map(({ externalId, ...card }) => [externalId, { ...card, numbers: [] }])),
    );
  }

  /** The number of a series, or undefined when the card is none of ours. */
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

  /** The numbers of all series, those of one set together. */
  bySet(): readonly number[] {
    const numbers = Array.from(this.#series.keys());
    return numbers.sort((a, b) => this.at(a).set - this.at(b).set || a - b);
  }

  /** @throws RangeError for a number that no series has. */
  at(number: number): Series {
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
