import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { AccountKeys } from '../accounts/account-keys.ts';
import { Accounts } from '../accounts/accounts.ts';
import { SelfService } from '../accounts/self-service.ts';
import { Sessions } from '../accounts/sessions.ts';
import { UsageReport } from '../accounts/usage-report.ts';
import { notFound } from '../http/app.ts';
import { errorHandler } from '../http/errors.ts';
import { ENDPOINTS, registerEndpoints } from '../http/v1/routes.ts';
import { securityHeaders } from './headers.ts';
import { addOriginCheck, addSessionHooks } from './hooks.ts';
import { registerRoutes } from './routes.ts';
import { servePages } from './serve-pages.ts';
import type { DashboardOptions, Services } from './services.ts';
import { bodyValidatorCompiler } from './validation.ts';

export type { DashboardOptions } from './services.ts';

/** JSON from so many bytes on is compressed. */
const COMPRESSED_FROM = 1024;

/** What a process answers besides the API: the pages, and what they ask. */
export function dashboard(options: DashboardOptions): FastifyPluginAsync {
  return async (app) => {
    await app.register(servePages, { folder: options.pages });
    await app.register(async (calls) => registerCalls(calls, partsOf(options)), {
      prefix: '/dashboard',
    });
  };
}

function partsOf(options: DashboardOptions): Services {
  const { store, clock, signUp } = options;
  return {
    ...options,
    accounts: new Accounts(store, clock),
    keys: new AccountKeys(store, clock),
    selfService: new SelfService(store, clock, { signUp }),
    sessions: new Sessions(store, clock),
    usage: new UsageReport(store, clock),
  };
}

/** Everything below `/dashboard`, known or not, is behind the guard. */
async function registerCalls(app: FastifyInstance, parts: Services): Promise<void> {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ 'cache-control': 'no-store', 'x-request-id': request.id });
    done();
  });
  await app.register(helmet, securityHeaders);
  addOriginCheck(app);
  await app.register(cookie);
  addSessionHooks(app, parts);
  // What is sent is small, and is not decompressed: there is nothing to gain.
  await app.register(compress, {
    threshold: COMPRESSED_FROM,
    encodings: ['br', 'gzip'],
    globalDecompression: false,
  });
  app.setErrorHandler(errorHandler('unauthorized', 'Send a JSON object.'));
  app.setValidatorCompiler(bodyValidatorCompiler as never);
  registerRoutes(app, parts);
  registerEndpoints(app, parts.resources, {
    endpoints: ENDPOINTS.filter(({ method }) => method === 'GET'),
    isDocumented: false,
    isAuthenticated: ({ session }) => session !== undefined,
  });
  app.setNotFoundHandler((request) => {
    throw notFound(request.url);
  });
}
