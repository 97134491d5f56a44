import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { type OperatorSession, requireOperator, type Session } from '../accounts/sessions.ts';
import { ApiError } from '../domain/errors.ts';
import * as account from './calls/account.ts';
import * as cards from './calls/cards.ts';
import * as keys from './calls/keys.ts';
import * as operator from './calls/operator.ts';
import * as session from './calls/session.ts';
import type { Access } from './hooks.ts';
import type { Services } from './services.ts';

/** One call of a page, by somebody whom the guard has let in. */
export interface Call<Who> {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly who: Who;
}

interface RouteFor<Allowed extends Access, Who> {
  readonly method: 'GET' | 'POST';
  /** Below `/dashboard`. */
  readonly path: string;
  /** Who may call. What `handle` gets of the caller follows from it. */
  readonly access: Allowed;
  readonly schema: FastifySchema;
  /** The status when all is well; 200 unless told. */
  readonly status?: 201 | 202 | 204;
  handle(parts: Services, call: Call<Who>): unknown;
}

export type OpenRoute = RouteFor<'anyone', undefined>;
export type AccountRoute = RouteFor<'account', Session>;
export type OperatorRoute = RouteFor<'operator', OperatorSession>;
export type Route = OpenRoute | AccountRoute | OperatorRoute;

/** Every JSON call of the pages but those for card data, which are the endpoints of the API. */
export const ROUTES: readonly Route[] = [
  session.read, //              GET  /session                        anyone
  session.signIn, //            POST /sign-in                        anyone
  session.signUp, //            POST /sign-up                        anyone
  session.forgot, //            POST /forgot                         anyone
  session.reset, //             POST /reset                          anyone
  session.signOut, //           POST /sign-out                       anyone
  account.signOutEverywhere, // POST /sign-out-everywhere            account
  account.changePassword, //    POST /password                       account
  account.remove, //            POST /account/delete                 account
  account.usage, //             GET  /usage                          account
  keys.list, //                 GET  /keys                           account
  keys.create, //               POST /keys                           account
  keys.regenerate, //           POST /keys/:id/regenerate            account
  keys.revoke, //               POST /keys/:id/revoke                account
  cards.filters, //             GET  /filters                        account
  cards.picture, //             GET  /pictures/:id                   account
  operator.accounts, //         GET  /operator/accounts              operator
  operator.setPlan, //          POST /operator/accounts/plan         operator
  operator.disable, //          POST /operator/accounts/disable      operator
  operator.enable, //           POST /operator/accounts/enable       operator
  operator.resetLink, //        POST /operator/accounts/reset-link   operator
  operator.sources, //          GET  /operator/sources               operator
  operator.quarantine, //       GET  /operator/quarantine            operator
  operator.approve, //           POST /operator/quarantine/accept     operator
  operator.reject, //           POST /operator/quarantine/reject     operator
];

/** Registers every call. */
export function registerRoutes(app: FastifyInstance, parts: Services): void {
  for (const route of ROUTES) {
    const { method, path, access, schema, status = 200 } = route;
    app.route({
      method,
      url: path,
      schema: { ...schema, hide: true },
      config: { access },
      async handler(request, reply) {
        reply.code(status);
        return answer(route, parts, { request, reply });
      },
    });
  }
}

/** The only place that makes of a request what a handler may rely on. */
function answer(route: Route, parts: Services, call: Omit<Call<never>, 'who'>): unknown {
  if (route.access === 'anyone') return route.handle(parts, { ...call, who: undefined });
  const { visitor } = call.request;
  if (!visitor) throw new ApiError('UNAUTHORIZED');
  if (route.access === 'account') return route.handle(parts, { ...call, who: visitor });
  return route.handle(parts, { ...call, who: requireOperator(visitor) });
}
