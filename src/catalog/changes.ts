import { setTimeout as sleep, setImmediate as yieldToRequests } from 'node:timers/promises';
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

/** What was published since an earlier publication, in the catalogue's types. */
export interface Changes {
  /** The number of the last publication. */
  readonly revision: number;
  /** New and changed sets, by row id. */
  readonly sets: Map<number, CardSet>;
  /** New and changed cards, by row id; without their printings. */
  readonly cards: Map<number, Card>;
  /** New printings, and those with new prices. */
  readonly printings: readonly CardPrinting[];
}

export interface CardPrinting {
  readonly cardRowId: number;
  readonly printing: Printing;
}

/** How many row ids one statement reads: about a millisecond's worth. */
const SLICE_SIZE = 500;

/** The pause between two statements, for requests: without it each would wait for several. */
const PAUSE_MS = 1;

/**
 * Reads what was published after publication `since`; undefined when nothing was. Cards belong to
 * changed sets or to one of the `known` ones, which are given by row id.
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
  // A process that is starting has no requests to answer yet.
  const pause = since === 0 ? () => yieldToRequests() : () => sleep(PAUSE_MS);
  for (const slice of slices(last.card, since)) {
    await pause();
    for (const row of await readCardSlice(store.db, slice)) {
      const set = sets.get(row.set_id) ?? known.get(row.set_id);
      if (set) cards.set(row.id, toCard(row, set));
    }
  }
  const printings: CardPrinting[] = [];
  const intern = new Map<string, readonly string[]>();
  for (const slice of slices(last.printing, since)) {
    await pause();
    for (const row of await readPrintingSlice(store.db, slice)) {
      printings.push(toPrinting(row, intern));
    }
  }
  return { revision: published, sets, cards, printings };
}

/** Yields the slices of row ids below `end`. */
function* slices(end: number, since: number) {
  for (let above = 0; above < end; above += SLICE_SIZE) {
    yield { above, upTo: above + SLICE_SIZE, since };
  }
}

function toSet(row: SetRow): CardSet {
  const { id: rowId, public_set_id: id, game, code, name, release_date: releaseDate } = row;
  return { rowId, id, game, code, name, releaseDate };
}

function toCard(row: CardRow, set: CardSet): Card {
  const { id: rowId, public_id: id, name, number, rarity, image } = row;
  return { rowId, id, set, name, number, rarity, image, printings: [] };
}

/** `intern` holds the few different lists of sources, so that equal ones share one array. */
function toPrinting(row: PrintingRow, intern: Map<string, readonly string[]>): CardPrinting {
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
    figuresAt: row.figures_at,
    conditionsAt: row.conditions_at,
    gradedAt: row.graded_at,
  };
  return { cardRowId: row.card_id, printing: { rowId: row.id, name: row.name, prices } };
}
