import { ACCOUNT_CALLS } from './accounts.ts';
import { AUDIT_CALLS } from './audit.ts';
import type { OperatorCall } from './call.ts';
import { DECISION_CALLS } from './decisions.ts';
import { HEALTH_CALLS } from './health.ts';
import { KEY_CALLS } from './keys.ts';
import { PLAN_CALLS } from './plans.ts';
import { QUARANTINE_CALLS } from './quarantine.ts';
import { SYNC_CALLS } from './sync.ts';
import { USAGE_CALLS } from './usage.ts';

/** Every call of operators, for pages and keys alike, in the order of the OpenAPI document. */
export const OPERATOR_CALLS: readonly OperatorCall[] = [
  ...ACCOUNT_CALLS,
  ...KEY_CALLS,
  ...PLAN_CALLS,
  ...USAGE_CALLS,
  ...QUARANTINE_CALLS,
  ...DECISION_CALLS,
  ...HEALTH_CALLS,
  ...SYNC_CALLS,
  ...AUDIT_CALLS,
];
