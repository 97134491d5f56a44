import { Type } from 'typebox';
import { ALL_SCOPE_NAMES } from '../domain/key-scopes.ts';
import { Burst, Daily, Features, HistoryDays, LIMITS, Limits, OwnLimits } from './limit-schemas.ts';
import { KeyBody } from './schemas.ts';

/**
 * The schemas of what operators may change of accounts and plans, in the dashboard and with keys.
 * Null stands for no limit.
 */

const Email = Type.String({ title: 'The e-mail address', minLength: 1, maxLength: 254 });
const Price = Type.Number({
  ...{ title: 'The price', description: 'Dollars a month, with at most two decimals.' },
  ...{ minimum: 0, maximum: 999_999.99 },
});
const Label = Type.String({
  ...{ title: 'The label', description: 'Its name for people.' },
  ...{ minLength: 1, maxLength: 40, pattern: '^[^\\p{C}]+$' },
});
const PlanName = Type.String({
  ...{ title: 'The name', pattern: '^[a-z][a-z0-9-]{0,30}$' },
  description: 'Lower-case letters, digits and hyphens.',
});
export const NewAccountBody = Type.Object({
  email: Email,
  plan: Type.Optional(Type.String({ title: 'The plan', minLength: 1, maxLength: 40 })),
});

export const LimitsBody = Type.Object({
  email: Email,
  limits: Limits,
});

export const OperatorBody = Type.Object({
  email: Email,
  isOperator: Type.Boolean({ title: 'Whether it is an operator' }),
});

export const PlanChangeBody = Type.Object({
  label: Type.Optional(Label),
  price: Type.Optional(Price),
  ...LIMITS,
});

export const NewPlanBody = Type.Object({
  ...PlanChangeBody.properties,
  name: PlanName,
  dailyRequests: Daily,
});

export const PlanParameter = Type.Object({ name: PlanName });

/** What is left of an account that was deleted. */
export const DeletedView = Type.Object({
  account: Type.Integer({ description: 'Its id, by which the audit log goes on naming it.' }),
});

/** A plan as operators see it. */
export const OperatorPlanView = Type.Object({
  name: Type.String(),
  label: Type.String(),
  price: Price,
  dailyRequests: Daily,
  burst: Burst,
  historyDays: HistoryDays,
  features: Features,
});

export const AccountQuery = Type.Object({ email: Email });

/** What somebody else decides about a key of an account: it gets no scopes of operators. */
export const KeyOfBody = Type.Object({
  ...KeyBody.properties,
  scopes: Type.Optional(
    Type.Array(Type.String({ enum: ALL_SCOPE_NAMES.filter((name) => !name.includes(':')) }), {
      ...{ title: 'The list of scopes', minItems: 1 },
    }),
  ),
});

export const NewKeyOfBody = Type.Object({ ...KeyOfBody.properties, email: Email });

/** How many second factors were removed. */
export const RemovedView = Type.Object({ removed: Type.Integer() });

export const MonthQuery = Type.Object({
  month: Type.String({ description: 'The month (UTC), `YYYY-MM`.', maxLength: 7 }),
});

const OptionalText = Type.Unsafe<string | null>({ type: ['string', 'null'] });

export const MonthUsageView = Type.Object({
  account: Type.Integer({ description: 'The id of the account.' }),
  email: Type.String(),
  plan: Type.String({ description: 'The plan that it has now.' }),
  price: Price,
  requests: Type.Integer({ description: 'Requests charged in the month.' }),
  days: Type.Integer({ description: 'Days of the month with requests.' }),
  highestDay: OptionalText,
  highestRequests: Type.Integer({ description: 'The most requests of a day.' }),
  limits: OwnLimits,
  isDisabled: Type.Boolean(),
});

export const MonthUsages = Type.Object({
  data: Type.Array(MonthUsageView),
  deleted: Type.Integer({
    description: 'Accounts that were deleted in the month; nothing is left of their usage.',
  }),
});

/** An event for billing that was not delivered. */
export const BillingEventView = Type.Object({
  id: Type.String({ description: 'The id under which it is sent, each time again.' }),
  type: Type.String(),
  attempts: Type.Integer(),
  error: Type.Unsafe<string | null>({
    ...{ type: ['string', 'null'], description: 'What went wrong the last time.' },
  }),
  at: Type.String(),
  nextAt: Type.Unsafe<string | null>({
    ...{ type: ['string', 'null'], description: 'When it is sent again; null for never.' },
  }),
  givenUpAt: OptionalText,
  payload: Type.Unknown({ description: 'What is sent.' }),
});
