import { type Static, Type } from 'typebox';
import { formatExactMoment } from '../domain/day.ts';
import { ApiError, OperatorError } from '../domain/errors.ts';
import { Limit, Offset } from '../http/parameters.ts';
import { type ListedDecision, listDecisions } from '../store/quarantine/decisions.ts';
import type { QuarantineFilter } from '../store/quarantine/quarantine.ts';
import { type AuditRule, defineOperatorCall, type OperatorCall } from './call.ts';
import { filterOf, MAX_QUARANTINED, QUARANTINE_FILTER } from './quarantine.ts';
import { Data } from './schemas.ts';
import type { Decision } from './services.ts';
import { DecisionView, ListedDecisions, type ListedDecisionView } from './views.ts';

/** A group of quarantined prices, as listed. */
const QuarantineGroupBody = Type.Object({
  ...QUARANTINE_FILTER,
  /** The highest id of the group, which excludes prices that are quarantined later. */
  upTo: Type.Integer({ title: 'The last id', minimum: 1, maximum: 999_999_999, examples: [120] }),
});

const QuarantineIdsBody = Type.Object({
  ids: Type.Array(Type.Integer({ minimum: 1, maximum: 999_999_999 }), {
    title: 'The list of ids',
    minItems: 1,
    maxItems: MAX_QUARANTINED,
    examples: [[17, 18]],
  }),
});

const UndoDecisionBody = Type.Object({
  decidedAt: Type.String({
    title: 'The moment of the decision',
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
    maxLength: 24,
    examples: ['2026-01-28T20:05:12.113Z'],
  }),
});

const DecisionsQuery = Type.Object({ limit: Limit(20, 100), offset: Offset });

/** Decisions on quarantined prices, and undoing them. */
export const DECISION_CALLS: readonly OperatorCall[] = [
  defineOperatorCall({
    id: 'listDecisions',
    summary: 'List the decisions that can be undone.',
    method: 'GET',
    path: '/quarantine/decisions',
    keys: true,
    audit: null,
    schema: { querystring: DecisionsQuery, response: { 200: ListedDecisions } },
    async handle({ store }, { query }) {
      const listed = await listDecisions(store.db, query);
      return { data: listed.decisions.map(decisionView), total: listed.total, ...query };
    },
  }),

  defineOperatorCall({
    id: 'approveQuarantined',
    summary: 'Approve quarantined prices.',
    method: 'POST',
    path: '/quarantine/approve',
    keys: true,
    audit: decision('approved', describeIds),
    schema: { body: QuarantineIdsBody, response: { 200: Data(DecisionView) } },
    handle({ review }, { body: { ids } }) {
      return decided(review.approve({ ids }));
    },
  }),

  defineOperatorCall({
    id: 'rejectQuarantined',
    summary: 'Reject quarantined prices.',
    method: 'POST',
    path: '/quarantine/reject',
    keys: true,
    audit: decision('rejected', describeIds),
    schema: { body: QuarantineIdsBody, response: { 200: Data(DecisionView) } },
    handle({ review }, { body: { ids } }) {
      return decided(review.reject({ ids }));
    },
  }),

  defineOperatorCall({
    id: 'undoRejections',
    summary: 'Undo rejections. The prices wait for a decision again.',
    method: 'POST',
    path: '/quarantine/undo',
    keys: true,
    audit: decision('took back', describeIds),
    schema: { body: QuarantineIdsBody, response: { 200: Data(DecisionView) } },
    handle({ review }, { body: { ids } }) {
      return decided(review.undo({ ids }));
    },
  }),

  defineOperatorCall({
    id: 'approveQuarantinedGroup',
    summary: 'Approve a group of quarantined prices.',
    method: 'POST',
    path: '/quarantine/approve-group',
    keys: true,
    isDangerous: true,
    audit: decision('approved', describeFilter),
    schema: { body: QuarantineGroupBody, response: { 200: Data(DecisionView) } },
    handle({ review }, { body }) {
      return decided(review.approve(groupOf(body)));
    },
  }),

  defineOperatorCall({
    id: 'rejectQuarantinedGroup',
    summary: 'Reject a group of quarantined prices.',
    method: 'POST',
    path: '/quarantine/reject-group',
    keys: true,
    isDangerous: true,
    audit: decision('rejected', describeFilter),
    schema: { body: QuarantineGroupBody, response: { 200: Data(DecisionView) } },
    handle({ review }, { body }) {
      return decided(review.reject(groupOf(body)));
    },
  }),

  defineOperatorCall({
    id: 'undoDecision',
    summary: 'Undo a decision, with all its prices.',
    method: 'POST',
    path: '/quarantine/undo-decision',
    keys: true,
    isDangerous: true,
    audit: decision('took back', describeMoment),
    schema: { body: UndoDecisionBody, response: { 200: Data(DecisionView) } },
    handle({ review }, { body }) {
      const decidedAt = Date.parse(body.decidedAt);
      if (Number.isNaN(decidedAt))
        throw new ApiError('INVALID_BODY', 'decidedAt is not a valid moment.');
      return decided(review.undoDecision(decidedAt));
    },
  }),
];

/** Sets of a decision to name. */
const SETS_NAMED = 3;

function decisionView(decision: ListedDecision): Static<typeof ListedDecisionView> {
  const { decidedAt, sets, rules, ...rest } = decision;
  return {
    ...rest,
    decidedAt: formatExactMoment(decidedAt),
    sets: sets.slice(0, SETS_NAMED),
    setCount: sets.length,
    rules: [...rules],
  };
}

interface Decided {
  readonly data: Static<typeof DecisionView>;
}

/** The audit entry of a decision: its outcome, and the selected prices. */
function decision<Body>(
  verb: string,
  describe: (body: Body) => string,
): AuditRule<unknown, Body, Decided> {
  return {
    action: 'quarantine-decided',
    subject: () => 'quarantine',
    detail: ({ body, answer }) => `${verb} ${answer?.data.decided}: ${describe(body)}`,
  };
}

function describeIds({ ids }: Static<typeof QuarantineIdsBody>): string {
  return `ids ${ids.join(', ')}`;
}

function describeFilter(body: Static<typeof QuarantineGroupBody>): string {
  return Object.entries(body)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

function describeMoment({ decidedAt }: Static<typeof UndoDecisionBody>): string {
  return `decision ${decidedAt}`;
}

/** @throws ApiError if the body selects nothing: that would be the whole quarantine. */
function groupOf({ upTo, ...chosen }: Static<typeof QuarantineGroupBody>): QuarantineFilter {
  if (Object.keys(chosen).length > 0) return { ...filterOf(chosen), upTo };
  throw new ApiError('INVALID_BODY', 'Name a source, a rule or a set.');
}

/** The body of a decision. Fails with CONFLICT while an import is running. */
async function decided(made: Promise<Decision>): Promise<Decided> {
  try {
    const { decidedAt, ...done } = await made;
    const moment = decidedAt === null ? null : formatExactMoment(decidedAt);
    return { data: { ...done, decidedAt: moment } };
  } catch (error) {
    throw error instanceof OperatorError ? new ApiError('CONFLICT', error.message) : error;
  }
}
