import type { Static } from 'typebox';
import { formatExactMoment } from '../../domain/day.ts';
import { ApiError, OperatorError } from '../../domain/errors.ts';
import type { QuarantineFilter } from '../../store/quarantine/quarantine.ts';
import type { AuditRule } from '../audit.ts';
import {
  DecisionView,
  QuarantineGroupBody,
  QuarantineIdsBody,
  UndoDecisionBody,
} from '../quarantine-schemas.ts';
import { defineRoute } from '../route.ts';
import { Data } from '../schemas.ts';
import type { Decision } from '../services.ts';
import { filterOf } from './quarantine.ts';

/** The calls by which operators decide on quarantined prices, and take decisions back. */

interface Decided {
  readonly data: Static<typeof DecisionView>;
}

/** What the audit log gets of a decision: what became of it, and what was meant. */
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

function describeMoment({ decision: made, decidedAt }: Static<typeof UndoDecisionBody>): string {
  return `what was ${made} at ${decidedAt}`;
}

export const approve = defineRoute({
  method: 'POST',
  path: '/operator/quarantine/approve',
  access: 'operator',
  audit: decision('approved', describeIds),
  schema: { body: QuarantineIdsBody, response: { 200: Data(DecisionView) } },
  handle({ review }, { body: { ids } }) {
    return decided(review.approve({ ids }));
  },
});

export const reject = defineRoute({
  method: 'POST',
  path: '/operator/quarantine/reject',
  access: 'operator',
  audit: decision('rejected', describeIds),
  schema: { body: QuarantineIdsBody, response: { 200: Data(DecisionView) } },
  handle({ review }, { body: { ids } }) {
    return decided(review.reject({ ids }));
  },
});

/** Takes rejections back. */
export const undo = defineRoute({
  method: 'POST',
  path: '/operator/quarantine/undo',
  access: 'operator',
  audit: decision('took back', describeIds),
  schema: { body: QuarantineIdsBody, response: { 200: Data(DecisionView) } },
  handle({ review }, { body: { ids } }) {
    return decided(review.undo({ ids }));
  },
});

export const approveGroup = defineRoute({
  method: 'POST',
  path: '/operator/quarantine/approve-group',
  access: 'operator',
  isDangerous: true,
  audit: decision('approved', describeFilter),
  schema: { body: QuarantineGroupBody, response: { 200: Data(DecisionView) } },
  handle({ review }, { body }) {
    return decided(review.approve(groupOf(body)));
  },
});

export const rejectGroup = defineRoute({
  method: 'POST',
  path: '/operator/quarantine/reject-group',
  access: 'operator',
  isDangerous: true,
  audit: decision('rejected', describeFilter),
  schema: { body: QuarantineGroupBody, response: { 200: Data(DecisionView) } },
  handle({ review }, { body }) {
    return decided(review.reject(groupOf(body)));
  },
});

/** Takes a decision back, with all prices that it was about. */
export const undoDecision = defineRoute({
  method: 'POST',
  path: '/operator/quarantine/undo-decision',
  access: 'operator',
  isDangerous: true,
  audit: decision('took back', describeMoment),
  schema: { body: UndoDecisionBody, response: { 200: Data(DecisionView) } },
  handle({ review }, { body }) {
    const decidedAt = Date.parse(body.decidedAt);
    if (Number.isNaN(decidedAt)) throw new ApiError('INVALID_BODY', 'There is no such moment.');
    if (body.decision === 'approved') return decided(review.undoApproval(decidedAt));
    return decided(review.undo({ decidedAt }));
  },
});

/** @throws ApiError when the body chooses nothing: that would be the whole quarantine. */
function groupOf({ upTo, ...chosen }: Static<typeof QuarantineGroupBody>): QuarantineFilter {
  if (Object.keys(chosen).length > 0) return { ...filterOf(chosen), upTo };
  throw new ApiError('INVALID_BODY', 'Name a source, a rule or a set.');
}

/** The body of a decision. It fails with CONFLICT while an import is running. */
async function decided(made: Promise<Decision>): Promise<Decided> {
  try {
    const { decidedAt, ...done } = await made;
    const moment = decidedAt === null ? null : formatExactMoment(decidedAt);
    return { data: { ...done, decidedAt: moment } };
  } catch (error) {
    throw error instanceof OperatorError ? new ApiError('CONFLICT', error.message) : error;
  }
}
