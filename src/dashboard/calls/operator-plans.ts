import type { Cents } from '../../domain/money.ts';
import { defaultHistoryDays } from '../../domain/plans.ts';
import { Many } from '../../http/schemas.ts';
import {
  NewPlanBody,
  OperatorPlanView,
  PlanChangeBody,
  PlanParameter,
} from '../operator-schemas.ts';
import { defineRoute } from '../route.ts';
import { Data, EmptyView } from '../schemas.ts';
import { centsOf, limitsOf, planView } from './plan-parts.ts';

/** The calls by which operators change what plans there are. */

export const list = defineRoute({
  method: 'GET',
  path: '/operator/plans',
  access: 'operator',
  audit: null,
  schema: { response: { 200: Many(OperatorPlanView, 'Cheapest first.') } },
  async handle({ plans }) {
    return { data: (await plans.read()).plans.map(planView) };
  },
});

/** What a new plan has of what the body leaves out. */
const NEW_PLAN = { burst: null, features: [] } as const;

export const create = defineRoute({
  method: 'POST',
  path: '/operator/plans',
  access: 'operator',
  isDangerous: true,
  audit: {
    action: 'settings-changed',
    subject: ({ body }) => `plan ${body.name}`,
    detail: ({ answer }) => `made: ${JSON.stringify(answer?.data)}`,
  },
  schema: { body: NewPlanBody, response: { 201: Data(OperatorPlanView) } },
  status: 201,
  async handle({ plans }, { body: { name, label = name, price = 0, ...limits } }) {
    const { dailyRequests = 0, ...others } = limitsOf(limits);
    const cents: Cents = centsOf(price);
    const historyDays = defaultHistoryDays(others.features ?? NEW_PLAN.features);
    const plan = { ...NEW_PLAN, historyDays, ...others, name, label, price: cents, dailyRequests };
    await plans.create(plan);
    return { data: planView(plan) };
  },
});

export const change = defineRoute({
  method: 'POST',
  path: '/operator/plans/:name',
  access: 'operator',
  isDangerous: true,
  audit: {
    action: 'settings-changed',
    subject: ({ params }) => `plan ${params.name}`,
    detail: ({ answer }) => `now: ${JSON.stringify(answer?.data)}`,
  },
  schema: {
    ...{ params: PlanParameter, body: PlanChangeBody },
    response: { 200: Data(OperatorPlanView) },
  },
  async handle({ plans }, { params: { name }, body: { label, price, ...limits } }) {
    const plan = await plans.change(name, {
      ...limitsOf(limits),
      ...(label !== undefined && { label }),
      ...(price !== undefined && { price: centsOf(price) }),
    });
    return { data: planView(plan) };
  },
});

export const remove = defineRoute({
  method: 'POST',
  path: '/operator/plans/:name/delete',
  access: 'operator',
  isDangerous: true,
  audit: {
    action: 'settings-changed',
    subject: ({ params }) => `plan ${params.name}`,
    detail: () => 'deleted',
  },
  schema: { params: PlanParameter, response: { 200: Data(EmptyView) } },
  async handle({ plans }, { params: { name } }) {
    await plans.delete(name);
    return { data: {} };
  },
});
