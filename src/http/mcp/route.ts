import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Authenticator } from '../../accounts/keys/authenticator.ts';
import { ApiError } from '../../domain/errors.ts';
import { keyRestriction, senderOf } from '../admission.ts';
import { logFailure } from '../failures.ts';
import { isOwnSite, originOf } from '../guard.ts';
import { sentKey } from '../hooks.ts';
import { METHODS, methodNotAllowed } from '../v1/routes.ts';
import { Api } from './api.ts';
import { injectInto } from './senders.ts';

export interface McpOptions {
  readonly authenticator: Authenticator;
  readonly queryKeys: boolean;
  readonly version: string;
  /** The web origin of the pages; `''` uses the origin of each request. */
  readonly publicUrl: string;
}

/** The most messages in one request, because they run at the same time. */
const MAX_MESSAGES = 20;

/**
 * `/mcp`: the tools of assistants by streamable HTTP, in the current version of the Model Context
 * Protocol and the former one. Each request is independent, so any process can answer the next one.
 * Tools send their caller's requests to `/v1`, which checks keys and plans and charges quotas:
 * nothing else is charged. The library is loaded with the first request.
 */
export async function mcpRoute(app: FastifyInstance, options: McpOptions): Promise<void> {
  const admit = async (request: FastifyRequest) => {
    if (!isOwnSite(request, options.publicUrl)) {
      throw new ApiError('FORBIDDEN', 'This request came from a page of another site.');
    }
    await requireCaller(request, options);
  };
  const refuse = methodNotAllowed('/mcp', ['POST']);
  // There are no streams, which GET would open, and no sessions, which DELETE would end.
  app.route({
    method: METHODS.filter((method) => method !== 'POST'),
    url: '/mcp',
    schema: { hide: true },
    onRequest: [admit, refuse],
    handler: refuse,
  });
  app.route({
    method: 'POST',
    url: '/mcp',
    schema: { hide: true },
    onRequest: admit,
    handler: async (request, reply) => {
      if (Array.isArray(request.body) && request.body.length > MAX_MESSAGES) throw tooMany();
      const { answerOnce } = await import('./http.ts');
      const key = sentKey(request, options.queryKeys);
      const { host = 'localhost' } = request.headers;
      const headers = { 'x-api-key': key, host };
      const send = injectInto(app, { headers, remoteAddress: request.ip });
      const api = new Api(send, options.publicUrl || originOf(request));
      const onFailure = (error: unknown) => {
        logFailure(request.log, error, 'a tool failed', { reqId: request.id });
      };
      const server = { version: options.version, onFailure };
      return reply.send(await answerOnce(request, { api, server }));
    },
  });
}

/**
 * The error for a batch with too many messages. Only a former version of the protocol has batches.
 */
function tooMany(): ApiError {
  const message = `A batch holds at most ${MAX_MESSAGES} messages.`;
  return new ApiError('BATCH_LIMIT_EXCEEDED', message);
}

/** @throws ApiError if the request has no valid key. */
async function requireCaller(request: FastifyRequest, options: McpOptions): Promise<void> {
  const key = sentKey(request, options.queryKeys);
  if (key === '') throw new ApiError('MISSING_API_KEY');
  const caller = await options.authenticator.identify(key);
  if (!caller) throw new ApiError('INVALID_API_KEY');
  const restriction = keyRestriction(caller, senderOf(request));
  if (restriction) throw restriction;
}
