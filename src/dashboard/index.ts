import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { Accounts } from '../accounts/accounts.ts';
import { Alerts } from '../accounts/alerts/alerts.ts';
import { AccountKeys } from '../accounts/keys/account-keys.ts';
import { PageQuota, VisitorQuota } from '../accounts/quota/page-quota.ts';
import { Plans } from '../accounts/quota/plans.ts';
import { UsageReport } from '../accounts/quota/usage-report.ts';
import { Replays } from '../accounts/replays.ts';
import { SecondFactors } from '../accounts/sign-in/second-factors.ts';
import { SelfService } from '../accounts/sign-in/self-service.ts';
import { Sessions } from '../accounts/sign-in/sessions.ts';
import { SignInSteps } from '../accounts/sign-in/sign-in-steps.ts';
import { Webhooks } from '../accounts/webhooks/webhooks.ts';
import { notFound } from '../http/app.ts';
import { LEAST_COMPRESSED } from '../http/compression.ts';
import { errorHandler } from '../http/errors.ts';
import { ResponseCache } from '../http/response-cache.ts';
import { resolve } from '../http/v1/resolve.ts';
import { DATA_ENDPOINTS, registerEndpoints } from '../http/v1/routes.ts';
import { bodyValidatorCompiler, operatorApi } from '../operator/api.ts';
import { serveBrand } from './brand.ts';
import { decideSecureCookies } from './cookies.ts';
import { addOriginCheck, addPageQuota, addSessionHooks } from './hooks.ts';
import { AfterAnswer } from './mail.ts';
import type { DashboardOptions, Services } from './route.ts';
import { registerRoutes } from './routes.ts';
import { BROTLI, servePages } from './serve-pages.ts';
import { serveUnsubscribe } from './unsubscribe.ts';
import { serveRobots, serveSecurityText } from './well-known.ts';

export type { DashboardOptions } from './route.ts';

/** The plugin of the dashboard: its pages, and their calls below `/dashboard`. */
export function dashboard(options: DashboardOptions): FastifyPluginAsync {
  return async (app) => {
    await app.register(servePages, { ...options, folder: options.pages });
    serveBrand(app, options.brand);
    serveRobots(app, options);
    serveSecurityText(app, options.security, options);
    await app.register(async (scope) => serveUnsubscribe(scope, options.store));
    const services = servicesOf(options);
    await app.register(async (calls) => registerCalls(calls, services), { prefix: '/dashboard' });
    await app.register(async (calls) => operatorApi(calls, services), { prefix: '/operator/v1' });
  };
}

function servicesOf(options: DashboardOptions): Services {
  const services: Services = {
    ...options,
    ...accountServices(options),
    pageQuotas: {
      accounts: new PageQuota(options.store, options.clock),
      visitors: new VisitorQuota(options.store, options.clock),
    },
    afterAnswer: new AfterAnswer(),
    within: (store) => ({ ...services, store, ...accountServices({ ...options, store }) }),
  };
  return services;
}

/** The services that read and write accounts. */
function accountServices(options: DashboardOptions) {
  const { store, clock, signUp, mailer, passwords, keyRules, operatorSecondFactor } = options;
  const { webhookNetworks } = options;
  const isMailed = mailer !== undefined;
  const selfService = new SelfService(store, clock, { signUp, isMailed, passwords });
  const sessions = new Sessions(store, clock);
  return {
    accounts: new Accounts(store, clock),
    keys: new AccountKeys(store, clock, keyRules),
    webhooks: new Webhooks(store, clock, webhookNetworks),
    alerts: new Alerts(store, clock),
    secondFactors: new SecondFactors(store, clock, { isRequiredOfOperators: operatorSecondFactor }),
    selfService,
    signInSteps: new SignInSteps({ store, clock, selfService, sessions }),
    plans: new Plans(store),
    sessions,
    usage: new UsageReport(store, clock),
    replays: new Replays(store, clock),
  };
}

/** Everything below `/dashboard`, known or not, passes through the hooks. */
async function registerCalls(app: FastifyInstance, services: Services): Promise<void> {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  const { trail, auditDays, replays } = services;
  app.addHook('onReady', async () => trail.keepFor(auditDays, () => replays.removeExpired()));
  app.addHook('onClose', () => trail.close());
  addOriginCheck(app, services.publicUrl);
  await app.register(cookie);
  decideSecureCookies(app, services.publicUrl);
  addSessionHooks(app, services);
  // Runs before the answers are compressed.
  addPageQuota(app, services.pageQuotas);
  // Request bodies are small, so compressed ones are not accepted.
  await app.register(compress, {
    threshold: LEAST_COMPRESSED,
    encodings: ['br', 'gzip'],
    brotliOptions: BROTLI,
    globalDecompression: false,
  });
  app.addHook('onClose', () => services.afterAnswer.settle());
  app.setErrorHandler(errorHandler('unauthorized', 'Send a JSON object.'));
  app.setValidatorCompiler(bodyValidatorCompiler as never);
  registerRoutes(app, services);
  registerEndpoints(app, services.resources, {
    endpoints: DATA_ENDPOINTS.filter(
      ({ method, path }) => method === 'GET' || path === resolve.path,
    ),
    cache: new ResponseCache(),
    isDocumented: false,
    // On every plan, the pages show the days that the plan includes, and resolve lists within the
    // daily quota of priced cards.
    openFeatures: ['history', 'resolve'],
    // The quota of priced cards counts the cards of the JSON.
    isJsonOnly: true,
    callerOf: ({ session, visitor }) => session ?? visitor,
    configOf: () => ({ access: 'visitor' }),
  });
  app.setNotFoundHandler((request) => {
    throw notFound(request.url);
  });
}
