import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { RateLimiter } from '../accounts/quota/rate-limiter.ts';
import { networkOf } from '../accounts/sign-in/attempt-limiter.ts';
import type { Millis } from '../domain/day.ts';
import { ApiError } from '../domain/errors.ts';
import type { BurstLimit } from '../domain/plans.ts';
import { refusals } from '../lib/tally.ts';
import { tooFast } from './hooks.ts';
import { type Hosts, nameOf } from './hosts.ts';
import { DATA_HEADERS } from './security-headers.ts';
import { shown } from './validation.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the request was refused because its network sends too many. */
    isFlood: boolean;
  }
  interface FastifyContextConfig {
    /** Whether monitors call the route: by any name of the service, as often as they like. */
    isHealthCheck?: boolean;
  }
}

export interface GuardOptions {
  readonly hosts: Hosts;
  /** The burst limit of each network address; null for none. */
  readonly addressBurst: BurstLimit | null;
  readonly clock: () => Millis;
}

/** IPv6 addresses whose networks are remembered, because they take microseconds to find. */
const MAX_NETWORKS = 10_000;

/**
 * Adds the hook through which every request goes first. It gives the answer its security headers,
 * and refuses requests for other hosts and those of networks that send too many. It reads nothing
 * but headers, so that a flood costs as little as it can.
 */
export function addGuard(app: FastifyInstance, options: GuardOptions): void {
  const { hosts, addressBurst, clock } = options;
  const networks = new NetworkLimiter();
  const warnOfHost = hostWarning(app.log);
  app.decorateRequest('isFlood', false);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(DATA_HEADERS);
    const error = hostError(hosts, request);
    if (error?.code === 'MISDIRECTED_REQUEST') warnOfHost(error.message);
    done(error ?? (addressBurst ? networkError(request, addressBurst) : undefined));
  });

  function networkError(request: FastifyRequest, limit: BurstLimit): ApiError | undefined {
    const wait = networks.wait(request.ip, limit, clock());
    if (wait === 0 || isHealthCheck(request)) return undefined;
    request.isFlood = true;
    refusals.add('address-burst');
    return tooFast('a network address may send', limit, wait);
  }
}

/** How often the log says that a host is not known, in milliseconds: anybody can send any. */
const WARNING_EVERY: Millis = 60_000;

/** Explains to operators who have not set their address why requests are refused. */
function hostWarning(logger: FastifyBaseLogger): (reason: string) => void {
  let next = 0;
  return (reason) => {
    const now = performance.now();
    if (now < next) return;
    next = now + WARNING_EVERY;
    logger.warn({ reason }, 'requests for an unknown host are refused');
  };
}

function hostError(hosts: Hosts, request: FastifyRequest): ApiError | undefined {
  const { host } = request.headers;
  if (host && hosts.isKnown(host)) return undefined;
  if (isHealthCheck(request)) return undefined;
  if (host) return unknownHost(nameOf(host));
  // HTTP/1.0 has no such header; later versions require it.
  return request.raw.httpVersion === '1.0' ? undefined : new ApiError('MALFORMED_REQUEST');
}

function isHealthCheck({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.isHealthCheck === true;
}

function unknownHost(name: string): ApiError {
  return new ApiError(
    'MISDIRECTED_REQUEST',
    `This service does not know the host "${shown(name)}". Its operator makes it known with ` +
      'CARDPRICE_URL, the address at which people open the service, or with CARDPRICE_HOSTS.',
  );
}

/** Holds networks to a burst limit: an IPv4 address each, or the network of an IPv6 address. */
class NetworkLimiter {
  readonly #limiter = new RateLimiter<string>();
  readonly #networks = new LRUCache<string, string>({ max: MAX_NETWORKS, memoMethod: networkOf });

  /** Counts a request and returns 0, or returns the milliseconds to wait before the next one. */
  wait(address: string | undefined, limit: BurstLimit, now: Millis): number {
    return this.#limiter.wait(this.#networkOf(address ?? ''), limit, now);
  }

  #networkOf(address: string): string {
    return address.includes(':') ? this.#networks.memo(address) : address;
  }
}
