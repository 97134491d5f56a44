import { type Static, Type } from 'typebox';
import { formatMoment } from '../../domain/day.ts';
import { ApiError, OperatorError } from '../../domain/errors.ts';
import { dollarsFromCents } from '../../domain/money.ts';
import { actionsOn, tellingAmount } from '../../domain/quarantined.ts';
import { Limit, Offset } from '../../http/parameters.ts';
import { countMatching, listQuarantined, type QuarantineFilter } from '../../store/quarantine.ts';
import {
  groupQuarantined,
  type QuarantineExample,
  type QuarantineGroup,
  quarantineExamples,
} from '../../store/quarantine-groups.ts';
import type { AuditRule } from '../audit.ts';
import { defineRoute } from '../route.ts';
import {
  Data,
  DecisionView,
  MAX_QUARANTINED,
  QUARANTINE_FILTER,
  type QuarantinedView,
  QuarantineGroupBody,
  QuarantineGroups,
  type QuarantineGroupView,
  QuarantineIdsBody,
  QuarantineList,
} from '../schemas.ts';
import type { Decision } from '../services.ts';

/** The calls by which operators work with the quarantine. */

const ListQuery = Type.Object({
  ...QUARANTINE_FILTER,
  /** Only entries after this id. */
  after: Type.Optional(Type.Integer({ minimum: 0, maximum: 999_999_999 })),
  /** Those that were rejected instead of those that wait. */
  rejected: Type.Optional(Type.Boolean()),
  limit: Limit(50, MAX_QUARANTINED),
});

/** Lists the quarantined prices that wait for the operator, or were rejected, oldest first. */
export const list = defineRoute({
  method: 'GET',
  path: '/operator/quarantine',
  access: 'operator',
  audit: null,
  schema: { querystring: ListQuery, response: { 200: QuarantineList } },
  async handle({ store }, { query: { after, limit, rejected, ...chosen } }) {
    const waiting = filterOf(chosen);
    const filter: QuarantineFilter = rejected
      ? { ...waiting, isDecided: undefined, decision: 'rejected' }
      : waiting;
    const rows = await listQuarantined(store.db, { ...filter, above: after, limit });
    const examples = await quarantineExamples(store, rows);
    const { count } = await countMatching(store.db, filter);
    return { data: examples.map(quarantinedView), total: count };
  },
});

const GroupsQuery = Type.Object({
  ...QUARANTINE_FILTER,
  by: Type.Unsafe<'set' | 'rule' | 'source'>({ type: 'string', enum: ['set', 'rule', 'source'] }),
  limit: Limit(20, 100),
  offset: Offset,
});

/** Groups the quarantined prices that wait for the operator, the largest group first. */
export const groups = defineRoute({
  method: 'GET',
  path: '/operator/quarantine/groups',
  access: 'operator',
  audit: null,
  schema: { querystring: GroupsQuery, response: { 200: QuarantineGroups } },
  async handle({ store }, { query: { by, limit, offset, ...chosen } }) {
    const all = await groupQuarantined(store, by, filterOf(chosen));
    const page = all.slice(offset, offset + limit).map(groupView);
    return { data: page, total: all.length, limit, offset };
  },
});

interface Chosen {
  readonly source?: string;
  readonly rule?: string;
  readonly set?: number;
}

function filterOf({ source, rule, set }: Chosen): QuarantineFilter {
  return { source, rule, sets: set === undefined ? undefined : [set], isDecided: false };
}

function groupView(group: QuarantineGroup): Static<typeof QuarantineGroupView> {
  const { name, set, game, count, rules, sources, lastId, oldest, newest, examples } = group;
  return {
    ...{ name, set, game, count, lastId },
    rules: Object.keys(rules),
    sources: Object.keys(sources),
    oldest: formatMoment(oldest),
    newest: formatMoment(newest),
    examples: examples.map(quarantinedView),
  };
}

function quarantinedView({
  price,
  card,
  cardName,
  game,
}: QuarantineExample): Static<typeof QuarantinedView> {
  const { id, source, printing, rule, detail, currency } = price;
  const amount = tellingAmount(price);
  return {
    ...{ id, source, game, cardId: card, cardName, printing, rule, detail, currency },
    amount: amount?.name ?? null,
    value: amount ? dollarsFromCents(amount.value) : null,
    was: amount?.was ? dollarsFromCents(amount.was) : null,
    ratio: amount?.ratio ?? null,
    quarantinedAt: formatMoment(price.quarantinedAt),
    isApprovable: actionsOn(price).includes('approve'),
  };
}

interface Decided {
  readonly data: Decision;
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

/** @throws ApiError when the body chooses nothing: that would be the whole quarantine. */
function groupOf({ upTo, ...chosen }: Static<typeof QuarantineGroupBody>): QuarantineFilter {
  if (Object.keys(chosen).length > 0) return { ...filterOf(chosen), upTo };
  throw new ApiError('INVALID_BODY', 'Name a source, a rule or a set.');
}

/** The body of a decision. It fails with CONFLICT while an import is running. */
async function decided(decision: Promise<Decision>) {
  try {
    return { data: await decision };
  } catch (error) {
    throw error instanceof OperatorError ? new ApiError('CONFLICT', error.message) : error;
  }
}
