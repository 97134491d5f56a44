import type { FastifyRequest } from 'fastify';
import type { Actor } from '../accounts/audit/audit.ts';
import type { AuditName } from '../accounts/audit/audit-sql.ts';
import type { AuditTrail } from '../accounts/audit/audit-trail.ts';
import type { Session } from '../accounts/sign-in/sessions.ts';
import type { AuditAction } from '../domain/audit.ts';
import { AccountError } from '../domain/errors.ts';
import type { Access } from './hooks.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The e-mail address of the account that the call proved to own, which has no session yet. */
    provedAccount: string | null;
  }
}

/** The parts of a call that the audit log may use, and its answer if it went well. */
export interface AuditedCall<Params, Body, Answer> {
  readonly params: Params;
  readonly body: Body;
  /** Who sent it; undefined while nobody is signed in. */
  readonly session: Session | undefined;
  readonly answer: Answer | undefined;
  /** The e-mail address of the account that it proved to own; null where it proved none. */
  readonly proved: string | null;
}

/** What the audit log gets of a call, once its outcome is known. */
export interface AuditRule<Params = unknown, Body = unknown, Answer = unknown> {
  /** What a call has done that went well; a function where that depends, null for nothing. */
  readonly action:
    | AuditAction
    | null
    | ((call: AuditedCall<Params, Body, Answer>) => AuditAction | null);
  /** What a call was that was refused; without it, refusals are not recorded. */
  readonly refusal?: AuditAction;
  /** The account, or the name of what it was done to; the account of the session without it. */
  subject?(call: AuditedCall<Params, Body, Answer>): AuditName;
  /** More about it; never a secret. A refusal has its message. */
  detail?(call: AuditedCall<Params, Body, Answer>): string;
}

/** Why a route that changes something leaves nothing in the audit log. */
export interface Unaudited {
  readonly none: string;
}

/** What the audit log needs to know of a route. */
interface AuditedRoute {
  readonly access: Access;
  readonly audit: AuditRule | Unaudited | null;
}

/**
 * Runs the handler of a route, and records in the audit log what it did or that it was refused. The
 * answer does not wait for that.
 */
export async function audited(
  { access, audit }: AuditedRoute,
  trail: AuditTrail,
  request: FastifyRequest,
  run: () => unknown,
): Promise<unknown> {
  if (audit === null || 'none' in audit) return run();
  try {
    const answer = await run();
    const call = callOf(request, answer);
    const { action, detail } = audit;
    const done = typeof action === 'function' ? action(call) : action;
    if (done) record(trail, done, call, { request, access, rule: audit, detail: detail?.(call) });
    return answer;
  } catch (error) {
    if (audit.refusal && isAnswered(error)) {
      const { reason: detail } = error;
      record(trail, audit.refusal, callOf(request), { request, access, rule: audit, detail });
    }
    throw error;
  }
}

/** Whether an attempt was made. One that came too early was not, and there may be many of them. */
function isAnswered(error: unknown): error is AccountError {
  return error instanceof AccountError && error.code !== 'TOO_MANY_ATTEMPTS';
}

type AnyCall = AuditedCall<unknown, unknown, unknown>;

function callOf(
  { params, body, session, provedAccount: proved }: FastifyRequest,
  answer?: unknown,
): AnyCall {
  return { params, body, session, answer, proved };
}

interface Circumstances {
  readonly request: FastifyRequest;
  readonly access: Access;
  readonly rule: AuditRule;
  readonly detail?: string | null | undefined;
}

function record(
  trail: AuditTrail,
  action: AuditAction,
  call: AnyCall,
  { request, access, rule, detail = null }: Circumstances,
): void {
  const account = (call.session ?? request.caller)?.accountId ?? null;
  const subject = rule.subject ? rule.subject(call) : account;
  // A sign-out without a session has nobody who did it.
  if (subject === null && account === null) return;
  const kind = access === 'operator' ? 'operator' : 'account';
  const actor: Actor = { kind, account, address: request.ip, requestId: request.id };
  const by = request.caller && `with the key ${request.caller.keyId}`;
  const words = [detail, by].filter(Boolean).join(', ');
  trail.record(action, actor, { subject, detail: words || null });
}
