import { type Day, endOfDay } from '../../../src/domain/day.ts';
import type { Store } from '../../../src/store/connect.ts';
import type { EndImport, EndKey, EndPublication, EndUsage, RunRecord } from '../record.ts';
import { withStore } from './accounts.ts';

/** What a record has of the database. */
type End = Pick<RunRecord, 'endUsage' | 'endKeys' | 'endImports' | 'endPublications'>;

/** What the database has at the end of a run. */
export function readEnd(database: string): Promise<End> {
  return withStore(database, async (store) => ({
    endUsage: await readUsage(store),
    endKeys: await readKeys(store),
    endImports: await readImports(store),
    endPublications: await readPublications(store),
  }));
}

async function readUsage({ accounts: { db } }: Store): Promise<EndUsage[]> {
  const rows = await db
    .selectFrom('usage')
    .innerJoin('accounts', 'accounts.id', 'usage.account_id')
    .where('accounts.email', 'like', 'account-%')
    .select(['accounts.email', 'usage.day', 'usage.used'])
    .execute();
  return rows.map(({ email: account, day, used }) => {
    return { account, reset: endOfDay(day as Day) / 1000, used };
  });
}

async function readKeys({ accounts: { db } }: Store): Promise<EndKey[]> {
  const rows = await db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select(['api_keys.id', 'hash', 'email', 'revoked_at'])
    .execute();
  return rows.map(({ id, hash, email: account, revoked_at }) => {
    return { id: String(id), hash, account, isRevoked: revoked_at !== null };
  });
}

async function readImports({ db }: Store): Promise<EndImport[]> {
  const rows = await db.selectFrom('imports').selectAll().orderBy('started_at').execute();
  return rows.map(({ started_at: started, finished_at: finished, observed_at: observedAt }) => {
    return { started, finished, observedAt };
  });
}

async function readPublications({ db }: Store): Promise<EndPublication[]> {
  const rows = await db.selectFrom('publications').selectAll().orderBy('revision').execute();
  return rows.map(({ revision, id, predecessor, published_at: published }) => {
    return { revision, id, predecessor, published };
  });
}
