import { type Kysely, sql } from 'kysely';
import type { Millis } from '../../domain/day.ts';
import type { Database } from '../catalogue/schema.ts';

/** SQL that lists the decisions on quarantine entries that can be undone. */

/** The entries decided on at one moment. */
export interface ListedDecision {
  readonly decision: 'approved' | 'rejected';
  readonly decidedAt: Millis;
  readonly count: number;
  /** The names of the sets, most entries first; null for entries without a set. */
  readonly sets: readonly (string | null)[];
  readonly rules: readonly string[];
}

interface DecidedRow extends Pick<ListedDecision, 'decision'> {
  readonly decided_at: number | string;
  readonly count: number | string;
  readonly name: string | null;
  readonly rule: string;
}

const DECIDED = sql`
  select 'approved' as decision, decided_at, set_id, rule, count(*) as count from approvals
    group by decided_at, set_id, rule
  union all
  select 'rejected' as decision, decided_at, set_id, rule, count(*) as count from quarantine
    where decision = 'rejected' group by decided_at, set_id, rule`;

/** Returns decisions, newest first, and the total number of decisions. */
export async function listDecisions(
  db: Kysely<Database>,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly decisions: ListedDecision[]; readonly total: number }> {
  const { rows } = await sql<DecidedRow>`with decided as (${DECIDED}),
    newest as (select distinct decision, decided_at from decided
      order by decided_at desc, decision limit ${limit} offset ${offset})
    select decided.decision, decided.decided_at, decided.count, decided.rule, sets.name
      from newest
      join decided on decided.decision = newest.decision
        and decided.decided_at = newest.decided_at
      left join sets on sets.id = decided.set_id
      order by decided.decided_at desc, decided.decision, decided.count desc, decided.set_id,
        decided.rule`.execute(db);
  const counted = await sql<{ total: number | string }>`with decided as (${DECIDED})
    select count(*) as total from (select distinct decision, decided_at from decided) as moments`.execute(
    db,
  );
  const byMoment = Map.groupBy(rows, (row) => `${row.decision} ${row.decided_at}`);
  const decisions = [...byMoment.values()].flatMap((own) => decisionOf(own) ?? []);
  return { decisions, total: Number(counted.rows[0]?.total) };
}

function decisionOf(rows: readonly DecidedRow[]): ListedDecision | undefined {
  const [first] = rows;
  if (!first) return undefined;
  return {
    decision: first.decision,
    decidedAt: Number(first.decided_at),
    count: rows.reduce((sum, { count }) => sum + Number(count), 0),
    sets: [...new Set(rows.map(({ name }) => name))],
    rules: [...new Set(rows.map(({ rule }) => rule))],
  };
}
