import { setTimeout as sleep, setImmediate as yieldToRequests } from 'node:timers/promises';
import type { Card, CardSet, Printing, ServedPrices } from '../domain/card.ts';
import type { Day } from '../domain/day.ts';
import { type ExternalId, ID_SPACES_BY_SOURCE } from '../domain/id-spaces.ts';
import type { Cents } from '../domain/money.ts';
import { type ChangeDoubts, NO_DOUBTS } from '../domain/price-changes.ts';
import {
  amountsOf,
  nextRowIds,
  readCardSlice,
  readExternalIdSlice,
  readPrintingSlice,
  readSetsSince,
  type Slice,
} from '../store/catalogue.ts';
import type { Store } from '../store/connect.ts';
import { readPublication } from '../store/imports.ts';
import { quarantinedDays } from '../store/quarantined-days.ts';
import type { CardExternalIdRow, CardRow, PrintingRow, SetRow } from '../store/schema.ts';

/** What was published since an earlier publication, in the catalogue's types. */
export interface Changes {
  /** The number of the last publication. */
  readonly revision: number;
  /** New and changed sets, by row id. */
  readonly sets: Map<number, CardSet>;
  /** New and changed cards, by row id; without their printings. */
  readonly cards: Map<number, Card>;
  /** The external ids of new and changed cards: an id moves to another card, but never ends. */
  readonly externalIds: readonly CardExternalId[];
  /** New printings, and those with new prices. */
  readonly printings: readonly CardPrinting[];
  /** The newest day of a quarantined market price, by row id of the printing. */
  readonly quarantined: ReadonlyMap<number, Day>;
}

export interface CardExternalId extends ExternalId {
  readonly cardRowId: number;
}

export interface CardPrinting {
  readonly cardRowId: number;
  readonly printing: Printing;
}

/** How many row ids one statement reads: about a millisecond's worth. */
const SLICE_SIZE = 500;

/** The same for a process that is starting, which has no requests to answer yet. */
const FIRST_SLICE_SIZE = 4000;

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
  const pause = since === 0 ? () => yieldToRequests() : () => sleep(PAUSE_MS);
  const texts = new Map<string, string>();
  const cards = new Map<number, Card>();
  const externalIds: CardExternalId[] = [];
  for (const slice of slices(last.card, since)) {
    await pause();
    const rows = await readCardSlice(store.db, slice);
    for (const row of rows) {
      const set = sets.get(row.set_id) ?? known.get(row.set_id);
      if (set) cards.set(row.id, toCard(row, set, texts));
    }
    if (rows.length > 0) externalIds.push(...(await readIds(store, slice)));
  }
  const printings: CardPrinting[] = [];
  const lists = new Map<string, readonly string[]>();
  for (const slice of slices(last.printing, since)) {
    await pause();
    for (const row of await readPrintingSlice(store.db, slice)) {
      printings.push(toPrinting(row, lists, texts));
    }
  }
  const quarantined = await quarantinedDays(store.db);
  return { revision: published, sets, cards, externalIds, printings, quarantined };
}

/** Yields the slices of row ids below `end`. */
function* slices(end: number, since: number) {
  const size = since === 0 ? FIRST_SLICE_SIZE : SLICE_SIZE;
  for (let above = 0; above < end; above += size) yield { above, upTo: above + size, since };
}

function toSet(row: SetRow): CardSet {
  const { id: rowId, public_set_id: id, game, code, name, release_date: releaseDate } = row;
  return { rowId, id, game, code, name, releaseDate };
}

async function readIds({ db }: Store, slice: Slice): Promise<CardExternalId[]> {
  return (await readExternalIdSlice(db, slice)).flatMap(toExternalId);
}

/** Leaves out ids of spaces that callers do not know. */
function toExternalId(row: CardExternalIdRow): CardExternalId[] {
  const space = ID_SPACES_BY_SOURCE.get(row.id_space);
  return space === undefined ? [] : [{ cardRowId: row.card_id, space, id: row.external_id }];
}

/** `texts` holds what many cards share, so that each text is in memory once. */
function toCard(row: CardRow, set: CardSet, texts: Map<string, string>): Card {
  const { id: rowId, public_id: id, number, image } = row;
  const name = shared(texts, row.name);
  const rarity = row.rarity === null ? null : shared(texts, row.rarity);
  return { rowId, id, set, name, number, rarity, image, printings: [] };
}

function shared(texts: Map<string, string>, text: string): string {
  const known = texts.get(text);
  if (known === undefined) texts.set(text, text);
  return known ?? text;
}

/** `lists` holds the few different lists of sources, so that equal ones share one array. */
function toPrinting(
  row: PrintingRow,
  lists: Map<string, readonly string[]>,
  texts: Map<string, string>,
): CardPrinting {
  const sources = lists.get(row.sources) ?? (JSON.parse(row.sources) as string[]);
  lists.set(row.sources, sources);
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
  return {
    cardRowId: row.card_id,
    printing: { rowId: row.id, name: shared(texts, row.name), prices, bases: toBases(row) },
  };
}

function toBases({ base_1d, base_7d, base_30d, change_doubts }: PrintingRow) {
  if (base_1d === null && base_7d === null && base_30d === null) return undefined;
  return {
    '1d': base_1d as Cents | null,
    '7d': base_7d as Cents | null,
    '30d': base_30d as Cents | null,
    doubts: change_doubts === null ? NO_DOUBTS : (JSON.parse(change_doubts) as ChangeDoubts),
  };
}
