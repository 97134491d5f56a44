import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { Operator, Session } from '../accounts/sign-in/sessions.ts';
import type { BodyOf, EndpointRequest, PartOf } from '../http/v1/endpoint.ts';
import type { AuditRule, Unaudited } from './audit.ts';
import type { Access } from './hooks.ts';
import type { Services } from './services.ts';

/** What validates a call and serialises its answer. */
export interface RouteSchema {
  readonly params?: TSchema;
  readonly querystring?: TSchema;
  readonly body?: TSchema;
  /** By the status of the route; none where the answer is not JSON. */
  readonly response?: Readonly<Record<number, TSchema>>;
}

/** What a handler is given of the session, or of an operator's API key, by who may call its route. */
interface SessionFor {
  readonly anyone: undefined;
  readonly visitor: Session | undefined;
  readonly account: Session;
  readonly operator: Operator;
}

/** One call of a page: its parts, as the schema has checked them, and who sent it. */
export interface Call<Allowed extends Access = Access, Schema = unknown>
  extends EndpointRequest<Schema> {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly session: SessionFor[Allowed];
}

/** What a handler returns: the body that the schema describes, or anything where it has none. */
type Answer<Schema> = Schema extends { readonly response: infer Bodies }
  ? Bodies[keyof Bodies] extends infer Described extends TSchema
    ? BodyOf<Described>
    : unknown
  : unknown;

/** A rule that sees the parts of the call and its answer as the schema describes them. */
type AuditOf<Schema> = AuditRule<PartOf<Schema, 'params'>, PartOf<Schema, 'body'>, Answer<Schema>>;

/** One JSON call of the dashboard. */
export interface Route<Allowed extends Access = Access, Schema extends RouteSchema = RouteSchema> {
  readonly method: 'GET' | 'POST';
  /** Below `/dashboard`. */
  readonly path: string;
  /** Who may call. The type of the session that `handle` is given follows from it. */
  readonly access: Allowed;
  /** What the audit log gets of it; null for a route that changes nothing. */
  readonly audit: AuditOf<Schema> | Unaudited | null;
  /**
   * Whether it needs an owner who has proved within minutes who they are: a browser that was left
   * open, or a stolen cookie, is not enough.
   */
  readonly isDangerous?: boolean;
  /** Whether an operator without a second factor may call it where operators need one. */
  readonly isForNewOperators?: boolean;
  readonly schema: Schema;
  /** The status of a good answer; 200 by default. */
  readonly status?: 201 | 202 | 204;
  handle(services: Services, call: Call<Allowed, Schema>): Answer<Schema> | Promise<Answer<Schema>>;
}

/** A route whose handler has the types of its schema, and the session that `access` promises. */
export function defineRoute<Allowed extends Access, Schema extends RouteSchema>(
  route: Route<Allowed, Schema>,
): Route<Allowed> {
  return route;
}
