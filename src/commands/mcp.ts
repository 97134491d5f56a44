import { finished } from 'node:stream/promises';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Command } from 'commander';
import { OperatorError } from '../domain/errors.ts';
import { Api, type SendRequest } from '../http/mcp/api.ts';
import { answerFrom, sendTo } from '../http/mcp/senders.ts';
import { toolServer } from '../http/mcp/server.ts';
import { coreOf, resolverOf } from '../http/resources.ts';
import type { Store } from '../store/connect.ts';
import { loadCatalog } from './catalog.ts';
import type { CommandContext } from './context.ts';
import { printErrorLine } from './output.ts';

/** `cardprice mcp`: card prices for an assistant that starts this program. */
export function mcpCommand(context: CommandContext): Command {
  return new Command('mcp')
    .description('Give an assistant on this machine card prices (Model Context Protocol, stdio).')
    .option('--url <address>', 'Ask the Cardprice at this address, not the database.')
    .addHelpText(
      'after',
      `
Assistants start this command; it answers on its standard output until its input ends. With the
database, every tool works, and nothing is counted. With --url, it sends the API key in
CARDPRICE_API_KEY, whose plan and quota hold. docs/assistants.md shows how to set up assistants.

Examples:
  cardprice mcp --database /srv/cardprice.db
  CARDPRICE_API_KEY=… cardprice mcp --url https://cards.example`,
    )
    .action(async ({ url }: { readonly url?: string }) => {
      if (url !== undefined) return serveAddress(context, url);
      await context.withStore((store) => serveDatabase(context, store));
    });
}

async function serveAddress(context: CommandContext, url: string): Promise<void> {
  const address = URL.parse(url);
  if (!address || !/^https?:$/.test(address.protocol)) {
    throw new OperatorError(
      `--url "${url}" is not allowed; it must be an http:// or https:// URL.`,
    );
  }
  const { apiKey } = context.config();
  if (apiKey === '') {
    throw new OperatorError('Set CARDPRICE_API_KEY to an API key of the service at --url.');
  }
  await serve(context, new Api(sendTo(address, apiKey), address.origin));
}

async function serveDatabase(context: CommandContext, store: Store): Promise<void> {
  const { publicUrl, host, port } = context.config();
  // Assistants wait only a short time for the first answer, and a large catalogue loads slowly.
  const loading = databaseSender(context, store);
  const send: SendRequest = async (request) => (await loading)(request);
  await serve(context, new Api(send, publicUrl || `http://${host}:${port}`), loading);
}

/** @throws OperatorError if the database has no cards. */
async function databaseSender(context: CommandContext, store: Store): Promise<SendRequest> {
  const catalog = await loadCatalog(context, store);
  const parts = { catalog, resolver: resolverOf(catalog), replica: undefined };
  const core = coreOf({ config: context.config(), store, clock: context.clock }, parts);
  const answer = answerFrom(core.resources);
  return async (request) => {
    // An import may have published newer prices since the last request.
    await catalog.refresh();
    return answer(request);
  };
}

/** Serves the tools until the standard input ends or `loading` fails. */
async function serve(
  { version }: CommandContext,
  api: Api,
  loading: Promise<unknown> = Promise.resolve(),
): Promise<void> {
  const report = (error: unknown) => printErrorLine(`A request failed: ${error}`);
  const server = serveStdio(() => toolServer(api, { version, onFailure: report }), {
    onerror: report,
    maxSubscriptions: 0,
  });
  try {
    await Promise.all([loading, finished(process.stdin, { writable: false })]);
  } finally {
    await server.close();
  }
}
