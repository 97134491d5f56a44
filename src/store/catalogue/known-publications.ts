import { type Kysely, sql } from 'kysely';
import type { Day, Millis } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import type { Store } from '../connect.ts';
import type { Database } from './schema.ts';

/** SQL that finds the publication at an earlier moment. */

type Db = Kysely<Database>;

export interface KnownPublications {
  /** Returns the number of the publication that was served at a moment, if it can be read. */
  at(moment: Millis): Promise<number | undefined>;
  /** Returns the first moment whose publication can be read; null if there is none yet. */
  since(): Promise<Millis | null>;
  /** Returns the day of the newest figures of a game in a publication; null without any. */
  newestDay(game: GameSlug, revision: number): Promise<Day | null>;
}

/** Returns the finder of earlier publications. */
export function knownPublicationsReader({ db }: Pick<Store, 'db'>): KnownPublications {
  // Unless all later publications kept a journal, the history of an earlier one is lost.
  const journaled = () => {
    const gap = db
      .selectFrom('publications')
      .where('has_journal', 'is', null)
      .select(({ fn }) => fn.coalesce(fn.max('revision'), sql.lit(0)).as('revision'));
    return db.selectFrom('publications').where('revision', '>', gap);
  };
  return {
    async at(moment) {
      const row = await journaled()
        .where('published_at', '<=', moment)
        .select(({ fn }) => fn.max('revision').as('revision'))
        .executeTakeFirst();
      return row?.revision ?? undefined;
    },
    async since() {
      const row = await journaled()
        .select(({ fn }) => fn.min('published_at').as('since'))
        .executeTakeFirst();
      return row?.since ?? null;
    },
    async newestDay(game, revision) {
      const row = await db
        .selectFrom('newest_days')
        .where('game', '=', game)
        .where('revision', '<=', revision)
        .orderBy('revision', 'desc')
        .limit(1)
        .select('day')
        .executeTakeFirst();
      return (row?.day ?? null) as Day | null;
    },
  };
}

/**
 * Records the newest day of each game, where it changes. Call it in the transaction that publishes.
 */
export async function recordNewestDays(db: Db, revision: number): Promise<void> {
  await sql`insert into newest_days (game, revision, day)
    select game, ${revision}, day from (
      select s.game as game, max(p.figures_at) / 86400000 as day
      from printings p join cards c on c.id = p.card_id join sets s on s.id = c.set_id
      where c.product_type is null group by s.game) newest
    where day is distinct from (select d.day from newest_days d
      where d.game = newest.game order by d.revision desc limit 1)`.execute(db);
}

/**
 * If an older version made the previous publication, notes that it did not date the current days of
 * the history. Call it in the transaction that publishes.
 */
export async function beginJournal(db: Db, revision: number): Promise<void> {
  const before = revision - 1;
  if (before === 0) return;
  await sql`update catalog_state
    set dated_from = (select coalesce(max(last_day) + 1, 0) from history_recent)
    where not exists (select 1 from publications where revision = ${before} and has_journal = 1)`.execute(
    db,
  );
}
