import type { GameSlug } from '../../domain/games.ts';
import type { Currency } from '../../domain/observation.ts';
import type { Store } from '../../store/connect.ts';
import { readCardIds } from '../../store/series.ts';

/** What distinguishes the series of a card. */
export interface SeriesKind {
  /** Undefined is the card's default printing. */
  readonly printing: string | undefined;
  /** Whose prices they are. */
  readonly marketplace: string;
  readonly currency: Currency;
}

/** One printing of one of our cards at one market, over time. */
export interface Series extends SeriesKind {
  /** The card's row id. */
  readonly card: number;
  readonly game: GameSlug;
  /** The source's own id of the card. */
  readonly externalId: string;
}

interface KnownCard {
  readonly card: number;
  readonly game: GameSlug;
  /** The slots of its series: a few. */
  readonly slots: number[];
}

/** Gives every series that an import meets a number of its own, its slot, counted from 0. */
export class SeriesBook {
  readonly #cards: ReadonlyMap<string, KnownCard>;
  readonly #series: Series[] = [];

  private constructor(cards: ReadonlyMap<string, KnownCard>) {
    this.#cards = cards;
  }

  /** `ids` tells whose keys the series will be asked for by; null is public ids. */
  static async open(store: Store, ids: string | null): Promise<SeriesBook> {
    const cards = await readCardIds(store.db, ids);
    return new SeriesBook(
      new Map(cards.map(({ externalId, card, game }) => [externalId, { card, game, slots: [] }])),
    );
  }

  /** The slot of a series, or undefined when the card is none of ours. */
  slot(cardKey: string, kind: SeriesKind): number | undefined {
    const known = this.#cards.get(cardKey);
    if (!known) return undefined;
    const met = known.slots.find((slot) => isOfKind(this.#series[slot], kind));
    if (met !== undefined) return met;
    const { card, game, slots } = known;
    const slot = this.#series.push({ ...kind, card, game, externalId: cardKey }) - 1;
    slots.push(slot);
    return slot;
  }

  /** The series of a slot that was given. */
  at(slot: number): Series {
    const series = this.#series[slot];
    if (!series) throw new RangeError(`no series has the slot ${slot}`);
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
