import { setImmediate as yieldToRequests } from 'node:timers/promises';
import { type Static, Type } from 'typebox';
import {
  compileLucene,
  type FieldTest,
  joinTrees,
  type LuceneFields,
  parseLucene,
  QueryFault,
  type Tree,
} from '../../../search/index.ts';
import { invalidParameter } from '../../errors.ts';
import { Defaulted } from '../../parameters.ts';
import { shown } from '../../validation.ts';
import { compareKeys, pick, sortKey } from './record.ts';

/** Lists that callers filter, order, page and reduce to fields. */

/** The most records of a page. Longer pages are cut, as in the original API. */
const MAX_PAGE_SIZE = 250;

const FieldsParameter = Type.Optional(Type.String({ maxLength: 1000 }));

export const SelectQuery = Type.Object({ select: FieldsParameter });

export const ListQuery = Type.Object({
  q: Type.Optional(Type.String()),
  orderBy: FieldsParameter,
  select: FieldsParameter,
  page: Defaulted(Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 1 })),
  pageSize: Defaulted(Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: MAX_PAGE_SIZE })),
});

type ListQuery = Static<typeof ListQuery>;

export const Page = Type.Object({
  data: Type.Array(Type.Any()),
  page: Type.Integer(),
  pageSize: Type.Integer(),
  count: Type.Integer(),
  totalCount: Type.Integer(),
});

/** Records that can be listed. */
export interface Listed<Entry> extends LuceneFields {
  /** In the default order, without `orderBy`. */
  readonly entries: readonly Entry[];
  /** The part of an entry's record that is in memory, and the fields that it covers. */
  brief(entry: Entry): object;
  readonly briefFields: ReadonlySet<string>;
  /** Reads the whole records of some entries. */
  read(entries: readonly Entry[]): Promise<object[]>;
}

/** Entries read at once, in a few milliseconds. */
const AT_ONCE = { brief: 2000, whole: 250 };

/** Milliseconds after which other requests get their turn. */
const TURN = 8;

/**
 * Returns the page that a query asks for. Filters by the fields in memory first, then reads the
 * rest in slices, between which other requests are answered.
 *
 * @throws ApiError INVALID_PARAMETER for a query that cannot be read.
 */
export async function listPage<Entry>(listed: Listed<Entry>, query: ListQuery) {
  const order = readOrder(query.orderBy, listed);
  const tree = query.q?.trim() ? readQuery(query.q, listed) : undefined;
  const found = await inOrder(await matching(listed, tree), order, listed);
  const { page } = query;
  const pageSize = Math.min(query.pageSize, MAX_PAGE_SIZE);
  const onPage = found.slice((page - 1) * pageSize, page * pageSize);
  const data = (await listed.read(onPage)).map((record) => selected(record, query));
  return { data, page, pageSize, count: data.length, totalCount: found.length };
}

/** Returns a record with only the fields that a query selects. */
export function selected(record: object, { select }: Static<typeof SelectQuery>): unknown {
  const paths = fieldsIn(select).map((field) => field.split('.'));
  return paths.length === 0 ? record : pick(record, paths);
}

function fieldsIn(list = ''): string[] {
  return list.split(',').flatMap((field) => field.trim() || []);
}

function readQuery<Entry>(q: string, listed: Listed<Entry>): Tree<FieldTest> {
  try {
    return parseLucene(q, listed);
  } catch (error) {
    if (error instanceof QueryFault) throw invalidParameter('q', error.message);
    throw error;
  }
}

interface Order {
  readonly path: readonly string[];
  readonly sign: 1 | -1;
}

/** Reads `-set.releaseDate,number`. */
function readOrder<Entry>(orderBy: string | undefined, { fields }: Listed<Entry>): Order[] {
  return fieldsIn(orderBy).map((written) => {
    const field = written.replace(/^-/, '');
    const path = field.split('.');
    if (!fields.has(path[0] ?? '')) {
      throw invalidParameter('orderBy', `There is no field ${shown(field)}.`);
    }
    return { path, sign: written === field ? 1 : -1 };
  });
}

async function matching<Entry>(
  listed: Listed<Entry>,
  tree: Tree<FieldTest> | undefined,
): Promise<readonly Entry[]> {
  const parts = tree?.kind === 'all' ? tree.of : [tree ?? []].flat();
  const isBrief = (part: Tree<FieldTest>) => fieldsOf(part).every((field) => isIn(field, listed));
  const brief = joinTrees('all', parts.filter(isBrief));
  const whole = joinTrees(
    'all',
    parts.filter((part) => !isBrief(part)),
  );
  const passing = async (entries: readonly Entry[], part: typeof tree, reading: Reading<Entry>) => {
    if (!part) return entries;
    const passed = await mapped(entries, reading, compileLucene(part, listed));
    return entries.filter((_, i) => passed[i]);
  };
  const found = await passing(listed.entries, brief, briefly(listed));
  return passing(found, whole, wholly(listed));
}

function fieldsOf(tree: Tree<FieldTest>): string[] {
  if (tree.kind === 'field') return [tree.field];
  return tree.kind === 'not' ? fieldsOf(tree.of) : tree.of.flatMap(fieldsOf);
}

/** Whether a field is in memory. */
function isIn<Entry>(field: string, { briefFields }: Listed<Entry>): boolean {
  return briefFields.has(field.split('.', 1)[0] ?? '');
}

interface Reading<Entry> {
  readonly atOnce: number;
  read(entries: readonly Entry[]): Promise<object[]> | object[];
}

function briefly<Entry>({ brief }: Listed<Entry>): Reading<Entry> {
  return { atOnce: AT_ONCE.brief, read: (entries) => entries.map(brief) };
}

function wholly<Entry>({ read }: Listed<Entry>): Reading<Entry> {
  return { atOnce: AT_ONCE.whole, read };
}

/** Returns the results of a function for the records of entries. */
async function mapped<Entry, Result>(
  entries: readonly Entry[],
  { atOnce, read }: Reading<Entry>,
  map: (record: object) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  let start = performance.now();
  for (let from = 0; from < entries.length; from += atOnce) {
    for (const record of await read(entries.slice(from, from + atOnce))) {
      results.push(map(record));
      if (performance.now() - start < TURN) continue;
      await yieldToRequests();
      start = performance.now();
    }
  }
  return results;
}

async function inOrder<Entry>(
  entries: readonly Entry[],
  order: readonly Order[],
  listed: Listed<Entry>,
): Promise<readonly Entry[]> {
  if (order.length === 0) return entries;
  const isBrief = order.every(({ path }) => isIn(path.join('.'), listed));
  const reading = isBrief ? briefly(listed) : wholly(listed);
  const keys = await mapped(entries, reading, (record) => {
    return order.map(({ path }) => sortKey(record, path));
  });
  const ranked = entries.map((entry, i) => ({ entry, keys: keys[i] ?? [] }));
  ranked.sort((a, b) => {
    for (const [i, { sign }] of order.entries()) {
      const difference = compareKeys(a.keys[i], b.keys[i], sign);
      if (difference !== 0) return difference;
    }
    return 0;
  });
  return ranked.map(({ entry }) => entry);
}
