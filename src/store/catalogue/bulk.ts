import type { Kysely } from 'kysely';
import type { GameSlug } from '../../domain/games.ts';
import { isOneOf } from '../engine/id-lists.ts';
import { readCards, readExternalIds, readPrintings } from './published.ts';
import type { StoredCard, StoredExternalId, StoredPrinting } from './records.ts';
import type { Database } from './schema.ts';

/** A published card with everything that belongs to it. */
export interface WholeCard {
  readonly card: StoredCard;
  readonly externalIds: readonly StoredExternalId[];
  /** In the order in which they were added. */
  readonly printings: readonly StoredPrinting[];
}

/** Cards read at a time. */
const PAGE_CARDS = 200;

/** A printing with its identifying names. */
export interface NamedPrinting {
  readonly rowId: number;
  /** The id of its card. */
  readonly id: string;
  readonly printing: string;
}

/**
 * Yields cards as they were published, in pages. Only one page is in memory. Read in one snapshot
 * of the database.
 *
 * @param order Their row ids in the order of the pages.
 * @param published The number of the publication.
 */
export async function* publishedCards(
  db: Kysely<Database>,
  order: Int32Array,
  published: number,
): AsyncGenerator<WholeCard[]> {
  for (const page of pagesOf(order)) {
    const wanted = { cards: page, published };
    const cards = new Map((await readCards(db, wanted)).map((card) => [card.rowId, card]));
    const externalIds = Map.groupBy(await readExternalIds(db, wanted), (id) => id.cardRowId);
    const printings = Map.groupBy(await readPrintings(db, wanted), (one) => one.cardRowId);
    yield page.flatMap((id) => {
      const card = cards.get(id);
      if (!card) return [];
      const own = printings.get(id)?.sort((a, b) => a.rowId - b.rowId) ?? [];
      return [{ card, externalIds: externalIds.get(id) ?? [], printings: own }];
    });
  }
}

/**
 * Yields the printings of cards in the order of {@link publishedCards}, with only their names.
 * Nothing may be unpublished.
 */
export async function* namedPrintings(
  db: Kysely<Database>,
  order: Int32Array,
): AsyncGenerator<NamedPrinting[]> {
  for (const page of pagesOf(order)) {
    const rows = await db
      .selectFrom('printings')
      .innerJoin('cards', 'cards.id', 'printings.card_id')
      .where(isOneOf('printings.card_id', page))
      .select(['printings.id as rowId', 'cards.public_id as id', 'printings.name as printing'])
      .select('printings.card_id as card')
      .orderBy('printings.id')
      .execute();
    const byCard = Map.groupBy(rows, ({ card }) => card);
    yield page.flatMap((card) => byCard.get(card) ?? []);
  }
}

function* pagesOf(order: Int32Array): Generator<number[]> {
  for (let start = 0; start < order.length; start += PAGE_CARDS) {
    yield [...order.subarray(start, start + PAGE_CARDS)];
  }
}

/** Ids read at a time. */
const PAGE_IDS = 5000;

/**
 * Returns the row ids of a game's cards in the order of their public ids. Sorts here, because
 * databases sort texts by their own rules. Sorts bytes, because the small heap of a process that
 * writes files next to a service has no room for a million texts.
 */
export async function cardOrder(db: Kysely<Database>, game: GameSlug): Promise<Int32Array> {
  const pages: { readonly rowIds: Int32Array; readonly lengths: Int32Array }[] = [];
  const texts: Buffer[] = [];
  for (let last = 0; ; ) {
    const page = await cardIdsAfter(db, game, last);
    pages.push({
      rowIds: Int32Array.from(page, ({ id }) => id),
      lengths: Int32Array.from(page, ({ public_id }) => Buffer.byteLength(public_id)),
    });
    texts.push(Buffer.from(page.map(({ public_id }) => public_id).join('')));
    if (page.length < PAGE_IDS) break;
    last = page.at(-1)?.id ?? 0;
  }
  const all = Buffer.concat(texts);
  const ends = joined(pages.map(({ lengths }) => lengths));
  for (const [at, length] of ends.entries()) ends[at] = length + (ends[at - 1] ?? 0);
  const order = Uint32Array.from(ends.keys()).sort((a, b) => {
    return all.compare(all, ends[b - 1] ?? 0, ends[b], ends[a - 1] ?? 0, ends[a]);
  });
  const rowIds = joined(pages.map(({ rowIds }) => rowIds));
  return Int32Array.from(order, (at) => rowIds[at] ?? 0);
}

function joined(parts: readonly Int32Array[]): Int32Array {
  const all = new Int32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of parts) {
    all.set(part, end);
    end += part.length;
  }
  return all;
}

function cardIdsAfter(db: Kysely<Database>, game: GameSlug, last: number) {
  return db
    .selectFrom('cards')
    .innerJoin('sets', 'sets.id', 'cards.set_id')
    .where('sets.game', '=', game)
    .where('cards.id', '>', last)
    .select(['cards.id', 'cards.public_id'])
    .orderBy('cards.id')
    .limit(PAGE_IDS)
    .execute();
}
