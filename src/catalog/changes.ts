import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Card, CardSet, Printing, ServedPrices } from '../domain/card.ts';
import type { Cents } from '../domain/money.ts';
import {
  amountsOf,
  nextRowIds,
  readCardSlice,
  readPrintingSlice,
  readSetsSince,
} from '../store/catalogue.ts';
import type { Store } from '../store/connect.ts';
import { readPublication } from '../store/imports.ts';
import type { CardRow, PrintingRow, SetRow } from '../store/schema.ts';

/** What was published since a publication, as the catalogue holds it. */
export interface Changes {
  readonly revision: number;
  readonly sets: Map<number, CardSet>;
  /** New cards and cards that are now described differently; their printings come apart. */
  readonly cards: Map<number, Card>;
  readonly printings: readonly PlacedPrinting[];
}

export interface PlacedPrinting {
  readonly cardKey: number;
  readonly printing: Printing;
}

/** Row ids read in one statement: about a millisecond's worth. */
const SLICE = 500;

/** Between two statements requests are answered: without a pause each would wait for several. */
const PAUSE_MS = 1;

/**
 * Reads what was published after publication `since`; undefined when nothing was.
 * `known` are the sets that the cards may belong to besides those that changed.
 */
export async function readChanges(
  store: Store,
  since: number,
  known: ReadonlyMap<number, CardSet>,
): Promise<Changes | undefined> {
  const { published } = await readPublication(store.db);
  if (published === since) return undefined;
  const last = await nextRowIds(store.db);
  const sets = new Map((await readSetsSince(store.db, since)).map((row) => [row.id, toSet(row)]));
  const cards = new Map<number, Card>();
  // A process that is starting has nobody to answer yet.
  const giveWay = since === 0 ? () => nextTurn() : () => sleep(PAUSE_MS);
  for (const slice of slices(last.card, since)) {
    await giveWay();
    for (const row of await readCardSlice(store.db, slice)) {
      const set = sets.get(row.set_id) ?? known.get(row.set_id);
      if (set) cards.set(row.id, toCard(row, set));
    }
  }
  const printings: PlacedPrinting[] = [];
  const intern = new Map<string, readonly string[]>();
  for (const slice of slices(last.printing, since)) {
    await giveWay();
    for (const row of await readPrintingSlice(store.db, slice)) {
      printings.push(toPrinting(row, intern));
    }
  }
  return { revision: published, sets, cards, printings };
}

function* slices(end: number, since: number) {
  for (let above = 0; above < end; above += SLICE) yield { above, upTo: above + SLICE, since };
}

function toSet(row: SetRow): CardSet {
  const { id: key, game, code, name, release_date: releaseDate } = row;
  return { key, game, code, name, releaseDate };
}

function toCard(row: CardRow, set: CardSet): Card {
  const { id: key, public_id: id, name, number, rarity, image } = row;
  return { rowId: key, id, set, name, number, rarity, image, printings: [] };
}

/** `intern` keeps one copy of the few lists of sources that there are. */
function toPrinting(row: PrintingRow, intern: Map<string, readonly string[]>): PlacedPrinting {
  const sources = intern.get(row.sources) ?? (JSON.parse(row.sources) as string[]);
  intern.set(row.sources, sources);
  const prices: ServedPrices = {
    market: row.market as Cents | null,
    low: row.low as Cents | null,
    mid: row.mid as Cents | null,
    high: row.high as Cents | null,
    conditions: amountsOf(row.conditions),
    graded: amountsOf(row.graded),
    sources,
    observedAt: row.observed_at,
    figuresAt: row.figures_at,
  };
  return { cardKey: row.card_id, printing: { rowId: row.id, name: row.name, prices } };
}
