import type { Day } from '../../domain/day.ts';
import type { Cents } from '../../domain/money.ts';
import type { Observation } from '../../domain/observation.ts';
import type { DayPrices } from '../../domain/price.ts';
import { type Place, Spool } from '../../lib/spool.ts';
import type { FeedItem } from '../../sources/contract/feed.ts';
import type { Finding } from '../observation.ts';

/** An item of a feed with the card of ours that it describes. */
export interface MatchedItem {
  readonly item: FeedItem;
  readonly card: {
    /** Row id. */
    readonly id: number;
    /** The row id of its set. */
    readonly set: number;
    readonly name: string;
    readonly number: string | null;
  };
  /** Why the source may mean another card. */
  readonly conflict?: Finding | undefined;
}

/** Days of printings in a batch. A set is never divided, however large it is. */
const DAYS_AT_ONCE = 2_000;

/** The position of a staged item's JSON, and of its earlier days. */
interface StagedPlace {
  readonly json: Place;
  /** Undefined if it has none. */
  readonly days: Place | undefined;
  /** The number of its days with prices, including the newest. */
  readonly size: number;
}

/**
 * Keeps a feed's reports about our cards until the whole feed is read, and returns them set by set.
 * A feed may list the cards of a set anywhere, but a set is judged as a whole. Anything beyond a
 * few megabytes goes into a temporary file.
 */
export class Staging<Item extends MatchedItem> {
  readonly #spool = new Spool();
  /** By row id of the set, in the order in which the feed names the sets. */
  readonly #sets = new Map<number, StagedPlace[]>();

  add(staged: Item): void {
    const { item, card } = staged;
    const { days, counts } = packDays(item.observations);
    const observations = item.observations.map(({ earlierDays: _, ...newest }) => newest);
    const text = JSON.stringify({ ...staged, item: { ...item, observations }, counts });
    const place = {
      json: this.#spool.add(Buffer.from(text)),
      days: days.length > 0 ? this.#spool.add(new Uint8Array(days.buffer)) : undefined,
      size: item.observations.length + days.length / DAY_FIELDS,
    };
    const places = this.#sets.get(card.set);
    if (places) places.push(place);
    else this.#sets.set(card.set, [place]);
  }

  /**
   * Yields all items in batches of whole sets, with small sets together. Each call starts from the
   * beginning. Includes earlier days only if `withDays` is true.
   */
  *batches(withDays: boolean): Generator<Item[]> {
    let batch: Item[] = [];
    let size = 0;
    for (const places of this.#sets.values()) {
      const ofSet = places.reduce((sum, place) => sum + place.size, 0);
      if (size > 0 && size + ofSet > DAYS_AT_ONCE) {
        yield batch;
        batch = [];
        size = 0;
      }
      for (const place of places) batch.push(this.#read(place, withDays));
      size += ofSet;
    }
    if (batch.length > 0) yield batch;
  }

  /** Removes everything. */
  close(): void {
    this.#spool.close();
  }

  #read({ json, days }: StagedPlace, withDays: boolean): Item {
    const text = this.#spool.read(json).toString();
    const { counts, ...staged } = JSON.parse(text) as Item & Pick<PackedDays, 'counts'>;
    const item = staged as unknown as Item;
    if (!days || !withDays) return item;
    const packed = new Int32Array(this.#spool.read(days).buffer);
    return { ...item, item: withEarlierDays(item.item, { days: packed, counts }) };
  }
}

/** The fields of a packed day: day, market, low, mid, high. */
const DAY_FIELDS = 5;
/** Cents are never below 0. */
const UNKNOWN = -1;

/**
 * The earlier days of some observations, in order. They make up at least half of a feed's bytes.
 */
interface PackedDays {
  readonly days: Int32Array<ArrayBuffer>;
  /** The number of days of each observation. */
  readonly counts: readonly number[];
}

function packDays(observations: readonly Observation[]): PackedDays {
  const counts = observations.map(({ earlierDays }) => earlierDays?.length ?? 0);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const days = new Int32Array(total * DAY_FIELDS);
  let at = 0;
  for (const { earlierDays = [] } of observations) {
    for (const { day, market, low, mid, high } of earlierDays) {
      days[at] = day;
      days[at + 1] = market ?? UNKNOWN;
      days[at + 2] = low ?? UNKNOWN;
      days[at + 3] = mid ?? UNKNOWN;
      days[at + 4] = high ?? UNKNOWN;
      at += DAY_FIELDS;
    }
  }
  return { days, counts };
}

function withEarlierDays(item: FeedItem, { days, counts }: PackedDays): FeedItem {
  let at = 0;
  const observations = item.observations.map((observation, index) => {
    const count = counts[index] ?? 0;
    if (count === 0) return observation;
    const from = at;
    at += count * DAY_FIELDS;
    const earlierDays = Array.from({ length: count }, (_, day) => {
      return dayAt(days, from + day * DAY_FIELDS);
    });
    return { ...observation, earlierDays };
  });
  return { ...item, observations };
}

function dayAt(packed: Int32Array, at: number): DayPrices {
  const day = packed[at] as Day;
  const cents = (figure: number): Cents | null => {
    const amount = packed[at + figure] ?? UNKNOWN;
    return amount === UNKNOWN ? null : (amount as Cents);
  };
  return { day, market: cents(1), low: cents(2), mid: cents(3), high: cents(4) };
}
