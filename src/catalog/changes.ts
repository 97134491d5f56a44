import { setTimeout as sleep, setImmediate as yieldToRequests } from 'node:timers/promises';
import type { Card, CardSet, Printing } from '../domain/card.ts';
import type { Day } from '../domain/day.ts';
import type { BasePrices } from '../domain/price-changes.ts';
import { type ExternalId, ID_SPACES_BY_SOURCE } from '../domain/sources.ts';
import { nextRowIds } from '../store/catalogue/catalogue.ts';
import {
  isOfThisDatabase,
  type Publication,
  readPublication,
} from '../store/catalogue/publications.ts';
import {
  readCardSlice,
  readExternalIdSlice,
  readPrintingSlice,
  readSetsSince,
  type Slice,
} from '../store/catalogue/published.ts';
import type {
  StoredCard,
  StoredExternalId,
  StoredPrinting,
  StoredSet,
} from '../store/catalogue/records.ts';
import type { Store, Transaction } from '../store/connect.ts';
import { quarantinedDays } from '../store/quarantine/prices.ts';

/** The changes since an earlier publication, in the catalogue's types. */
export interface Changes {
  /** The last publication. */
  readonly publication: Publication;
  /** Whether this is everything, because the earlier publication is not of this database. */
  readonly isWhole: boolean;
  /** New and changed sets, by row id. */
  readonly sets: Map<number, CardSet>;
  /** New and changed cards without their printings, by row id. */
  readonly cards: Map<number, Card>;
  /** External ids that are new or have moved to another card. They are never removed. */
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

/** How many row ids one statement reads, in about a millisecond. */
const SLICE_SIZE = 500;

/** The same for a starting process, which does not have requests to answer yet. */
const FIRST_SLICE_SIZE = 4000;

/** The pause between statements. Without it a request would wait for several of them. */
const PAUSE_MS = 1;

/** The contents that a process serves. */
export interface Served {
  readonly publication: Publication;
  /** Its sets, by row id. */
  readonly sets: ReadonlyMap<number, CardSet>;
}

/**
 * Reads what was published after the served publication, in one snapshot of the database. Undefined
 * if nothing was.
 */
export async function readChanges(store: Store, served: Served): Promise<Changes | undefined> {
  if (isSame(await readPublication(store.db), served.publication)) return undefined;
  return store.engine.snapshot(store.db, async (db) => {
    const publication = await readPublication(db);
    const isWhole = !(await isOfThisDatabase(db, served.publication));
    const since = isWhole ? 0 : served.publication.revision;
    const isStarting = served.publication.revision === 0;
    const reader = new Reader(db, { since, published: publication.revision }, isStarting);
    return { publication, isWhole, ...(await reader.read(isWhole ? new Map() : served.sets)) };
  });
}

/** Whether two publications are the same. Before the first one, all databases are alike. */
function isSame(one: Publication, other: Publication): boolean {
  return one.id === other.id || (one.revision === 0 && other.revision === 0);
}

/** Reads the rows of some publications in slices, so that requests are answered in between. */
class Reader {
  readonly #db: Transaction;
  readonly #publications: Pick<Slice, 'since' | 'published'>;
  readonly #isStarting: boolean;
  /** Texts that many cards share, so that each is in memory once. */
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

  /** Cards belong to changed sets or to one of the `known` sets, by row id. */
  async read(known: ReadonlyMap<number, CardSet>) {
    const last = await nextRowIds(this.#db);
    const changed = await readSetsSince(this.#db, this.#publications);
    const sets = new Map(changed.map((set) => [set.rowId, toSet(set)]));
    const cards = await this.#readCards(last.card, (rowId) => sets.get(rowId) ?? known.get(rowId));
    const printings = await this.#readPrintings(last.printing);
    return { sets, ...cards, printings, quarantined: await quarantinedDays(this.#db) };
  }

  async #readCards(end: number, setOf: (rowId: number) => CardSet | undefined) {
    const cards = new Map<number, Card>();
    const externalIds: CardExternalId[] = [];
    for await (const slice of this.#slices(end)) {
      for (const card of await readCardSlice(this.#db, slice)) {
        const set = setOf(card.setRowId);
        if (set) cards.set(card.rowId, toCard(card, set, this.#texts));
      }
      externalIds.push(...(await readExternalIdSlice(this.#db, slice)).flatMap(toExternalId));
    }
    return { cards, externalIds };
  }

  async #readPrintings(end: number): Promise<CardPrinting[]> {
    const printings: CardPrinting[] = [];
    for await (const slice of this.#slices(end)) {
      for (const printing of await readPrintingSlice(this.#db, slice)) {
        printings.push(toPrinting(printing, this.#texts));
      }
    }
    return printings;
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
function toExternalId({ idSpace, externalId, cardRowId }: StoredExternalId): CardExternalId[] {
  const space = ID_SPACES_BY_SOURCE.get(idSpace);
  return space === undefined ? [] : [{ cardRowId, space, id: externalId }];
}

/** `texts` contains the texts that many cards share, so that each is in memory once. */
function toCard(card: StoredCard, set: CardSet, texts: Map<string, string>): Card {
  const { rowId, id, number, image } = card;
  const name = shared(texts, card.name);
  const rarity = card.rarity === null ? null : shared(texts, card.rarity);
  return { rowId, id, set, name, number, rarity, image, printings: [] };
}

function shared(texts: Map<string, string>, text: string): string {
  const known = texts.get(text);
  if (known === undefined) texts.set(text, text);
  return known ?? text;
}

function toPrinting(
  { rowId, cardRowId, name, prices, bases }: StoredPrinting,
  texts: Map<string, string>,
): CardPrinting {
  const known = hasBases(bases) ? bases : undefined;
  return { cardRowId, printing: { rowId, name: shared(texts, name), prices, bases: known } };
}

function hasBases(bases: BasePrices): boolean {
  return bases['1d'] !== null || bases['7d'] !== null || bases['30d'] !== null;
}
