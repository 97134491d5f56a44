import type { FastifyRequest } from 'fastify';
import type { Plans } from '../accounts/quota/plans.ts';
import { RateLimiter } from '../accounts/quota/rate-limiter.ts';
import { networkOf } from '../accounts/sign-in/attempt-limiter.ts';
import type { Millis } from '../domain/day.ts';
import { ApiError } from '../domain/errors.ts';
import { type BurstLimit, FREE, type Plan, type PlanTable } from '../domain/plans.ts';
import { planRestriction } from '../http/hooks.ts';
import { refusals } from '../lib/tally.ts';
import { sentToken } from './cookie.ts';

/** Somebody without an account, who may read what the free plan includes. */
export interface Visitor {
  /** The network address. */
  readonly address: string;
  readonly plan: Plan;
  /** Every plan that there is. */
  readonly plans: PlanTable;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who sends a call without a session, once it is admitted. */
    visitor: Visitor | undefined;
  }
}

/**
 * The burst limit of an account, however many sessions it has, and of the network of visitors. Calls
 * are not charged to the quota of the API; one that would cost several requests there counts as so
 * many.
 */
export const PAGE_LIMIT: BurstLimit = { requests: 600, seconds: 60 };

export interface VisitorServices {
  readonly clock: () => Millis;
  readonly plans: Plans;
  /** Whether visitors without an account may read cards. */
  readonly isPublic: boolean;
}

/**
 * Returns what admits calls without a session where the pages are public and the route is for
 * visitors. Others are refused; so are sessions that have ended, so that a page asks to sign in again
 * instead of showing less than before.
 */
export function visitorAdmission({ clock, plans, isPublic }: VisitorServices) {
  const limiter = new RateLimiter<string>();
  return async (request: FastifyRequest): Promise<void> => {
    const { config } = request.routeOptions;
    if (!isPublic || config.access !== 'visitor' || sentToken(request) !== '') {
      throw new ApiError('UNAUTHORIZED');
    }
    const wait = limiter.wait(networkOf(request.ip), PAGE_LIMIT, clock());
    if (wait > 0) throw tooFast(wait);
    const table = await plans.read();
    const plan = table.find(FREE);
    if (!plan) throw new Error('the free plan is gone, although it cannot be deleted');
    request.visitor = { address: request.ip, plan, plans: table };
    const restriction = planRestriction(request.visitor, config, request.query);
    if (restriction) throw restriction;
  };
}

/** The error of a call that comes too early by `wait` milliseconds. */
export function tooFast(wait: number): ApiError {
  refusals.add('page-burst');
  const retryAfter = Math.ceil(wait / 1000);
  const message = `Too many requests. Please wait ${retryAfter} s.`;
  return new ApiError('TOO_MANY_ATTEMPTS', message, { retryAfter });
}
