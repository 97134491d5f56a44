import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { Operator } from '../accounts/sign-in/sessions.ts';
import type { BodyOf, EndpointRequest, PartOf } from '../http/v1/endpoint.ts';
import type { AuditRule, Unaudited } from './audited.ts';
import type { OperatorServices } from './services.ts';

/** Validates the parts of a call and serialises its answer. */
export interface CallSchema {
  readonly params?: TSchema;
  readonly querystring?: TSchema;
  readonly body?: TSchema;
  /** By the status of the call; absent if the answer is not JSON. */
  readonly response?: Readonly<Record<number, TSchema>>;
}

/** A call as its handler receives it: the parts that the schema has checked, and who sent it. */
export interface CallRequest<Sender = unknown, Schema = unknown> extends EndpointRequest<Schema> {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly session: Sender;
}

/** The body that the schema describes, or anything if it describes none. */
type Answer<Schema> = Schema extends { readonly response: infer Bodies }
  ? Bodies[keyof Bodies] extends infer Described extends TSchema
    ? BodyOf<Described>
    : unknown
  : unknown;

/** A rule that sees the parts of the call and its answer as the schema describes them. */
type AuditOf<Schema> = AuditRule<PartOf<Schema, 'params'>, PartOf<Schema, 'body'>, Answer<Schema>>;

/** One JSON call: everything that is declared about it, and its handler. */
export interface Call<Services, Sender, Schema extends CallSchema = CallSchema> {
  readonly method: 'GET' | 'POST';
  /** Below the prefix under which the calls are served. */
  readonly path: string;
  /** What the call leaves in the audit log; null if it changes nothing. */
  readonly audit: AuditOf<Schema> | Unaudited | null;
  /**
   * Whether the owner of the session must have proved within minutes who they are. A browser left
   * open or a stolen cookie is then not enough.
   */
  readonly isDangerous?: boolean;
  readonly schema: Schema;
  /** The status of a successful answer; 200 by default. */
  readonly status?: 201 | 202 | 204;
  handle(
    services: Services,
    call: CallRequest<Sender, Schema>,
  ): Answer<Schema> | Promise<Answer<Schema>>;
}

/**
 * A call for operators only. Pages send it below `/dashboard/operator` with the session of an
 * operator; programs send it below `/operator/v1` with an operator's API key, which needs the scope
 * `operator:read` for GET and `operator:write` for POST.
 */
export interface OperatorCall<Schema extends CallSchema = CallSchema>
  extends Call<OperatorServices, Operator, Schema> {
  /** Its operation id in the OpenAPI document. */
  readonly id: string;
  /** What it does, as the OpenAPI document says. */
  readonly summary: string;
}

/** Types the handler and the audit rule of a call by its schema. */
export function defineOperatorCall<Schema extends CallSchema>(
  call: OperatorCall<Schema>,
): OperatorCall {
  return call;
}
