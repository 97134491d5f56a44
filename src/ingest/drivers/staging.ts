import type { Day } from '../../domain/day.ts';
import type { Cents } from '../../domain/money.ts';
import type { Observation } from '../../domain/observation.ts';
import type { DayPrices } from '../../domain/price.ts';
import { type Place, Spool } from '../../lib/spool.ts';
import type { MatchedItem } from './write-items.ts';

/** How many days of printings make a batch. A set is never divided, however many it has. */
const DAYS_AT_ONCE = 10_000;

/** Of a packed day: day, market, low, mid, high. */
const DAY_FIELDS = 5;

/** Where a staged item is, and how many days of prices it has. */
interface StagedPlace extends Place {
  readonly days: number;
}

/**
 * Keeps what a feed reports of our cards until all of it is read, and returns it by sets: a feed has
 * the cards of a set anywhere, but a set is judged as a whole. What does not fit into a few
 * megabytes is in a temporary file.
 */
export class Staging<Item extends MatchedItem> {
  readonly #spool = new Spool();
  /** By row id of the set, in the order in which the feed names the sets. */
  readonly #sets = new Map<number, StagedPlace[]>();

  add(item: Item): void {
    const { observations } = item.item;
    const place = this.#spool.add(JSON.stringify({ ...item, item: packItem(item.item) }));
    const days = observations.reduce((sum, one) => sum + 1 + (one.earlierDays?.length ?? 0), 0);
    const places = this.#sets.get(item.card.set);
    if (places) places.push({ ...place, days });
    else this.#sets.set(item.card.set, [{ ...place, days }]);
  }

  /** Yields all items, as often as it is called: whole sets, small ones together. */
  *batches(): Generator<Item[]> {
    let batch: Item[] = [];
    let size = 0;
    for (const places of this.#sets.values()) {
      const days = places.reduce((sum, place) => sum + place.days, 0);
      if (size > 0 && size + days > DAYS_AT_ONCE) {
        yield batch;
        batch = [];
        size = 0;
      }
      for (const place of places) batch.push(this.#read(place));
      size += days;
    }
    if (batch.length > 0) yield batch;
  }

  /** Removes everything. */
  close(): void {
    this.#spool.close();
  }

  #read(place: Place): Item {
    const staged = JSON.parse(this.#spool.read(place)) as Item & { readonly item: PackedItem };
    return { ...staged, item: unpackItem(staged.item) };
  }
}

type Item = MatchedItem['item'];

/** An item whose earlier days take less than half of the bytes. */
type PackedItem = Omit<Item, 'observations'> & {
  readonly observations: readonly PackedObservation[];
};

type PackedObservation = Omit<Observation, 'earlierDays'> & {
  readonly earlierDays?: readonly (number | null)[];
};

function packItem({ observations, ...item }: Item): PackedItem {
  return { ...item, observations: observations.map(packObservation) };
}

function packObservation({ earlierDays, ...observation }: Observation): PackedObservation {
  if (!earlierDays) return observation;
  const packed = earlierDays.flatMap(({ day, market, low, mid, high }) => {
    return [day, market, low, mid, high];
  });
  return { ...observation, earlierDays: packed };
}

function unpackItem({ observations, ...item }: PackedItem): Item {
  return { ...item, observations: observations.map(unpackObservation) };
}

function unpackObservation({ earlierDays, ...observation }: PackedObservation): Observation {
  if (!earlierDays) return observation;
  const days: DayPrices[] = [];
  for (let at = 0; at < earlierDays.length; at += DAY_FIELDS) days.push(dayAt(earlierDays, at));
  return { ...observation, earlierDays: days };
}

function dayAt(packed: readonly (number | null)[], at: number): DayPrices {
  const day = packed[at] as Day;
  const cents = (figure: number) => (packed[at + figure] ?? null) as Cents | null;
  return { day, market: cents(1), low: cents(2), mid: cents(3), high: cents(4) };
}
