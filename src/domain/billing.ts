import { type Day, formatDay } from './day.ts';
import { UNLIMITED } from './plans.ts';

/** The events that the service sends to a billing system, by type. */
export const BILLING_EVENTS = {
  'account.created': 'An account was made.',
  'account.plan_changed': 'An account has another plan, or other limits than before.',
  'account.disabled': 'The keys and the password of an account stopped working.',
  'account.enabled': 'The keys and the password of an account work again.',
  'account.deleted': 'An account was deleted. The event has only its id and its last usage.',
  'usage.threshold_reached': 'An account has used a share of its daily quota.',
  test: 'Sent by `cardprice billing test`.',
} as const;

export type BillingEventType = keyof typeof BILLING_EVENTS;

/** An account as events describe it. */
export interface BilledAccount {
  readonly id: number;
  readonly email: string;
  readonly plan: string;
  /** In dollars per month. */
  readonly price: number;
  readonly dailyRequests: number;
  /** The limits that differ from the plan; null if none do. */
  readonly limits: unknown;
}

/** The part of an account that an event contains; null stands for no limit. */
export function accountData({ id, dailyRequests, ...account }: BilledAccount): object {
  return {
    account: id,
    ...account,
    dailyRequests: dailyRequests === UNLIMITED ? null : dailyRequests,
  };
}

/** A threshold that a charge has reached. */
export interface ReachedThreshold {
  readonly accountId: number;
  readonly day: Day;
  readonly percent: number;
  readonly quota: number;
  readonly used: number;
}

/** Returns the id of a threshold's event: one for each account, day and threshold. */
export function thresholdId({ accountId, day, percent }: ReachedThreshold): string {
  return `usage_${accountId}_${formatDay(day)}_${percent}`;
}
