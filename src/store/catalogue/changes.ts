import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { ServedPrices } from '../../domain/card.ts';
import { type Millis, MS_PER_DAY } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import type { Cents } from '../../domain/money.ts';
import type { PriceFigures } from '../../domain/price.ts';
import type { Store } from '../connect.ts';
import { queryInChunks } from '../engine/paging.ts';
import { readAmounts } from './json-columns.ts';
import type { ChangeRow, Database, PublicationRow } from './schema.ts';

/**
 * SQL of the change feed. A publication records the cards and prices that it replaces, so the
 * changes since an earlier publication are known without its whole catalogue. New values are not
 * recorded: either they are still served, or the next change of the same printing records them as
 * replaced.
 */

type Db = Kysely<Database>;
type PublicationName = Pick<PublicationRow, 'revision' | 'id'>;

/** How long changes are kept. */
const KEPT_MS = 30 * MS_PER_DAY;

/** The prices of a printing that a change can concern. */
export type ChangeablePrices = Pick<ServedPrices, keyof PriceFigures | 'conditions' | 'graded'>;

/** The position of a change in the feed. */
export type ChangePlace = Pick<
  ChangeRow,
  'revision' | 'game' | 'previous' | 'card_id' | 'printing_id'
>;

/** A change of a set or card, or of the prices of a printing. */
export interface StoredChange {
  readonly place: ChangePlace;
  /** The earlier name of the set or card; null for a new one, and for a change of prices. */
  readonly name: string | null;
  readonly prices: ChangeablePrices;
}

/** The changes of the publications after `since`, up to and including `until`. */
export interface ChangesPage {
  /** Each `id` may be the prefix of an id. */
  readonly since: PublicationName;
  readonly until: PublicationName;
  /** The last change of the previous page; undefined for the first page. */
  readonly after: ChangePlace | undefined;
  /** Undefined for all games. */
  readonly game: GameSlug | undefined;
  readonly limit: number;
  readonly now: Millis;
}

export interface ChangesReader {
  /**
   * Reads a page of changes, in the order of publications. A card or printing that changed several
   * times appears once, with its values before the first change. Undefined if the changes are no
   * longer kept, or if the database does not have one of the two publications.
   */
  page(page: ChangesPage): Promise<readonly StoredChange[] | undefined>;
  /** Reads changes of one publication, from the start or after a position. */
  ofPublication(
    revision: number,
    after: ChangePlace | undefined,
    limit: number,
  ): Promise<readonly StoredChange[]>;
  /**
   * Returns the prices of a publication, by row id of the printing, for prices of some cards that
   * later publications have changed.
   */
  pricesAt(
    revision: number,
    cards: readonly number[],
  ): Promise<ReadonlyMap<number, ChangeablePrices>>;
}

/** Returns the reader of changes. */
export function changesReader({ db }: Pick<Store, 'db'>): ChangesReader {
  return {
    async page(page) {
      if (!(await isKept(db, page))) return undefined;
      const { since, until, after, limit, game } = page;
      const span = { since: since.revision, until: until.revision, game };
      return readAfter(db, after, span, limit);
    },
    ofPublication(revision, after, limit) {
      const span = { since: revision - 1, until: revision, game: undefined };
      return readAfter(db, after, span, limit);
    },
    async pricesAt(revision, cards) {
      const rows = await queryInChunks(cards, (chunk) =>
        db
          .selectFrom('changes')
          .where('card_id', 'in', chunk)
          .where('printing_id', '>', 0)
          .where('revision', '>', revision)
          .where('previous', '<=', revision)
          .selectAll()
          .execute(),
      );
      return new Map(rows.map((row) => [row.printing_id, pricesOf(row)]));
    },
  };
}

/** Whether the database has both publications, and all changes after the first. */
async function isKept(db: Db, { since, until, now }: ChangesPage): Promise<boolean> {
  const named = await db
    .selectFrom('publications')
    .where('revision', 'in', [since.revision, until.revision])
    .select(['revision', 'id'])
    .execute();
  const isKnown = [since, until].every(({ revision, id }) => {
    return named.some((row) => row.revision === revision && row.id.startsWith(id));
  });
  if (!isKnown) return false;
  const { all, recorded, oldest, newest } = await db
    .selectFrom('publications')
    .where('revision', '>', since.revision)
    .select(({ fn }) => [
      fn.countAll().as('all'),
      fn.count('has_changes').as('recorded'),
      fn.min('published_at').as('oldest'),
      fn.max('published_at').as('newest'),
    ])
    .executeTakeFirstOrThrow();
  if (Number(all) > Number(recorded)) return false;
  // Younger changes may have been deleted while a clock was ahead.
  return oldest === null || oldest >= Math.max(now, newest) - KEPT_MS;
}

const COLUMNS = sql`c.revision, c.game, c.previous, c.card_id, c.printing_id, c.name,
  c.market, c.low, c.mid, c.high, c.conditions, c.graded`;

interface Span {
  readonly since: number;
  readonly until: number;
  readonly game: GameSlug | undefined;
}

/** Reads the changes of some publications, from the first one or after a position. */
async function readAfter(db: Db, after: ChangePlace | undefined, span: Span, limit: number) {
  const own = after ? await readRest(db, span.since, after, limit) : [];
  const from = after ?? { revision: span.since + 1, game: '' };
  const others = own.length < limit ? await readLater(db, from, span, limit - own.length) : [];
  return [...own, ...others].map(changeOf);
}

/** Reads the changes of the same publication and game after a position in it. */
async function readRest(
  db: Db,
  since: number,
  { revision, game, previous, card_id, printing_id }: ChangePlace,
  limit: number,
): Promise<ChangeRow[]> {
  const { rows } = await sql<ChangeRow>`select ${COLUMNS} from changes c
    where revision = ${revision} and game = ${game} and previous <= ${since}
      and (previous, card_id, printing_id) > (${previous}, ${card_id}, ${printing_id})
    order by revision, game, previous, card_id, printing_id limit ${limit}`.execute(db);
  return rows;
}

/**
 * Reads the changes after those of a game and publication. Starts from the games of the
 * publications, seeks in each the changes that are the first after `since`, and skips all others.
 */
async function readLater(
  db: Db,
  from: { readonly revision: number; readonly game: GameSlug | '' },
  { since, until, game }: Span,
  limit: number,
) {
  // With `=`, SQLite would sort all changes of a game instead of reading them in order.
  const isWanted = game === undefined ? sql`1 = 1` : sql`g.game between ${game} and ${game}`;
  const { rows } = await sql<ChangeRow>`select ${COLUMNS}
    from changed_games g cross join changes c
    where c.revision = g.revision and c.game = g.game and c.previous <= ${since}
      and (g.revision, g.game) > (${from.revision}, ${from.game}) and g.revision <= ${until}
      and ${isWanted}
    order by g.revision, g.game, c.previous, c.card_id, c.printing_id limit ${limit}`.execute(db);
  return rows;
}

function changeOf(row: ChangeRow): StoredChange {
  const { revision, game, previous, card_id, printing_id, name } = row;
  return { place: { revision, game, previous, card_id, printing_id }, name, prices: pricesOf(row) };
}

function pricesOf(row: ChangeRow): ChangeablePrices {
  return {
    market: row.market as Cents | null,
    low: row.low as Cents | null,
    mid: row.mid as Cents | null,
    high: row.high as Cents | null,
    conditions: readAmounts(row.conditions),
    graded: readAmounts(row.graded),
  };
}

/**
 * Records the changes made by the rows of `revision`. Call it in the transaction that publishes
 * them, while the superseded rows still exist.
 */
export async function recordChanges(db: Db, revision: number): Promise<void> {
  // Before the first publication there are no clients.
  if (revision === 1) return;
  await recordSets(db, revision);
  await recordCards(db, revision);
  await recordPrices(db, revision);
  await sql`insert into changed_games (revision, game)
    select distinct revision, game from changes where revision = ${revision}`.execute(db);
}

async function recordSets(db: Db, revision: number): Promise<void> {
  const isChanged = differs(['name', 'code', 'release_date'], 't');
  await sql`insert into changes (revision, game, previous, card_id, printing_id, name)
    select t.revision, t.game, coalesce(${last(sql`0`, sql`t.id`)}, 0), 0, t.id, s.name
    from sets t left join superseded_sets s on s.id = t.id
    where t.revision = ${revision} and (s.id is null or ${isChanged})`.execute(db);
}

async function recordCards(db: Db, revision: number): Promise<void> {
  const isChanged = differs(['name', 'set_id', 'number', 'rarity', 'image'], 'c');
  await sql`insert into changes (revision, game, previous, card_id, printing_id, name)
    select c.revision, t.game, coalesce(${last(sql`c.id`, sql`0`)}, 0), c.id, 0, s.name
    from cards c join sets t on t.id = c.set_id left join superseded_cards s on s.id = c.id
    where c.revision = ${revision} and c.product_type is null
      and (s.id is null or ${isChanged})`.execute(db);
}

/**
 * New cards include their printings. They are found by the absence of a replaced row, because
 * PostgreSQL has no statistics yet for the changes of this publication, and would read all of them
 * for each printing.
 */
async function recordPrices(db: Db, revision: number): Promise<void> {
  const isChanged = differs(['market', 'low', 'mid', 'high', 'conditions', 'graded'], 'p');
  const isAddition = sql`e.name is null`;
  await sql`insert into changes (revision, game, previous, card_id, printing_id,
      market, low, mid, high, conditions, graded)
    select p.revision, t.game, coalesce(${last(sql`p.card_id`, sql`p.id`)},
        ${last(sql`p.card_id`, sql`0`, isAddition)}, 0),
      p.card_id, p.id, s.market, s.low, s.mid, s.high, s.conditions, s.graded
    from printings p
    join cards c on c.id = p.card_id join sets t on t.id = c.set_id
    left join superseded_printings s on s.id = p.id
    left join superseded_cards o on o.id = c.id
    where p.revision = ${revision} and c.product_type is null
      and (s.id is null or ${isChanged})
      and (c.revision <> ${revision} or o.id is not null)`.execute(db);
}

function differs(columns: readonly string[], table: string): RawBuilder<unknown> {
  const conditions = columns.map((column) => {
    return sql`s.${sql.ref(column)} is distinct from ${sql.ref(`${table}.${column}`)}`;
  });
  return sql`(${sql.join(conditions, sql` or `)})`;
}

/** The number of the publication with the last change of a printing, a card or a set. */
function last(
  card: RawBuilder<unknown>,
  printing: RawBuilder<unknown>,
  condition: RawBuilder<unknown> = sql`1 = 1`,
): RawBuilder<unknown> {
  return sql`(select max(e.revision) from changes e
    where e.card_id = ${card} and e.printing_id = ${printing} and ${condition})`;
}

/** Deletes the changes that are no longer kept, as of `now`. */
export async function forgetChanges(db: Db, now: Millis): Promise<void> {
  const outdated = db
    .selectFrom('publications')
    .where('published_at', '<', now - KEPT_MS)
    .select(({ fn }) => fn.max('revision').as('revision'));
  for (const table of ['changes', 'changed_games'] as const) {
    await db.deleteFrom(table).where('revision', '<=', outdated).execute();
  }
}
