import { type Static, Type } from 'typebox';
import { ApiError } from '../domain/errors.ts';
import { type Cents, dollarsFromCents } from '../domain/money.ts';
import {
  DEFAULT_ALERTS,
  defaultHistoryDays,
  MAX_HOW_TO_GET,
  type Plan,
  UNLIMITED,
} from '../domain/plans.ts';
import { Many } from '../http/schemas.ts';
import { defineOperatorCall, type OperatorCall } from './call.ts';
import { Daily, LIMITS, limitsOf, Price } from './limits.ts';
import { Data, EmptyView } from './schemas.ts';
import { OperatorPlanView } from './views.ts';

const Label = Type.String({
  title: 'The label',
  description: 'Its display name.',
  minLength: 1,
  maxLength: 40,
  pattern: '^[^\\p{C}]+$',
  examples: ['Shop'],
});

const HowToGet = Type.String({
  title: 'How to get the plan',
  description: 'How an account gets the plan, as the page of plans says it. It may have links.',
  maxLength: MAX_HOW_TO_GET,
  pattern: '^[^\\p{C}]*$',
});

const PlanName = Type.String({
  title: 'The name',
  pattern: '^[a-z][a-z0-9-]{0,30}$',
  description: 'Lower-case letters, digits and hyphens.',
  examples: ['shop'],
});

const PlanChangeBody = Type.Object({
  label: Type.Optional(Label),
  price: Type.Optional(Price),
  howToGet: Type.Optional(HowToGet),
  ...LIMITS,
});

const NewPlanBody = Type.Object({
  ...PlanChangeBody.properties,
  name: PlanName,
  dailyRequests: Daily,
});

const PlanParameter = Type.Object({ name: PlanName });

/** The plans. */
export const PLAN_CALLS: readonly OperatorCall[] = [
  defineOperatorCall({
    id: 'listPlans',
    summary: 'List the plans.',
    method: 'GET',
    path: '/plans',
    keys: true,
    audit: null,
    schema: { response: { 200: Many(OperatorPlanView, 'Cheapest first.') } },
    async handle({ plans }) {
      return { data: (await plans.read()).plans.map(planView) };
    },
  }),

  defineOperatorCall({
    id: 'createPlan',
    summary: 'Create a plan.',
    method: 'POST',
    path: '/plans',
    creates: true,
    keys: true,
    isDangerous: true,
    audit: {
      action: 'settings-changed',
      subject: ({ body }) => `plan ${body.name}`,
      detail: ({ answer }) => `made: ${JSON.stringify(answer?.data)}`,
    },
    schema: { body: NewPlanBody, response: { 201: Data(OperatorPlanView) } },
    status: 201,
    async handle({ plans }, { body }) {
      const { name, label = name, price = 0, howToGet = '', dailyRequests, ...limits } = body;
      const { features = [], ...others } = limitsOf(limits);
      const plan = {
        burst: null,
        features,
        historyDays: defaultHistoryDays(features),
        alerts: DEFAULT_ALERTS,
        ...others,
        name,
        label,
        price: centsOf(price),
        howToGet,
        dailyRequests: dailyRequests ?? UNLIMITED,
      };
      await plans.create(plan);
      return { data: planView(plan) };
    },
  }),

  defineOperatorCall({
    id: 'changePlan',
    summary: 'Change a plan. Missing fields stay as they are.',
    method: 'POST',
    path: '/plans/:name',
    keys: true,
    isDangerous: true,
    audit: {
      action: 'settings-changed',
      subject: ({ params }) => `plan ${params.name}`,
      detail: ({ answer }) => `now: ${JSON.stringify(answer?.data)}`,
    },
    schema: {
      params: PlanParameter,
      body: PlanChangeBody,
      response: { 200: Data(OperatorPlanView) },
    },
    async handle({ plans }, { params: { name }, body: { label, price, howToGet, ...limits } }) {
      const plan = await plans.change(name, {
        ...limitsOf(limits),
        ...(label !== undefined && { label }),
        ...(price !== undefined && { price: centsOf(price) }),
        ...(howToGet !== undefined && { howToGet }),
      });
      return { data: planView(plan) };
    },
  }),

  defineOperatorCall({
    id: 'deletePlan',
    summary: 'Delete a plan that no account has.',
    method: 'POST',
    path: '/plans/:name/delete',
    keys: true,
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
  }),
];

/** The price in a body. @throws ApiError if it has more than two decimals. */
export function centsOf(dollars: number): Cents {
  const cents = Math.round(dollars * 100);
  if (Math.abs(cents - dollars * 100) < 1e-6) return cents as Cents;
  throw new ApiError('INVALID_BODY', 'The price may have at most two decimals.');
}

/** A plan, as operators see it. */
export function planView({ dailyRequests, price, ...plan }: Plan): Static<typeof OperatorPlanView> {
  return {
    ...plan,
    features: [...plan.features],
    price: dollarsFromCents(price),
    dailyRequests: dailyRequests === UNLIMITED ? null : dailyRequests,
  };
}
