import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requireOperator } from '../accounts/sign-in/sessions.ts';
import { ApiError } from '../domain/errors.ts';
import { audited, type CallForSessions } from '../operator/call.ts';
import { OPERATOR_CALLS } from '../operator/calls.ts';
import { perform } from '../operator/creation.ts';
import { ACCOUNT_ROUTES, USAGE_ROUTES } from './calls/account.ts';
import { ALERT_ROUTES } from './calls/alerts.ts';
import { CARD_ROUTES } from './calls/cards.ts';
import { KEY_ROUTES } from './calls/keys.ts';
import { LINK_ROUTES } from './calls/links.ts';
import { SECOND_FACTOR_ROUTES } from './calls/second-factors.ts';
import { SESSION_ROUTES } from './calls/session.ts';
import { SIGN_IN_ROUTES } from './calls/sign-in.ts';
import { WEBHOOK_ROUTES } from './calls/webhooks.ts';
import { notifyOwner } from './mail.ts';
import type { AnyRoute, Route, Services } from './route.ts';

const OPERATOR_ROUTES = OPERATOR_CALLS.map((call): Route<'operator'> => {
  const route = { ...call, path: `/operator${call.path}`, access: 'operator' as const };
  return call.keys === true ? route : { ...route, handle: notifying(call) };
});

/** Handles a call, then notifies the owner of the changed account. */
function notifying(call: CallForSessions): Route<'operator'>['handle'] {
  return async (services, sent, prepared) => {
    const answer = await call.handle(services, sent, prepared);
    const { to, kind } = call.notice(sent.body);
    notifyOwner(services, sent, to, kind);
    return answer;
  };
}

/** Every JSON call of the pages, except calls for card data, which are endpoints of the API. */
export const ROUTES: readonly AnyRoute[] = [
  ...SESSION_ROUTES,
  ...SIGN_IN_ROUTES,
  ...LINK_ROUTES,
  ...ACCOUNT_ROUTES,
  ...SECOND_FACTOR_ROUTES,
  ...KEY_ROUTES,
  ...WEBHOOK_ROUTES,
  ...ALERT_ROUTES,
  ...USAGE_ROUTES,
  ...CARD_ROUTES,
  ...OPERATOR_ROUTES,
];

/** Registers every call. */
export function registerRoutes(app: FastifyInstance, services: Services): void {
  for (const route of ROUTES) {
    const { method, path, access, isDangerous, isForNewOperators, schema, status = 200 } = route;
    const kind = access === 'operator' ? 'operator' : 'account';
    app.route({
      method,
      url: path,
      schema: { ...schema, hide: true },
      config: {
        access,
        ...(isDangerous && { isDangerous }),
        ...(isForNewOperators && { isForNewOperators }),
      },
      async handler(request, reply) {
        reply.code(status);
        return audited({ kind, audit: route.audit }, services.trail, request, () =>
          answer(route, services, request, reply),
        );
      },
    });
  }
}

/** Calls a handler with the sender that its route promises; throws if there is none. */
function answer(
  route: AnyRoute,
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): unknown {
  const { params, query, body, session } = request;
  const call = { params, query, body, request, reply };
  if (route.access === 'anyone') {
    return route.handle(services, { ...call, session: undefined }, undefined);
  }
  if (route.access === 'visitor') return route.handle(services, { ...call, session }, undefined);
  if (!session) throw new ApiError('UNAUTHORIZED');
  if (route.access === 'account') return perform(route, services, { ...call, session });
  return perform(route, services, { ...call, session: requireOperator(session) });
}
