import type { Kysely } from 'kysely';
import type { Day } from '../../domain/day.ts';
import type { AccountDatabase } from '../../store/accounts/schema.ts';
import type { Engine } from '../../store/engine/engine.ts';
import { jsonRows } from './usage-sql.ts';

/** SQL that records which cards are requested. */

/** The statements that record requests of cards. */
export interface CardViewStatements {
  /** Adds to the stored counts of a day, by the public ids of cards. */
  add(day: Day, counts: ReadonlyMap<string, number>): Promise<void>;
  /** Deletes the counts of all days before `day`. */
  remove(day: Day): Promise<void>;
}

export function prepareCardViews(engine: Engine): CardViewStatements {
  const add = engine.prepareCounter(`
    insert into card_views (card, day, count)
    select value ->> 0, cast(value ->> 1 as integer), cast(value ->> 2 as integer)
    from json_each($1)
    where true
    order by 1, 2
    on conflict (card, day) do update set count = card_views.count + excluded.count
    returning 1 as written`);
  const remove = engine.prepareCounter('delete from card_views where day < $1 returning day');
  return {
    async add(day, counts) {
      await add([jsonRows([...counts].map(([card, count]) => [card, day, count]))]);
    },
    async remove(day) {
      await remove([day]);
    },
  };
}

/** Returns the number of requests for each card since a day, by public id. */
export async function countCardViews(
  db: Kysely<AccountDatabase>,
  from: Day,
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('card_views')
    .where('day', '>=', from)
    .groupBy('card')
    .select(({ fn }) => ['card', fn.sum('count').as('count')])
    .execute();
  return new Map(rows.map(({ card, count }) => [card, Number(count)]));
}
