import { hash } from 'node:crypto';
import { invalidParameter } from '../errors.ts';
import { shown } from '../validation.ts';

/**
 * Positions in lists that stay valid when a publication changes prices, cards or the order.
 * Consecutive pages by cursor contain no result twice, and contain every result that is in the list
 * throughout.
 */

/**
 * About how many results come in the order of the list. A cursor names all of them, so none is
 * repeated wherever the order moves it. The others come by row id, which never changes.
 */
const SORTED_RESULTS = 1000;

/** Bytes of the checksum, which also distinguishes cursors of different lists. */
const CHECK_BYTES = 6;

/** Parameters that may differ between pages: they neither choose nor order results. */
const OF_PAGES = new Set([
  'cursor',
  'limit',
  'offset',
  'include',
  'facets',
  'explain',
  'strict',
  'format',
]);

type RowIdOf<Item> = (item: Item) => number;

/** A request for a page of a list. */
export interface PageRequest {
  readonly params?: unknown;
  readonly query: {
    readonly limit: number;
    readonly offset: number;
    readonly cursor?: string | undefined;
  };
}

/** The position of a page in its list. */
export interface PagePlace {
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  /** Only for a page by cursor: the cursor of the next page, null if there is none. */
  readonly nextCursor?: string | null;
}

/** A page with its position. */
interface Page<Item> {
  readonly page: readonly Item[];
  readonly place: PagePlace;
}

/** The results of the pages before a cursor. */
interface Place {
  /** The number of results. */
  readonly count: number;
  /** The row id of the last result in the order of row ids; 0 if there is none yet. */
  readonly last: number;
  /** The row ids of the results in the order of the list. */
  readonly sorted: readonly number[];
}

const START: Place = { count: 0, last: 0, sorted: [] };

/** The cursor of a request. */
export class PageCursor {
  readonly #list: string;
  readonly #limit: number;
  readonly #place: Place;

  /** @throws ApiError INVALID_PARAMETER if the text is not a cursor of this list. */
  constructor(text: string, list: string, limit: number) {
    this.#list = list;
    this.#limit = limit;
    this.#place = text === '' ? START : placeIn(text, list);
  }

  /** Returns the results of the page, and one more if there is a next page. */
  pick<Item>(matches: Iterable<Item>, rowIdOf: RowIdOf<Item>): Item[] {
    const { last, sorted } = this.#place;
    const known = new Set(sorted);
    if (!this.#isSorted) {
      const others = [...matches].filter((item) => {
        const rowId = rowIdOf(item);
        return rowId > last && !known.has(rowId);
      });
      return others.sort((a, b) => rowIdOf(a) - rowIdOf(b)).slice(0, this.#limit + 1);
    }
    const picked: Item[] = [];
    for (const item of matches) {
      if (!known.has(rowIdOf(item))) picked.push(item);
      if (picked.length > this.#limit) break;
    }
    return picked;
  }

  /** Returns the page picked from a list of `total` results, with its position. */
  page<Item>(picked: readonly Item[], total: number, rowIdOf: RowIdOf<Item>): Page<Item> {
    const page = picked.slice(0, this.#limit);
    const { count } = this.#place;
    const nextCursor = picked.length > page.length ? this.#after(page.map(rowIdOf)) : null;
    return { page, place: { total, limit: this.#limit, offset: count, nextCursor } };
  }

  /** Whether the page is in the order of the list. */
  get #isSorted(): boolean {
    return this.#place.last === 0 && this.#place.sorted.length < SORTED_RESULTS;
  }

  #after(rowIds: readonly number[]): string {
    const { count, sorted, last } = this.#place;
    const isSorted = this.#isSorted;
    return textOf(
      {
        count: count + rowIds.length,
        last: isSorted ? 0 : (rowIds.at(-1) ?? last),
        sorted: isSorted ? [...sorted, ...rowIds] : sorted,
      },
      this.#list,
    );
  }
}

/**
 * Returns the cursor of a request for a list with this name; undefined if it pages by offset.
 *
 * @throws ApiError INVALID_PARAMETER
 */
export function cursorOf(name: string, { params, query }: PageRequest): PageCursor | undefined {
  const { cursor, limit, offset } = query;
  if (cursor === undefined) return undefined;
  if (offset > 0) throw invalidParameter('offset', 'Leave it out: cursor has the place.');
  const choosing = Object.entries(query).filter(([parameter]) => !OF_PAGES.has(parameter));
  return new PageCursor(cursor, JSON.stringify([name, params, choosing]), limit);
}

/**
 * Returns the page of a list that a request asks for, with its position.
 * @throws ApiError INVALID_PARAMETER
 */
export function pageOf<Item>(
  name: string,
  request: PageRequest,
  found: readonly Item[],
  rowIdOf: RowIdOf<Item>,
): Page<Item> {
  const cursor = cursorOf(name, request);
  if (cursor) return cursor.page(cursor.pick(found, rowIdOf), found.length, rowIdOf);
  const { limit, offset } = request.query;
  const page = found.slice(offset, offset + limit);
  return { page, place: { total: found.length, limit, offset } };
}

/**
 * Encodes a position as numbers of 7 bits per byte, and row ids as differences, which are small.
 */
function textOf({ count, last, sorted }: Place, list: string): string {
  const bytes: number[] = [];
  let before = 0;
  const rowIds = sorted.toSorted((a, b) => a - b);
  const differences = rowIds.map((rowId) => {
    const difference = rowId - before;
    before = rowId;
    return difference;
  });
  for (let number of [count, last, ...differences]) {
    for (; number > 0x7f; number >>>= 7) bytes.push((number & 0x7f) | 0x80);
    bytes.push(number);
  }
  const written = Buffer.from(bytes);
  return Buffer.concat([checkOf(written, list), written]).toString('base64url');
}

function placeIn(text: string, list: string): Place {
  const bytes = Buffer.from(text, 'base64url');
  const [check, written] = [bytes.subarray(0, CHECK_BYTES), bytes.subarray(CHECK_BYTES)];
  if (!checkOf(written, list).equals(check)) {
    const message =
      `"${shown(text)}" is not a cursor of this list. Send the nextCursor of its last page with ` +
      'the same parameters, or an empty cursor for the first page.';
    throw invalidParameter('cursor', message);
  }
  const [count = 0, last = 0, ...differences] = numbersIn(written);
  let rowId = 0;
  const sorted = differences.map((difference) => {
    rowId += difference;
    return rowId;
  });
  return { count, last, sorted };
}

function numbersIn(bytes: Buffer): number[] {
  const numbers: number[] = [];
  let [number, factor] = [0, 1];
  for (const byte of bytes) {
    number += (byte & 0x7f) * factor;
    factor *= 0x80;
    if (byte > 0x7f) continue;
    numbers.push(number);
    [number, factor] = [0, 1];
  }
  return numbers;
}

function checkOf(written: Buffer, list: string): Buffer {
  return hash('sha256', Buffer.concat([Buffer.from(list), written]), 'buffer').subarray(
    0,
    CHECK_BYTES,
  );
}
