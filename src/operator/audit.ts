import { type Static, Type } from 'typebox';
import {
  type AuditFilter,
  type AuditRecord,
  countAudit,
  listAudit,
} from '../accounts/audit/audit-sql.ts';
import { ACTORS, AUDIT_ACTION_NAMES } from '../domain/audit.ts';
import {
  type Day,
  endOfDay,
  formatMoment,
  type Millis,
  parseDay,
  startOfDay,
} from '../domain/day.ts';
import { ApiError } from '../domain/errors.ts';
import { Limit, Offset } from '../http/parameters.ts';
import { defineOperatorCall, type OperatorCall } from './call.ts';
import { type AuditEntryView, AuditPage } from './views.ts';

const DayText = Type.String({ maxLength: 10 });

const Query = Type.Object({
  account: Type.Optional(Type.String({ maxLength: 254 })),
  action: Type.Optional(Type.String({ enum: [...AUDIT_ACTION_NAMES] })),
  actor: Type.Optional(Type.String({ enum: Object.keys(ACTORS) })),
  /** The first and the last day (UTC). */
  since: Type.Optional(DayText),
  until: Type.Optional(DayText),
  limit: Limit(50, 100),
  offset: Offset,
});

/** The audit log. */
export const AUDIT_CALLS: readonly OperatorCall[] = [
  defineOperatorCall({
    id: 'listAudit',
    summary: 'List who did what, the newest first.',
    method: 'GET',
    path: '/audit',
    keys: true,
    audit: null,
    schema: { querystring: Query, response: { 200: AuditPage } },
    async handle({ store }, { query: { limit, offset, ...chosen } }) {
      const { db } = store.accounts;
      const filter = filterOf(chosen);
      const rows = await listAudit(db, filter, { limit, offset });
      return { data: rows.map(entryView), total: await countAudit(db, filter), limit, offset };
    },
  }),
];

type Chosen = Pick<Static<typeof Query>, 'account' | 'action' | 'actor' | 'since' | 'until'>;

function filterOf({ account, action, actor, since, until }: Chosen): AuditFilter {
  // PostgreSQL refuses NUL in text, and no name has control characters.
  const name = account?.trim().toLowerCase().replace(/\p{C}/gu, ' ');
  return {
    account: name || undefined,
    action,
    actor,
    since: momentOf('since', since, startOfDay),
    until: momentOf('until', until, endOfDay),
  };
}

function momentOf(
  parameter: string,
  text: string | undefined,
  of: (day: Day) => Millis,
): Millis | undefined {
  if (!text) return undefined;
  const day = parseDay(text);
  if (day !== undefined) return of(day);
  const message = 'must be a day such as 2026-01-29.';
  throw new ApiError('INVALID_PARAMETER', `${parameter}: ${message}`, {
    details: [{ parameter, message }],
  });
}

function entryView({ at, actorEmail: by, ...entry }: AuditRecord): Static<typeof AuditEntryView> {
  const { id, action, actor, address, requestId, subject, detail } = entry;
  return { id, at: formatMoment(at), action, actor, by, address, requestId, subject, detail };
}
