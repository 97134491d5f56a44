import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Cents } from '../../domain/money.ts';
import type { Database } from '../catalogue/schema.ts';

/** SQL that compares a copy of a database with its state when it was made. */

type Db = Kysely<Database>;

/** A printing whose served market price has changed. */
export interface PriceChange {
  /** The public id of the card. */
  readonly card: string;
  readonly name: string;
  readonly printing: string;
  /** The market price; null if none was served. The same applies to `after`. */
  readonly before: Cents | null;
  readonly after: Cents | null;
}

/** The number of printings that serve different prices than before, and the largest changes. */
export interface PriceChanges {
  /** Counts by the change of the market price. */
  readonly up: number;
  readonly down: number;
  readonly appeared: number;
  readonly gone: number;
  /** The market price is unchanged, but another figure, condition or grade changed. */
  readonly other: number;
  /** At most ten each, largest first. For removed prices, the highest. */
  readonly largestByRatio: readonly PriceChange[];
  readonly largestByMoney: readonly PriceChange[];
  readonly dearestGone: readonly PriceChange[];
}

/** The number of added ones, and the first of them by name. */
export interface Added {
  readonly count: number;
  readonly examples: readonly string[];
}

/** The entries of a set that a rule quarantined. */
export interface QuarantineChange {
  readonly rule: string;
  readonly source: string;
  readonly game: string | null;
  readonly set: string | null;
  readonly count: number;
  /** The first entries: the card, its printing and what the rule found. */
  readonly examples: readonly string[];
}

export interface CatalogueChanges {
  readonly prices: PriceChanges;
  readonly setsAdded: Added;
  readonly cardsAdded: Added;
  readonly productsAdded: Added;
  readonly printingsAdded: Added;
  /** New and changed entries by rule and set, the largest group first. */
  readonly quarantined: readonly QuarantineChange[];
}

const LARGEST = 10;
const EXAMPLES = 3;

/** Saves the current state for {@link readChanges} to compare with. */
export async function keepStateBefore(db: Db): Promise<void> {
  await sql`create temporary table printings_before as
    select id, market, low, mid, high, conditions, graded from printings`.execute(db);
  await sql`create unique index printings_before_id on printings_before (id)`.execute(db);
  await sql`create temporary table quarantine_before as
    select id, detail, observation from quarantine`.execute(db);
  await sql`create unique index quarantine_before_id on quarantine_before (id)`.execute(db);
  await sql`create temporary table ids_before as select
    (select coalesce(max(id), 0) from sets) as sets,
    (select coalesce(max(id), 0) from cards) as cards,
    (select coalesce(max(id), 0) from printings) as printings`.execute(db);
}

/** Returns the changes since {@link keepStateBefore}. */
export async function readChanges(db: Db): Promise<CatalogueChanges> {
  return {
    prices: await priceChanges(db),
    setsAdded: await added(
      db,
      sql`select name from sets
      where id > (select sets from ids_before) order by id`,
    ),
    cardsAdded: await addedCards(db, sql`product_type is null`),
    productsAdded: await addedCards(db, sql`product_type is not null`),
    printingsAdded: await added(
      db,
      sql`select c.public_id || ' ' || p.name as name
      from printings p join cards c on c.id = p.card_id
      where p.id > (select printings from ids_before) order by p.id`,
    ),
    quarantined: await quarantineChanges(db),
  };
}

/** `kind` selects cards or products. */
function addedCards(db: Db, kind: RawBuilder<unknown>): Promise<Added> {
  const names = sql`select public_id as name from cards
    where id > (select cards from ids_before) and ${kind} order by id`;
  return added(db, names);
}

async function added(db: Db, names: RawBuilder<unknown>): Promise<Added> {
  const counted = await sql<{ count: number }>`select count(*) as count from (${names}) as new_rows`
    .execute(db)
    .then(({ rows: [row] }) => Number(row?.count ?? 0));
  const { rows } = await sql<{ name: string }>`${names} limit ${sql.lit(EXAMPLES)}`.execute(db);
  return { count: counted, examples: rows.map(({ name }) => name) };
}

const JOINED = sql`printings p left join printings_before b on b.id = p.id`;

async function priceChanges(db: Db): Promise<PriceChanges> {
  const count = (condition: RawBuilder<unknown>) => sql`count(case when ${condition} then 1 end)`;
  const { rows } = await sql<Record<'up' | 'down' | 'appeared' | 'gone' | 'other', number>>`select
    ${count(sql`p.market > b.market`)} as up,
    ${count(sql`p.market < b.market`)} as down,
    ${count(sql`p.market is not null and b.market is null`)} as appeared,
    ${count(sql`p.market is null and b.market is not null`)} as gone,
    ${count(sql`p.market is not distinct from b.market and (p.low is distinct from b.low
      or p.mid is distinct from b.mid or p.high is distinct from b.high
      or p.conditions is distinct from b.conditions
      or p.graded is distinct from b.graded)`)} as other
    from ${JOINED}`.execute(db);
  const [counts] = rows;
  const ratio = sql`case when p.market > b.market then p.market * 1.0 / b.market
    else b.market * 1.0 / p.market end`;
  const hasBoth = sql`p.market <> b.market`;
  return {
    up: Number(counts?.up ?? 0),
    down: Number(counts?.down ?? 0),
    appeared: Number(counts?.appeared ?? 0),
    gone: Number(counts?.gone ?? 0),
    other: Number(counts?.other ?? 0),
    largestByRatio: await largest(db, hasBoth, ratio),
    largestByMoney: await largest(db, hasBoth, sql`abs(p.market - b.market)`),
    dearestGone: await largest(db, sql`p.market is null and b.market is not null`, sql`b.market`),
  };
}

async function largest(
  db: Db,
  condition: RawBuilder<unknown>,
  size: RawBuilder<unknown>,
): Promise<PriceChange[]> {
  const { rows } = await sql<PriceChange>`select c.public_id as card, c.name, p.name as printing,
      b.market as before, p.market as after
    from ${JOINED} join cards c on c.id = p.card_id
    where ${condition} order by ${size} desc, p.id limit ${sql.lit(LARGEST)}`.execute(db);
  return rows.map(({ card, name, printing, before, after }) => {
    return { card, name, printing, before, after };
  });
}

interface QuarantineExample extends Omit<QuarantineChange, 'examples'> {
  readonly card: string | null;
  readonly printing: string | null;
  readonly detail: string;
}

async function quarantineChanges(db: Db): Promise<QuarantineChange[]> {
  const ofOneKind = sql`partition by q.rule, q.source, q.set_id`;
  const { rows } = await sql<QuarantineExample>`select * from (
      select q.rule, q.source, q.game, s.name as "set", c.public_id as card, q.printing, q.detail,
        count(*) over (${ofOneKind}) as count,
        row_number() over (${ofOneKind} order by q.id) as place
      from quarantine q
      left join quarantine_before b on b.id = q.id
      left join sets s on s.id = q.set_id
      left join cards c on c.id = q.card_id
      where b.id is null or q.detail is distinct from b.detail
        or q.observation is distinct from b.observation
    ) as changed where place <= ${sql.lit(EXAMPLES)} order by rule, source, "set", place`.execute(
    db,
  );
  const kinds = Map.groupBy(rows, ({ rule, source, set }) => JSON.stringify([rule, source, set]));
  const changes = [...kinds.values()].flatMap((examples) => {
    const [first] = examples;
    if (!first) return [];
    const { rule, source, game, set, count } = first;
    return { rule, source, game, set, count: Number(count), examples: examples.map(describe) };
  });
  return changes.toSorted((a, b) => b.count - a.count);
}

function describe({ card, printing, detail }: QuarantineExample): string {
  const subject = [card, printing].filter((part) => part !== null).join(' ');
  return subject === '' ? detail : `${subject}: ${detail}`;
}
