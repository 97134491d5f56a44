import type { ExpressionBuilder, Kysely, SelectQueryBuilder } from 'kysely';
import { addDays, dayOf, type Millis, startOfDay } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import type { Cents } from '../../domain/money.ts';
import type { EntryDecision } from '../../domain/quarantined.ts';
import { WAITING_DAYS } from '../../domain/settlement.ts';
import type { Database, QuarantineRow } from '../catalogue/schema.ts';
import { readPages } from '../engine/paging.ts';
import { entryOf, type QuarantineEntry } from './entries.ts';

/** SQL that lists quarantine entries and stores the operator's decisions on them. */

type Db = Kysely<Database>;

/** Selects entries. An omitted condition does not restrict the selection. */
export interface QuarantineFilter {
  readonly ids?: readonly number[] | undefined;
  readonly source?: string | undefined;
  readonly game?: GameSlug | undefined;
  readonly rule?: string | undefined;
  /** The row ids of sets. */
  readonly sets?: readonly number[] | undefined;
  /** False for entries without a set. */
  readonly hasSet?: false | undefined;
  /** Quarantined at `since` or later, and before `until`. */
  readonly since?: Millis | undefined;
  readonly until?: Millis | undefined;
  /** Observed by the source at `observedSince` or later, and before `observedUntil`. */
  readonly observedSince?: Millis | undefined;
  readonly observedUntil?: Millis | undefined;
  /** True for entries that the operator decided on, false for entries that wait for a decision. */
  readonly isDecided?: boolean | undefined;
  readonly decision?: EntryDecision | undefined;
  /** True for entries whose decision can be undone: rejected and closed ones. */
  readonly isUndoable?: true | undefined;
  /** Decided on at exactly this moment, which identifies a decision. */
  readonly decidedAt?: Millis | undefined;
  /** Ids greater than `above`, and not greater than `upTo`. */
  readonly above?: number | undefined;
  readonly upTo?: number | undefined;
  /** The maximum number of rows to list. */
  readonly limit?: number | undefined;
}

/** A quarantine entry with the names of its card and set. */
export interface ListedEntry extends QuarantineEntry {
  /** The public id of the card. */
  readonly card: string | null;
  readonly cardName: string | null;
  readonly setName: string | null;
  /** The description of its picture; null if it concerns no card. */
  readonly pictured: PicturedFacts | null;
  /** The served market price of the printing, in cents. */
  readonly market: Cents | null;
}

/** The facts that a picture of a card shows. */
export interface PicturedFacts {
  readonly image: string | null;
  readonly number: string | null;
  readonly rarity: string | null;
  readonly setCode: string | null;
}

/** Returns the selected entries, oldest first. */
export async function listQuarantined(db: Db, filter: QuarantineFilter): Promise<ListedEntry[]> {
  const selected = matching(db, filter)
    .leftJoin('cards', 'cards.id', 'quarantine.card_id')
    .leftJoin('sets', 'sets.id', 'quarantine.set_id')
    .leftJoin('printings', 'printings.id', 'quarantine.printing_id')
    .selectAll('quarantine')
    .select(['cards.public_id as card', 'cards.name as cardName', 'sets.name as setName'])
    .select(['cards.image', 'cards.number', 'cards.rarity', 'sets.code as setCode'])
    .select('printings.market')
    .orderBy('quarantine.id');
  const { limit } = filter;
  const rows = await (limit === undefined ? selected : selected.limit(limit)).execute();
  return rows.map((row) => {
    const { card, cardName, setName, image, number, rarity, setCode } = row;
    const pictured = card === null ? null : { image, number, rarity, setCode };
    const market = row.market as Cents | null;
    return { ...entryOf(row), card, cardName, setName, pictured, market };
  });
}

/** Yields the selected entries in pages, oldest first. Callers may change the entries of a page. */
export function quarantinePages(db: Db, filter: QuarantineFilter): AsyncGenerator<ListedEntry[]> {
  const first = filter.above ?? -1;
  return readPages(
    (above) => listQuarantined(db, { ...filter, above: Math.max(above, first), limit: PAGE_ROWS }),
    ({ id }) => id,
  );
}

const PAGE_ROWS = 1000;

/** The entries that a filter selects, counted at one moment. */
export interface Matching {
  readonly count: number;
  /** The number of entries by rule, highest first. */
  readonly rules: readonly (readonly [rule: string, count: number])[];
  /** The highest id; 0 if there are no entries. */
  readonly lastId: number;
}

/** Counts the entries that a filter selects, ignoring its limit. */
export async function countMatching(db: Db, filter: QuarantineFilter): Promise<Matching> {
  const rows = await matching(db, filter)
    .groupBy('quarantine.rule')
    .select(({ fn }) => [
      'quarantine.rule',
      fn.countAll().as('count'),
      fn.max('quarantine.id').as('lastId'),
    ])
    .execute();
  const rules = rows.map(({ rule, count }) => [rule, Number(count)] as const);
  return {
    count: rules.reduce((sum, [, count]) => sum + count, 0),
    rules: rules.sort(([, a], [, b]) => b - a),
    lastId: Math.max(0, ...rows.map(({ lastId }) => lastId)),
  };
}

function matching(db: Db, filter: QuarantineFilter) {
  const { ids, source, game, rule, sets, hasSet, above, upTo } = filter;
  const { since, until, observedSince, observedUntil } = filter;
  let rows = withDecision(db.selectFrom('quarantine'), filter);
  if (ids) rows = rows.where((row) => isAmong(row, 'quarantine.id', ids));
  if (source !== undefined) rows = rows.where('quarantine.source', '=', source);
  if (game !== undefined) rows = rows.where('quarantine.game', '=', game);
  if (rule !== undefined) rows = rows.where('quarantine.rule', '=', rule);
  if (sets) rows = rows.where((row) => isAmong(row, 'quarantine.set_id', sets));
  if (hasSet === false) rows = rows.where('quarantine.set_id', 'is', null);
  if (since !== undefined) rows = rows.where('quarantine.quarantined_at', '>=', since);
  if (until !== undefined) rows = rows.where('quarantine.quarantined_at', '<', until);
  if (observedSince !== undefined) {
    rows = rows.where('quarantine.observed_at', '>=', observedSince);
  }
  if (observedUntil !== undefined) rows = rows.where('quarantine.observed_at', '<', observedUntil);
  if (above !== undefined) rows = rows.where('quarantine.id', '>', above);
  if (upTo !== undefined) rows = rows.where('quarantine.id', '<=', upTo);
  return rows;
}

function withDecision(
  rows: SelectQueryBuilder<Database, 'quarantine', object>,
  { isDecided, decision, decidedAt, isUndoable }: QuarantineFilter,
) {
  let decided = rows;
  if (isDecided !== undefined) {
    decided = decided.where('quarantine.decision', isDecided ? 'is not' : 'is', null);
  }
  if (decision !== undefined) decided = decided.where('quarantine.decision', '=', decision);
  if (isUndoable) decided = decided.where('quarantine.decision', 'in', ['rejected', 'closed']);
  if (decidedAt !== undefined) decided = decided.where('quarantine.decided_at', '=', decidedAt);
  return decided;
}

/** The condition that a column is among these ids. PostgreSQL rejects an empty list. */
function isAmong(
  row: ExpressionBuilder<Database, 'quarantine'>,
  column: 'quarantine.id' | 'quarantine.set_id',
  ids: readonly number[],
) {
  return ids.length === 0 ? row.lit(false) : row(column, 'in', ids);
}

/** Returns the row ids of the cards that the selected entries concern. */
export async function cardsMatching(db: Db, filter: QuarantineFilter): Promise<number[]> {
  const rows = await matching(db, filter).select('quarantine.card_id').distinct().execute();
  return rows.flatMap(({ card_id }) => card_id ?? []);
}

/** Rejects the selected entries that wait for a decision. Returns their number. */
export function rejectMatching(db: Db, filter: QuarantineFilter, at: Millis): Promise<number> {
  const rejected = { decision: 'rejected', decided_at: at } as const;
  return setDecision(db, { ...filter, isDecided: false }, rejected);
}

/**
 * Reopens the selected entries that were rejected or have closed. Entries that have already waited
 * long enough start their wait again. Returns the number of entries.
 */
export async function undoRejections(db: Db, filter: QuarantineFilter, at: Millis) {
  const undoable = { ...filter, isDecided: undefined, isUndoable: true } as const;
  await db
    .updateTable('quarantine')
    .set({ quarantined_at: at })
    .where('id', 'in', matching(db, undoable).select('quarantine.id'))
    .where('quarantined_at', '<', closingBefore(at, WAITING_DAYS.report))
    .execute();
  return setDecision(db, undoable, { decision: null, decided_at: null });
}

/**
 * Closes the entries that nobody has decided on within `WAITING_DAYS` (UTC). Past days close only
 * if the printing serves a later one.
 */
export async function closeOldEntries(db: Db, at: Millis): Promise<void> {
  const closed = { decision: 'closed', decided_at: at } as const;
  const waiting = db.updateTable('quarantine').set(closed).where('decision', 'is', null);
  await waiting.where('quarantined_at', '<', closingBefore(at, WAITING_DAYS.report)).execute();
  await waiting
    .where('quarantined_at', '<', closingBefore(at, WAITING_DAYS.pastDay))
    // JSON of an entry about a past day, as `entries.ts` writes it.
    .where('observation', 'like', '%"days":0%')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('printings')
          .whereRef('printings.id', '=', 'quarantine.printing_id')
          .whereRef('printings.figures_at', '>', 'quarantine.observed_at')
          .select('printings.id'),
      ),
    )
    .execute();
}

/** The moment before which entries must have been quarantined to close at `at`, in whole days. */
function closingBefore(at: Millis, days: number): Millis {
  return startOfDay(addDays(dayOf(at), 1 - days));
}

async function setDecision(
  db: Db,
  filter: QuarantineFilter,
  change: Pick<QuarantineRow, 'decision' | 'decided_at'>,
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('quarantine')
    .set(change)
    .where('id', 'in', matching(db, filter).select('quarantine.id'))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
