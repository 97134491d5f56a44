import { setTimeout as sleep, setImmediate as yieldToRequests } from 'node:timers/promises';
import type { CardSet } from '../domain/card.ts';
import type { Day } from '../domain/day.ts';
import { type Rates, servedRates } from '../domain/rates.ts';
import { type ExternalId, ID_SPACES_BY_SOURCE } from '../domain/sources.ts';
import { nextRowIds } from '../store/catalogue/catalogue.ts';
import { readPublishedRates, readRatesSince } from '../store/catalogue/exchange-rates.ts';
import type { StoredSearchedFacts } from '../store/catalogue/facts.ts';
import { historySince } from '../store/catalogue/history-since.ts';
import {
  isOfThisDatabase,
  type Publication,
  readPublication,
} from '../store/catalogue/publications.ts';
import {
  readCardSlice,
  readExternalIdSlice,
  readNameSlice,
  readPrintingSlice,
  readSearchedFactsSlice,
  readSetsSince,
  type Slice,
} from '../store/catalogue/published.ts';
import type {
  StoredCard,
  StoredExternalId,
  StoredName,
  StoredPrinting,
  StoredSet,
} from '../store/catalogue/records.ts';
import type { Store, Transaction } from '../store/connect.ts';
import { quarantinedDays } from '../store/quarantine/prices.ts';
import type { CardPrinting } from './printings.ts';

/** Takes the rows of publications: sets first, then cards, then external ids and printings. */
export interface Rows {
  putSet(set: CardSet): void;
  putCard(card: StoredCard): void;
  /** An id that is new or has moved to another card. Ids are never removed. */
  putExternalId(id: CardExternalId): void;
  /** A new or changed name in another language. Names are never removed. */
  putName(name: StoredName): void;
  /** New or changed facts of a card. Facts are never removed. */
  putFacts(facts: StoredSearchedFacts): void;
  /** A new printing, or one with new prices. */
  putPrinting(printing: CardPrinting): void;
}

export interface CardExternalId extends ExternalId {
  readonly cardRowId: number;
}

/** A publication, with its contents other than rows. */
export interface Snapshot {
  readonly publication: Publication;
  /** The newest day of a quarantined market price, by row id of the printing. */
  readonly quarantined: ReadonlyMap<number, Day>;
  /** All published exchange rates; undefined if no new ones came. */
  readonly rates: Rates | undefined;
  /** The first day of the history; null without one. */
  readonly historySince: Day | null;
}

/** The receiver of the rows: all rows if the served publication is not from this database. */
interface Destinations<Whole, Partial> {
  readonly whole: () => Whole;
  readonly changes: () => Partial;
  /** Whether the process is not yet serving requests. */
  readonly isStarting: boolean;
}

/** Row ids read by one statement, in about a millisecond. */
const SLICE_SIZE = 500;

/**
 * The same for a starting process, which has no requests to answer yet. Rows of larger slices
 * survive the collection of new objects, and stay as garbage until the end of the load.
 */
const FIRST_SLICE_SIZE = 1000;

/** The pause between statements. Without it, a request would wait for several of them. */
const PAUSE_MS = 1;

/**
 * Reads everything published after the served publication, in one snapshot of the database.
 * Undefined if there is nothing.
 */
export async function readPublished<Whole extends Rows, Partial extends Rows>(
  store: Store,
  served: Publication,
  to: Destinations<Whole, Partial>,
): Promise<{ readonly rows: Whole | Partial; readonly snapshot: Snapshot } | undefined> {
  if (isSame(await readPublication(store.db), served)) return undefined;
  return store.engine.snapshot(store.db, async (db) => {
    const publication = await readPublication(db);
    const isWhole = !(await isOfThisDatabase(db, served));
    const rows = isWhole ? to.whole() : to.changes();
    const since = isWhole ? 0 : served.revision;
    const reader = new Reader(db, { since, published: publication.revision }, to.isStarting);
    await reader.read(rows);
    const quarantined = await quarantinedDays(db);
    const rates = await (isWhole ? readPublishedRates(db) : readRatesSince(db, since));
    const others = { rates: rates && servedRates(rates), historySince: await historySince(db) };
    return { rows, snapshot: { publication, quarantined, ...others } };
  });
}

/** Whether two publications are the same. Before the first publication, all databases are alike. */
function isSame(one: Publication, other: Publication): boolean {
  return one.id === other.id || (one.revision === 0 && other.revision === 0);
}

/** Reads the rows of some publications in slices, between which requests are answered. */
class Reader {
  readonly #db: Transaction;
  readonly #publications: Pick<Slice, 'since' | 'published'>;
  readonly #isStarting: boolean;
  /** Texts that many cards share, each kept in memory once. */
  readonly #texts = new Map<string, string>();

  constructor(
    db: Transaction,
    publications: Pick<Slice, 'since' | 'published'>,
    isStarting: boolean,
  ) {
    this.#db = db;
    this.#publications = publications;
    this.#isStarting = isStarting;
  }

  async read(rows: Rows): Promise<void> {
    const last = await nextRowIds(this.#db);
    const sets = await readSetsSince(this.#db, this.#publications);
    for (const set of sets) rows.putSet(toSet(set));
    await this.#readCards(last.card, rows);
    await this.#readPrintings(last.printing, rows);
  }

  async #readCards(end: number, rows: Rows): Promise<void> {
    for await (const slice of this.#slices(end)) {
      for (const card of await readCardSlice(this.#db, slice)) {
        rows.putCard(withSharedTexts(card, this.#texts));
      }
      for (const id of await readExternalIdSlice(this.#db, slice)) putExternalId(id, rows);
      for (const name of await readNameSlice(this.#db, slice)) rows.putName(name);
      for (const facts of await readSearchedFactsSlice(this.#db, slice)) rows.putFacts(facts);
    }
  }

  async #readPrintings(end: number, rows: Rows): Promise<void> {
    for await (const slice of this.#slices(end)) {
      for (const printing of await readPrintingSlice(this.#db, slice)) {
        rows.putPrinting(toPrinting(printing, this.#texts));
      }
    }
  }

  /** Yields the slices of row ids below `end`, with a pause before each. */
  async *#slices(end: number): AsyncGenerator<Slice> {
    const size = this.#isStarting ? FIRST_SLICE_SIZE : SLICE_SIZE;
    for (let above = 0; above < end; above += size) {
      await (this.#isStarting ? yieldToRequests() : sleep(PAUSE_MS));
      yield { above, upTo: above + size, ...this.#publications };
    }
  }
}

function toSet({ rowId, id, game, code, name, releaseDate }: StoredSet): CardSet {
  return { rowId, id, game, code, name, releaseDate };
}

/** Leaves out ids of spaces that callers do not know. */
function putExternalId({ idSpace, externalId, cardRowId }: StoredExternalId, rows: Rows): void {
  const space = ID_SPACES_BY_SOURCE.get(idSpace);
  if (space !== undefined) rows.putExternalId({ cardRowId, space, id: externalId });
}

/** `texts` contains the texts that many cards share, each kept in memory once. */
function withSharedTexts(card: StoredCard, texts: Map<string, string>): StoredCard {
  const rarity = card.rarity === null ? null : shared(texts, card.rarity);
  return { ...card, name: shared(texts, card.name), rarity };
}

function shared(texts: Map<string, string>, text: string): string {
  const known = texts.get(text);
  if (known === undefined) texts.set(text, text);
  return known ?? text;
}

function toPrinting(
  {
    rowId,
    cardRowId,
    name,
    prices,
    bases,
    confidence,
    origins,
    dispute,
    native,
    trade,
  }: StoredPrinting,
  texts: Map<string, string>,
): CardPrinting {
  const judged = { bases, confidence, origins, dispute, native, trade };
  return { cardRowId, printing: { rowId, name: shared(texts, name), prices, ...judged } };
}
