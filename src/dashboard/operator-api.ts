import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify';
import { Authenticator, type Caller } from '../accounts/keys/authenticator.ts';
import { requireOperatorKey } from '../accounts/keys/operator-keys.ts';
import { RateLimiter } from '../accounts/quota/rate-limiter.ts';
import { prepareRecord } from '../accounts/quota/usage-sql.ts';
import type { Operator } from '../accounts/sign-in/sessions.ts';
import { ApiError } from '../domain/errors.ts';
import type { OperatorScope } from '../domain/key-scopes.ts';
import type { BurstLimit } from '../domain/plans.ts';
import { notFound } from '../http/app.ts';
import { errorHandler } from '../http/errors.ts';
import { logFailure } from '../http/failures.ts';
import { keyRestriction } from '../http/key-restriction.ts';
import { operatorCall } from '../http/openapi.ts';
import { audited } from './audit.ts';
import * as audit from './calls/audit.ts';
import * as health from './calls/health.ts';
import * as operator from './calls/operator.ts';
import * as accounts from './calls/operator-accounts.ts';
import * as billing from './calls/operator-billing.ts';
import * as plans from './calls/operator-plans.ts';
import * as usage from './calls/operator-usage.ts';
import * as quarantine from './calls/quarantine.ts';
import * as decisions from './calls/quarantine-decisions.ts';
import * as sync from './calls/sync.ts';
import type { Route } from './route.ts';
import type { Services } from './services.ts';
import { bodyValidatorCompiler } from './validation.ts';

/**
 * The calls of operators a second time, below `/operator/v1`, for programs with an API key of an
 * operator: by its name in the reference, each with what it does.
 */
export const OPERATIONS: Readonly<Record<string, readonly [Route<'operator'>, string]>> = {
  listAccounts: [operator.accounts, 'List accounts, with their usage of today.'],
  readAccount: [operator.account, 'Read an account, with its usage of today.'],
  createAccount: [accounts.create, 'Create an account.'],
  confirmAccount: [operator.confirm, 'Confirm the e-mail address of an account that signed up.'],
  setAccountPlan: [operator.setPlan, 'Move an account to another plan.'],
  setAccountLimits: [accounts.setLimits, 'Give an account other limits than its plan.'],
  setOperator: [operator.setOperator, 'Make an account an operator, or take that away.'],
  disableAccount: [operator.disable, 'Make the keys and the password of an account stop working.'],
  enableAccount: [operator.enable, 'Make them work again.'],
  deleteAccount: [accounts.remove, 'Delete an account with all that belongs to it, for good.'],
  createResetLink: [operator.resetLink, 'Make a link by which a password can be set once.'],
  removeSecondFactors: [
    accounts.removeSecondFactors,
    'Remove the second factors of an account whose owner has lost them, and sign it out.',
  ],
  listKeys: [accounts.listKeys, 'List the API keys of an account.'],
  createKey: [accounts.createKey, 'Create an API key for an account; it is shown this once.'],
  updateKey: [accounts.updateKey, 'Change what an API key may do; what is left out stays.'],
  regenerateKey: [accounts.regenerateKey, 'Put a new API key in the place of one.'],
  revokeKey: [accounts.revokeKey, 'Revoke an API key for good.'],
  listPlans: [plans.list, 'List the plans.'],
  createPlan: [plans.create, 'Make a plan.'],
  changePlan: [plans.change, 'Change a plan; what is left out stays.'],
  deletePlan: [plans.remove, 'Delete a plan that no account has.'],
  readUsage: [usage.month, 'What each account used in a month, for invoices.'],
  readUsageCsv: [usage.monthCsv, 'The same as CSV.'],
  listBillingEvents: [billing.waiting, 'List the events for billing that were not delivered.'],
  listQuarantine: [quarantine.list, 'List quarantined prices.'],
  groupQuarantine: [quarantine.groups, 'Group quarantined prices by set, rule, both or source.'],
  listQuarantinedSets: [quarantine.sets, 'Count quarantined prices by set.'],
  listDecisions: [quarantine.decisions, 'List the decisions that can be undone.'],
  approveQuarantined: [decisions.approve, 'Approve quarantined prices.'],
  rejectQuarantined: [decisions.reject, 'Reject quarantined prices.'],
  undoRejections: [decisions.undo, 'Take rejections back: the prices wait again.'],
  approveQuarantinedGroup: [decisions.approveGroup, 'Approve a group of quarantined prices.'],
  rejectQuarantinedGroup: [decisions.rejectGroup, 'Reject a group of quarantined prices.'],
  undoDecision: [decisions.undoDecision, 'Take a decision back, with all its prices.'],
  readHealth: [health.read, 'How the service is: checks, files, coverage and errors of today.'],
  listSources: [operator.sources, 'Whether the prices of each source are fresh.'],
  readSync: [sync.read, 'What can be synced, and the last sync that was started here.'],
  startSync: [sync.start, 'Start to sync one source, or all of them.'],
  listAudit: [audit.list, 'List who did what, the newest first.'],
};

/** How often the keys of an account may call. */
const KEY_LIMIT: BurstLimit = { requests: 600, seconds: 60 };

/** Registers the API of operators, known paths or not, with its hooks. */
export async function operatorApi(app: FastifyInstance, services: Services): Promise<void> {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  app.setErrorHandler(errorHandler('unauthorized', 'Send a JSON object.'));
  app.setValidatorCompiler(bodyValidatorCompiler as never);
  app.decorateRequest('caller', undefined);
  addKeyHook(app, services);
  for (const [operationId, [route, summary]] of Object.entries(OPERATIONS)) {
    registerOperation(app, services, route, { operationId, summary });
  }
  app.setNotFoundHandler((request) => {
    throw notFound(request.url);
  });
}

/** Identifies the caller of every request, also to unknown paths, by the key in the header. */
function addKeyHook(app: FastifyInstance, { store, clock }: Services): void {
  const authenticator = new Authenticator(store, clock);
  const rateLimiter = new RateLimiter();
  app.addHook('onRequest', async (request) => {
    const key = request.headers['x-api-key'];
    const caller = typeof key === 'string' ? await authenticator.identify(key) : undefined;
    if (!caller)
      throw new ApiError('UNAUTHORIZED', 'Send the API key of an operator in X-API-Key.');
    request.caller = caller;
    const restriction = keyRestriction(caller, request, {});
    if (restriction) throw restriction;
    await requireOperatorKey(store, caller, scopeOf(request));
    const wait = rateLimiter.wait(caller.accountId, KEY_LIMIT, clock());
    if (wait > 0) throw tooFast(wait);
  });
  const { addUses } = prepareRecord(store.accounts.engine);
  app.addHook('onResponse', async ({ caller, ip, log, id }) => {
    if (!caller) return;
    await addUses([{ keyId: caller.keyId, at: clock(), address: ip ?? '' }]).catch((err) => {
      logFailure(log, err, 'the use of an API key could not be recorded', { reqId: id });
    });
  });
}

/** Reading needs one scope, all the rest the other. */
function scopeOf({ method }: Pick<FastifyRequest, 'method'>): OperatorScope {
  return method === 'GET' || method === 'HEAD' ? 'operator:read' : 'operator:write';
}

function tooFast(wait: number): ApiError {
  const retryAfter = Math.ceil(wait / 1000);
  const message = `Too many requests. Please wait ${retryAfter} s.`;
  return new ApiError('TOO_MANY_ATTEMPTS', message, { retryAfter });
}

function registerOperation(
  app: FastifyInstance,
  services: Services,
  route: Route<'operator'>,
  { operationId, summary }: { readonly operationId: string; readonly summary: string },
): void {
  const { method, path, schema, status = 200 } = route;
  const url = path.replace('/operator', '');
  const description = `Needs a key with the scope \`${scopeOf(route)}\`.`;
  const documented = { operationId, summary, description, ...operatorCall(schema, status) };
  app.route({
    ...{ method, url, schema },
    config: {
      // Only in the document, as for the endpoints of the API.
      swaggerTransform: ({ url: full }) => ({ url: full, schema: { ...schema, ...documented } }),
    } satisfies FastifyContextConfig,
    async handler(request, reply) {
      reply.code(status);
      const { params, query, body, caller } = request;
      const session = await operatorOf(services, caller, scopeOf(route));
      const call = { params, query, body, request, reply, session };
      return audited(route, services.trail, request, () => route.handle(services, call));
    },
  });
}

/** Checked again beside the hook, so that a call without hooks does nothing. */
function operatorOf(
  { store }: Services,
  caller: Caller | undefined,
  scope: OperatorScope,
): Promise<Operator> {
  if (!caller) throw new Error('no hook authenticated the request');
  return requireOperatorKey(store, caller, scope);
}
