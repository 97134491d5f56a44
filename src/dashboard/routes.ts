import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requireOperator } from '../accounts/sign-in/sessions.ts';
import { ApiError } from '../domain/errors.ts';
import { audited } from './audit.ts';
import * as account from './calls/account.ts';
import * as audit from './calls/audit.ts';
import * as cards from './calls/cards.ts';
import * as health from './calls/health.ts';
import * as keys from './calls/keys.ts';
import * as links from './calls/links.ts';
import * as operator from './calls/operator.ts';
import * as operatorAccounts from './calls/operator-accounts.ts';
import * as operatorBilling from './calls/operator-billing.ts';
import * as operatorPlans from './calls/operator-plans.ts';
import * as operatorUsage from './calls/operator-usage.ts';
import * as quarantine from './calls/quarantine.ts';
import * as decisions from './calls/quarantine-decisions.ts';
import * as reauthentication from './calls/reauthentication.ts';
import * as secondFactors from './calls/second-factors.ts';
import * as session from './calls/session.ts';
import * as signIn from './calls/sign-in-steps.ts';
import * as sync from './calls/sync.ts';
import * as usage from './calls/usage.ts';
import type { Route } from './route.ts';
import type { Services } from './services.ts';

export type AnyRoute = Route<'anyone'> | Route<'visitor'> | Route<'account'> | Route<'operator'>;

/** Every JSON call of the pages but those for card data, which are the endpoints of the API. */
export const ROUTES: readonly AnyRoute[] = [
  session.read, // GET  /session                             anyone
  session.signIn, // POST /sign-in                             anyone
  links.signUp, // POST /sign-up                             anyone
  links.forgot, // POST /forgot                              anyone
  links.previewReset, // POST /reset/preview                       anyone
  links.reset, // POST /reset                               anyone
  session.signOut, // POST /sign-out                            anyone
  signIn.finishWithCode, // POST /sign-in/second-factor               anyone
  signIn.factorOptions, // POST /sign-in/second-factor/passkey-options anyone
  signIn.finishWithPasskey, // POST /sign-in/second-factor/passkey       anyone
  signIn.passkeyOptions, // POST /sign-in/passkey-options             anyone
  signIn.withPasskey, // POST /sign-in/passkey                     anyone
  reauthentication.withPassword, // POST /reauthenticate                      account
  reauthentication.passkeyOptions, // POST /reauthenticate/passkey-options      account
  reauthentication.withPasskey, // POST /reauthenticate/passkey              account
  secondFactors.list, // GET  /second-factors                      account
  secondFactors.beginTotp, // POST /second-factors/totp                 account
  secondFactors.confirmTotp, // POST /second-factors/totp/confirm         account
  secondFactors.removeTotp, // POST /second-factors/totp/remove          account
  secondFactors.passkeyOptions, // POST /second-factors/passkey-options      account
  secondFactors.addPasskey, // POST /second-factors/passkeys             account
  secondFactors.removePasskey, // POST /second-factors/passkeys/:id/remove  account
  secondFactors.replaceCodes, // POST /second-factors/recovery-codes       account
  account.signOutEverywhere, // POST /sign-out-everywhere                 account
  account.sessions, // GET  /sessions                            account
  account.revokeSession, // POST /sessions/revoke                     account
  account.revokeOtherSessions, // POST /sessions/revoke-others              account
  account.changePassword, // POST /password                            account
  account.remove, // POST /account/delete                      account
  usage.usage, // GET  /usage                               account
  usage.requests, // GET  /requests                            account
  keys.list, // GET  /keys                                account
  keys.create, // POST /keys                                account
  keys.update, // POST /keys/:id                            account
  keys.regenerate, // POST /keys/:id/regenerate                 account
  keys.revoke, // POST /keys/:id/revoke                     account
  cards.newestSets, // GET  /newest-sets                         visitor
  cards.picture, // GET  /pictures/:id                        visitor
  operator.accounts, // GET  /operator/accounts                   operator
  operator.account, // GET  /operator/account                    operator
  operatorAccounts.create, // POST /operator/accounts                   operator
  operatorAccounts.setLimits, // POST /operator/accounts/limits            operator
  operatorAccounts.remove, // POST /operator/accounts/delete            operator
  operatorAccounts.listKeys, // GET  /operator/keys                       operator
  operatorAccounts.createKey, // POST /operator/keys                       operator
  operatorAccounts.revokeKey, // POST /operator/keys/:id/revoke            operator
  operatorAccounts.removeSecondFactors, // POST /operator/accounts/remove-second-factors operator
  operatorAccounts.updateKey, // POST /operator/keys/:id                   operator
  operatorAccounts.regenerateKey, // POST /operator/keys/:id/regenerate    operator
  operatorBilling.waiting, // GET  /operator/billing                    operator
  operatorPlans.list, // GET  /operator/plans                      operator
  operatorPlans.create, // POST /operator/plans                      operator
  operatorPlans.change, // POST /operator/plans/:name                operator
  operatorPlans.remove, // POST /operator/plans/:name/delete         operator
  operatorUsage.month, // GET  /operator/usage                      operator
  operatorUsage.monthCsv, // GET  /operator/usage.csv                  operator
  operator.confirm, // POST /operator/accounts/confirm           operator
  operator.setPlan, // POST /operator/accounts/plan              operator
  operator.setOperator, // POST /operator/accounts/operator          operator
  operator.disable, // POST /operator/accounts/disable           operator
  operator.enable, // POST /operator/accounts/enable            operator
  operator.resetLink, // POST /operator/accounts/reset-link        operator
  audit.list, // GET  /operator/audit                      operator
  health.read, // GET  /operator/health                     operator
  operator.sources, // GET  /operator/sources                    operator
  sync.read, // GET  /operator/sync                       operator
  sync.start, // POST /operator/sync                       operator
  quarantine.list, // GET  /operator/quarantine                 operator
  quarantine.groups, // GET  /operator/quarantine/groups          operator
  quarantine.sets, // GET  /operator/quarantine/sets            operator
  quarantine.decisions, // GET  /operator/quarantine/decisions       operator
  decisions.approve, // POST /operator/quarantine/approve         operator
  decisions.reject, // POST /operator/quarantine/reject          operator
  decisions.undo, // POST /operator/quarantine/undo            operator
  decisions.approveGroup, // POST /operator/quarantine/approve-group   operator
  decisions.rejectGroup, // POST /operator/quarantine/reject-group    operator
  decisions.undoDecision, // POST /operator/quarantine/undo-decision   operator
];

/** Registers every call. */
export function registerRoutes(app: FastifyInstance, services: Services): void {
  for (const route of ROUTES) {
    const { method, path, access, isDangerous, isForNewOperators, schema, status = 200 } = route;
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
        return audited(route, services.trail, request, () =>
          answer(route, services, request, reply),
        );
      },
    });
  }
}

/** Calls a handler with the session that its route promises; throws where there is none. */
function answer(
  route: AnyRoute,
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): unknown {
  const { params, query, body, session } = request;
  const call = { params, query, body, request, reply };
  if (route.access === 'anyone') return route.handle(services, { ...call, session: undefined });
  if (route.access === 'visitor') return route.handle(services, { ...call, session });
  if (!session) throw new ApiError('UNAUTHORIZED');
  if (route.access === 'account') return route.handle(services, { ...call, session });
  return route.handle(services, { ...call, session: requireOperator(session) });
}
