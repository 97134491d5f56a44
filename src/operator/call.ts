import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { Actor, AuditTrail } from '../accounts/audit/audit.ts';
import type { AuditName } from '../accounts/audit/audit-sql.ts';
import type { Operator, Session } from '../accounts/sign-in/sessions.ts';
import type { AuditAction } from '../domain/audit.ts';
import { AccountError } from '../domain/errors.ts';
import type { BodyOf, EndpointRequest, PartOf } from '../http/v1/endpoint.ts';
import type { OperatorServices } from './services.ts';

/** Validates the parts of a call and serialises its answer. */
export interface CallSchema {
  readonly params?: TSchema;
  readonly querystring?: TSchema;
  readonly body?: TSchema;
  /** By the status of the call; absent if the answer is not JSON. */
  readonly response?: Readonly<Record<number, TSchema>>;
}

/** A call as its handler receives it: the parts checked by the schema, and the sender. */
export interface CallRequest<Sender = unknown, Schema = unknown> extends EndpointRequest<Schema> {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly session: Sender;
}

/** The body that the schema describes; any body if it describes none. */
type Answer<Schema> = Schema extends { readonly response: infer Bodies }
  ? Bodies[keyof Bodies] extends infer Described extends TSchema
    ? BodyOf<Described>
    : unknown
  : unknown;

/** A rule that sees the parts of the call and its answer as the schema describes them. */
type AuditOf<Schema> = AuditRule<PartOf<Schema, 'params'>, PartOf<Schema, 'body'>, Answer<Schema>>;

/** One JSON call: all of its declarations, and its handler. */
export interface Call<
  Services,
  Sender,
  Schema extends CallSchema = CallSchema,
  Prepared = unknown,
> {
  readonly method: 'GET' | 'POST';
  /** Below the prefix under which the calls are served. */
  readonly path: string;
  /** Its entry in the audit log; null if it changes nothing. */
  readonly audit: AuditOf<Schema> | Unaudited | null;
  /**
   * Whether the owner of the session must have recently proved who they are. An unattended browser
   * or a stolen cookie is then not enough.
   */
  readonly isDangerous?: boolean;
  readonly schema: Schema;
  /** The status of a successful answer; 200 by default. */
  readonly status?: 201 | 202 | 204;
  /**
   * Whether it creates something, or a new secret. Its handler runs in one transaction of accounts,
   * and the sender may repeat it with the same `Idempotency-Key` (`creation.ts`).
   */
  readonly creates?: true;
  /** For a call that creates something: waits for all work outside the database of accounts. */
  prepare?(services: Services, call: CallRequest<Sender, Schema>): Promise<Prepared>;
  handle(
    services: Services,
    call: CallRequest<Sender, Schema>,
    prepared: Prepared,
  ): Answer<Schema> | Promise<Answer<Schema>>;
}

/** A call that answers 201 cannot be declared without `creates`. */
export type Created = { readonly status?: 202 | 204 } | { readonly creates: true };

interface DescribedCall<Schema extends CallSchema>
  extends Call<OperatorServices, Operator, Schema> {
  /** Its operation id in the OpenAPI document. */
  readonly id: string;
  /** Its description in the OpenAPI document. */
  readonly summary: string;
}

/** A call that pages and API keys may send. */
interface CallForKeys<Schema extends CallSchema> extends DescribedCall<Schema> {
  readonly keys: true;
}

/**
 * A call that can give somebody lasting control of an account, so only pages may send it. It needs
 * a recent proof of identity, and the owner of the account is notified.
 */
export interface CallForSessions<Schema extends CallSchema = CallSchema>
  extends DescribedCall<Schema> {
  readonly keys: KeyRefusal;
  readonly isDangerous: true;
  /** The notice to the owner of the account after a success. */
  notice(body: PartOf<Schema, 'body'>): OwnerNotice;
}

/**
 * The answer to an API key that sends the call: the reason for the refusal, and the alternative.
 */
interface KeyRefusal {
  readonly refusal: string;
}

/** An operator's action on an account. */
export interface OwnerNotice {
  /** The e-mail address of the account. */
  readonly to: string;
  readonly kind: OwnerNoticeKind;
}

export type OwnerNoticeKind =
  | 'reset-link-made'
  | 'second-factors-removed'
  | 'operator-added'
  | 'operator-removed';

/**
 * A call for operators only. Pages send it below `/dashboard/operator` with the session of an
 * operator. Programs send it below `/operator/v1` with an operator's API key, unless it is for
 * sessions only; the key needs the scope `operator:read` for GET and `operator:write` for POST.
 */
export type OperatorCall<Schema extends CallSchema = CallSchema> =
  | CallForKeys<Schema>
  | CallForSessions<Schema>;

/** Types the handler and the audit rule of a call by its schema. */
export function defineOperatorCall<Schema extends CallSchema>(
  call: OperatorCall<Schema> & Created,
): OperatorCall {
  return call;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The e-mail address of the account whose ownership a call proved before it has a session. */
    provedAccount: string | null;
    /** Whether the answer repeats the answer to an earlier request. */
    isReplay: boolean;
  }
}

/** The parts of a call that an audit rule may use, and its answer if it succeeded. */
export interface AuditedCall<Params, Body, Answer> {
  readonly params: Params;
  readonly body: Body;
  /** Undefined if nobody is signed in. */
  readonly session: Session | undefined;
  readonly answer: Answer | undefined;
  /** The e-mail address of the account whose ownership the call proved; null for none. */
  readonly proved: string | null;
}

/** The audit entry of a call, once its outcome is known. */
export interface AuditRule<Params = unknown, Body = unknown, Answer = unknown> {
  /** The action of a successful call, or a function that returns it; null for none. */
  readonly action:
    | AuditAction
    | null
    | ((call: AuditedCall<Params, Body, Answer>) => AuditAction | null);
  /** The action of a refused call; if absent, refusals are not recorded. */
  readonly refusal?: AuditAction;
  /** The subject of the action, an account or a name; by default the account of the session. */
  subject?(call: AuditedCall<Params, Body, Answer>): AuditName;
  /** Details of a success, never a secret. The detail of a refusal is its message. */
  detail?(call: AuditedCall<Params, Body, Answer>): string;
}

/** Why a call that is not a GET has no audit entry. */
export interface Unaudited {
  readonly none: string;
}

/** The allowed senders of a call, and its audit entry. */
interface AuditedBy {
  readonly kind: Actor['kind'];
  readonly audit: AuditRule | Unaudited | null;
}

/**
 * Runs a handler, and records its action or its refusal in the audit log. The answer does not wait
 * for the record.
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
    if (request.isReplay) return answer;
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

/** Whether a refused call counts as an attempt. A call that came too early does not. */
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
  // There is no actor: a sign-out without a session.
  if (subject === null && account === null) return;
  const actor: Actor = { kind, account, address: request.ip, requestId: request.id };
  const by = request.caller && `with the key ${request.caller.keyId}`;
  const words = [detail, by].filter(Boolean).join(', ');
  trail.record(action, actor, { subject, detail: words || null });
}
