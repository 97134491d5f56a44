import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyHttpOptions } from 'fastify';
import type { Logger } from 'pino';
import { refusals } from '../lib/counts.ts';
import { networkOf } from '../lib/networks.ts';
import { LineBudget } from './failures.ts';
import type { TrustedProxies } from './proxies.ts';

/** Time limits for clients, in milliseconds, and limits on their connections. */
export interface ConnectionLimits {
  /** From the first byte of a request to the end of its headers. */
  readonly headersMs: number;
  /** To the end of its body. */
  readonly requestMs: number;
  /** Without any byte in either direction. */
  readonly silenceMs: number;
  /** Between two requests. */
  readonly keepAliveMs: number;
  /** How often the server checks for slow requests. */
  readonly checkMs: number;
  /** The most connections of a process. */
  readonly total: number;
  /** The most connections from one network address. A proxy counts as one address. */
  readonly perAddress: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  // Headers are at most 16 KiB, which take a slow phone a second.
  headersMs: 10_000,
  // The largest body, 500 KiB, at 17 KB/s.
  requestMs: 30_000,
  // Long enough for the slowest answer, a picture that waits for its server.
  silenceMs: 90_000,
  // Longer than the 60 s of common proxies, so the proxy closes idle connections.
  keepAliveMs: 72_000,
  checkMs: 1000,
  // A connection takes about 20 KB and a file descriptor. Services get at least 4096 descriptors.
  total: 3000,
  // A busy shop behind one address has a few dozen connections.
  perAddress: 256,
};

/** Returns the Fastify options that enforce the time limits. */
export function timeoutOptions(limits: ConnectionLimits) {
  return {
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionTimeout: limits.silenceMs,
    http: {
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: limits.checkMs,
      // Node would answer a request without a Host header itself; the guard sends our own answer.
      requireHostHeader: false,
    },
  } satisfies FastifyHttpOptions<Server>;
}

/**
 * Refuses connections beyond the limits. It closes them unread, because an answer would cost more
 * than the connection. An address with too many connections is logged once, and again only after
 * all of its connections have closed.
 *
 * @param proxies They limit the connections of their callers themselves.
 */
export function limitConnections(
  server: Server,
  limits: ConnectionLimits,
  { proxies, logger }: { readonly proxies: TrustedProxies; readonly logger: Logger },
): void {
  // A worker drops excess connections instead of handing them to another worker, which is just as
  // full. Node's types lack the second property.
  Object.assign(server, { maxConnections: limits.total, dropMaxConnection: true });
  const budget = new LineBudget(logger);
  server.on('drop', () => {
    refusals.add('connections');
    if (budget.allows()) logger.warn({ limit: limits.total }, 'too many connections');
  });
  server.on('close', () => budget.flush());
  limitByAddress(server, limits.perAddress, { proxies, logger });
}

interface Connections {
  count: number;
  isLogged: boolean;
}

function limitByAddress(
  server: Server,
  limit: number,
  { proxies, logger }: { readonly proxies: TrustedProxies; readonly logger: Logger },
): void {
  const networks = new Map<string, Connections>();
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    if (proxies.has(address)) return;
    const network = networkOf(address);
    const connections = networks.get(network) ?? { count: 0, isLogged: false };
    networks.set(network, connections);
    connections.count += 1;
    socket.once('close', () => {
      connections.count -= 1;
      if (connections.count === 0) networks.delete(network);
    });
    if (connections.count <= limit) return;
    socket.destroy();
    refusals.add('connections');
    if (connections.isLogged) return;
    connections.isLogged = true;
    logger.warn({ address, limit }, 'an address has too many connections');
  });
}
