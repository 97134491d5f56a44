import type { Kysely } from 'kysely';
import type { GameSlug } from '../../domain/games.ts';
import { isLasting, VALIDATION_RULES, type ValidationRule } from '../../domain/quarantined.ts';
import type { ObservedSpan } from '../catalogue/observations.ts';
import type { Database } from '../catalogue/schema.ts';
import type { Store } from '../connect.ts';
import { queryInChunks, writeInChunks } from '../engine/paging.ts';
import {
  entryOf,
  type NewQuarantineEntry,
  newRowOf,
  QUARANTINE,
  type QuarantineEntry,
  rowOf,
} from './entries.ts';

/** SQL of quarantine entries. `list.ts` lists them and stores decisions on them. */
export {
  cardsMatching,
  closeOldEntries,
  countMatching,
  type ListedEntry,
  listQuarantined,
  type Matching,
  type PicturedFacts,
  type QuarantineFilter,
  quarantinePages,
  rejectMatching,
  undoRejections,
} from './list.ts';

type Db = Kysely<Database>;

/** Returns all quarantine entries of cards, decided or not. */
export async function readQuarantined(
  db: Db,
  cards: readonly number[],
): Promise<QuarantineEntry[]> {
  const rows = await queryInChunks(cards, (chunk) =>
    db.selectFrom('quarantine').where('card_id', 'in', chunk).selectAll().execute(),
  );
  return rows.map(entryOf);
}

/** The game of a card, and the row id and name of its set. */
export interface CardScope {
  readonly game: GameSlug;
  readonly set: number;
  readonly name: string;
}

/** Returns the scopes of cards, by row id of the card. */
export async function readScopes(
  db: Db,
  cards: readonly number[],
): Promise<Map<number, CardScope>> {
  const rows = await queryInChunks(cards, (chunk) =>
    db
      .selectFrom('cards')
      .innerJoin('sets', 'sets.id', 'cards.set_id')
      .where('cards.id', 'in', chunk)
      .select(['cards.id', 'sets.game', 'sets.id as set', 'sets.name'])
      .execute(),
  );
  return new Map(rows.map(({ id, ...scope }) => [id, scope]));
}

export function insertQuarantined(db: Db, entries: readonly NewQuarantineEntry[]): Promise<void> {
  const rows = entries.map(newRowOf);
  return writeInChunks(rows, (chunk) => db.insertInto('quarantine').values(chunk).execute());
}

/** Overwrites existing entries. */
export function updateQuarantined(
  { engine }: Store,
  transaction: Db,
  entries: readonly QuarantineEntry[],
): Promise<void> {
  return engine.upsert(transaction, QUARANTINE, entries.map(rowOf));
}

export function deleteQuarantined(db: Db, ids: readonly number[]): Promise<void> {
  return writeInChunks(ids, (chunk) =>
    db.deleteFrom('quarantine').where('id', 'in', chunk).execute(),
  );
}

/**
 * Deletes the quarantine entries of a span and the operator's decisions on them. Returns the number
 * of deleted rows. An approved finish, id or currency stays approved, because it does not concern a
 * day.
 */
export async function deleteQuarantinedIn(db: Db, span: ObservedSpan): Promise<number> {
  const lasting = (Object.keys(VALIDATION_RULES) as ValidationRule[]).filter(isLasting);
  let rows = db
    .deleteFrom('quarantine')
    .where('source', '=', span.source)
    .where('observed_at', '>=', span.from)
    .where('observed_at', '<', span.before)
    .where((row) =>
      row.or([
        row('decision', 'is', null),
        row('decision', '<>', 'approved'),
        row('rule', 'not in', lasting),
      ]),
    );
  if (span.game !== undefined) rows = rows.where('game', '=', span.game);
  if (span.sets !== undefined) rows = rows.where('set_id', 'in', span.sets);
  const { numDeletedRows } = await rows.executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Returns all mass delistings of a source, decided or not. */
export async function readMassDelistings(db: Db, source: string): Promise<QuarantineEntry[]> {
  const rows = await db
    .selectFrom('quarantine')
    .where('source', '=', source)
    .where('rule', '=', 'mass-delisting' satisfies ValidationRule)
    .selectAll()
    .execute();
  return rows.map(entryOf);
}

/** Deletes a source's undecided claims that some cards are other cards (`reassigned-id`). */
export async function clearReassigned(
  db: Db,
  source: string,
  cards: ReadonlySet<number>,
): Promise<void> {
  const rows = await db
    .selectFrom('quarantine')
    .where('source', '=', source)
    .where('rule', '=', 'reassigned-id' satisfies ValidationRule)
    .where('decision', 'is', null)
    .select(['id', 'card_id'])
    .execute();
  const cleared = rows.filter(({ card_id }) => card_id !== null && cards.has(card_id));
  await deleteQuarantined(
    db,
    cleared.map(({ id }) => id),
  );
}

/** The number of a source's observations, quarantined by one rule, that wait for the operator. */
export interface RuleCount {
  readonly source: string;
  readonly rule: string;
  readonly count: number;
}

export async function countQuarantinedByRule(db: Db): Promise<RuleCount[]> {
  const rows = await db
    .selectFrom('quarantine')
    .where('decision', 'is', null)
    .groupBy(['source', 'rule'])
    .orderBy('source')
    .orderBy('rule')
    .select(({ fn }) => ['source', 'rule', fn.countAll().as('count')])
    .execute();
  return rows.map(({ source, rule, count }) => ({ source, rule, count: Number(count) }));
}

/** The number of quarantined observations of a source and game that wait for the operator. */
export interface QuarantinedCount {
  readonly source: string;
  /** Null if the observations do not belong to one game. */
  readonly game: GameSlug | null;
  readonly count: number;
}

export async function countQuarantined(db: Db): Promise<QuarantinedCount[]> {
  const rows = await db
    .selectFrom('quarantine')
    .where('decision', 'is', null)
    .groupBy(['source', 'game'])
    .select(({ fn }) => ['source', 'game', fn.countAll().as('count')])
    .execute();
  return rows.map(({ source, game, count }) => ({ source, game, count: Number(count) }));
}

/** A card and its set and printings, by row id. */
export interface CardRowIds {
  readonly card: number;
  readonly set: number;
  readonly printings: readonly number[];
}

/** Returns the quarantine entries of a card that are not approved, oldest first. */
export async function quarantinedOfCard(db: Db, ids: CardRowIds): Promise<QuarantineEntry[]> {
  const rows = await db
    .selectFrom('quarantine')
    .where((row) =>
      row.or([
        row('card_id', '=', ids.card),
        row.and([row('card_id', 'is', null), row('set_id', '=', ids.set)]),
      ]),
    )
    .where((row) => row.or([row('decision', 'is', null), row('decision', '<>', 'approved')]))
    .selectAll()
    .orderBy('id')
    .execute();
  return rows.map(entryOf).filter((entry) => concerns(entry, ids));
}

/** Whether an entry concerns a card. A mass delisting concerns some printings of a set. */
function concerns({ cardRowId, delisted }: QuarantineEntry, { printings }: CardRowIds): boolean {
  return cardRowId !== null || delisted.some((printing) => printings.includes(printing));
}
