import type { Millis } from '../../domain/day.ts';
import type { Store } from '../connect.ts';

/** Returns the latest moment recorded in the database; undefined if there is none. */
export async function latestMoment({ db, accounts }: Store): Promise<Millis | undefined> {
  const imported = await db
    .selectFrom('imports')
    .select((row) => row.fn.max('finished_at').as('at'))
    .executeTakeFirst();
  const recorded = await accounts.db
    .selectFrom('audit')
    .select((row) => row.fn.max('at').as('at'))
    .executeTakeFirst();
  const moments = [imported?.at, recorded?.at].filter((at) => typeof at === 'number');
  return moments.length === 0 ? undefined : Math.max(...moments);
}
