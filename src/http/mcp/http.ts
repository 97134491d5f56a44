import { createMcpHandler } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import type { Api } from './api.ts';
import { type ToolServerOptions, toolServer } from './server.ts';

/** Answers a request to `/mcp` with a server that exists only for that request. */
export async function answerOnce(
  { method, headers, body }: FastifyRequest,
  { api, server }: { readonly api: Api; readonly server: ToolServerOptions },
): Promise<Response> {
  // No stream is kept open: there are no changes to notify clients about.
  const options = { maxSubscriptions: 0 };
  const handler = createMcpHandler(() => toolServer(api, server), options);
  const request = new Request('http://localhost/mcp', {
    method,
    headers: new Headers(textsOf(headers)),
  });
  return handler.fetch(request, { parsedBody: body });
}

function textsOf(headers: FastifyRequest['headers']): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    return typeof value === 'string' ? [[name, value]] : [];
  });
}
