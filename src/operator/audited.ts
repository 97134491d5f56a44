import type { FastifyRequest } from 'fastify';
import type { Actor, AuditTrail } from '../accounts/audit/audit.ts';
import type { AuditName } from '../accounts/audit/audit-sql.ts';
import type { Session } from '../accounts/sign-in/sessions.ts';
import type { AuditAction } from '../domain/audit.ts';
import { AccountError } from '../domain/errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The e-mail address of the account that a call proved to own before it has a session. */
    provedAccount: string | null;
  }
}

/** The parts of a call that an audit rule may use, and its answer if it succeeded. */
export interface AuditedCall<Params, Body, Answer> {
  readonly params: Params;
  readonly body: Body;
  /** Undefined if nobody is signed in. */
  readonly session: Session | undefined;
  readonly answer: Answer | undefined;
  /** The e-mail address of the account that the call proved to own; null for none. */
  readonly proved: string | null;
}

/** What a call leaves in the audit log once its outcome is known. */
export interface AuditRule<Params = unknown, Body = unknown, Answer = unknown> {
  /** The action of a successful call, or a function that returns it; null for none. */
  readonly action:
    | AuditAction
    | null
    | ((call: AuditedCall<Params, Body, Answer>) => AuditAction | null);
  /** The action of a refused call; if absent, refusals are not recorded. */
  readonly refusal?: AuditAction;
  /** The account or the name that the action is about; by default the account of the session. */
  subject?(call: AuditedCall<Params, Body, Answer>): AuditName;
  /** Details of a success, never a secret. The detail of a refusal is its message. */
  detail?(call: AuditedCall<Params, Body, Answer>): string;
}

/** Why a call that is not a GET leaves nothing in the audit log. */
export interface Unaudited {
  readonly none: string;
}

/** Who may have sent a call, and what it leaves in the audit log. */
interface AuditedBy {
  readonly kind: Actor['kind'];
  readonly audit: AuditRule | Unaudited | null;
}

/**
 * Runs a handler, and records in the audit log what it did or that it was refused. The answer does
 * not wait for the record.
 */
export async function audited(
  { kind, audit }: AuditedBy,
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
    if (done) record(trail, done, call, { request, kind, rule: audit, detail: detail?.(call) });
    return answer;
  } catch (error) {
    if (audit.refusal && isAttempt(error)) {
      const { reason: detail } = error;
      record(trail, audit.refusal, callOf(request), { request, kind, rule: audit, detail });
    }
    throw error;
  }
}

/** Whether a refusal follows an attempt. A call that came too early attempted nothing. */
function isAttempt(error: unknown): error is AccountError {
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
  readonly kind: Actor['kind'];
  readonly rule: AuditRule;
  readonly detail?: string | null | undefined;
}

function record(
  trail: AuditTrail,
  action: AuditAction,
  call: AnyCall,
  { request, kind, rule, detail = null }: Circumstances,
): void {
  const account = (call.session ?? request.caller)?.accountId ?? null;
  const subject = rule.subject ? rule.subject(call) : account;
  // Nobody did it: a sign-out without a session.
  if (subject === null && account === null) return;
  const actor: Actor = { kind, account, address: request.ip, requestId: request.id };
  const by = request.caller && `with the key ${request.caller.keyId}`;
  const words = [detail, by].filter(Boolean).join(', ');
  trail.record(action, actor, { subject, detail: words || null });
}
