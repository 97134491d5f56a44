import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { RateLimiter } from '../accounts/quota/rate-limiter.ts';
import type { Millis } from '../domain/day.ts';
import { ApiError } from '../domain/errors.ts';
import type { BurstLimit } from '../domain/plans.ts';
import { refusals } from '../lib/counts.ts';
import { networkOf } from '../lib/networks.ts';
import { isPublicAddress } from '../lib/public-addresses.ts';
import { tooFast } from './admission.ts';
import { handovers } from './handover.ts';
import { DATA_HEADERS } from './headers.ts';
import { FORWARDED_FOR, type TrustedProxies } from './proxies.ts';
import { shown } from './validation.ts';

/** Allows every name, for use behind a proxy that checks names itself. */
export const ANY_HOST = '*';

/** How many known header values are cached; more than a service has names and ports. */
const MAX_REMEMBERED = 100;

export interface HostOptions {
  /** The address at which people open the service; `''` if unknown. */
  readonly publicUrl: string;
  /** The names of the setting CARDPRICE_HOSTS, in lower case. */
  readonly hosts: readonly string[];
  /** The address or name that the service listens on. */
  readonly listenHost: string;
}

/**
 * Decides by the Host header whether a request is meant for this service. A page of another site
 * may point its own name at this machine (DNS rebinding). Its requests carry that name and are
 * refused. IP addresses are always known, because another site cannot have a page at one.
 */
export class Hosts {
  readonly #names: ReadonlySet<string>;
  /** Known header values. */
  readonly #known = new Set<string>();

  constructor({ publicUrl, hosts, listenHost }: HostOptions) {
    const machine = hostname().toLowerCase();
    const own = ['localhost', machine, `${machine}.local`, listenHost.toLowerCase()];
    const open = publicUrl === '' ? [] : [nameOf(new URL(publicUrl).host)];
    this.#names = new Set([...own, ...open, ...hosts]);
  }

  /** Whether a Host header names this service. */
  isKnown(header: string): boolean {
    if (this.#known.has(header)) return true;
    const name = nameOf(header);
    if (!this.#isOwn(name) || !isWellFormed(header, name)) return false;
    if (this.#known.size < MAX_REMEMBERED) this.#known.add(header);
    return true;
  }

  #isOwn(name: string): boolean {
    if (this.#names.has(ANY_HOST)) return true;
    return isIP(name) !== 0 || name.endsWith('.localhost') || this.#names.has(name);
  }
}

/**
 * Whether a Host header forms a URL with the same name: no port beyond 65535, no user and no path.
 */
function isWellFormed(header: string, name: string): boolean {
  const url = URL.parse(`http://${header}`);
  return url !== null && (isIP(name) !== 0 || nameOf(url.host) === name);
}

/**
 * Returns the origin of a request's address: `https://cards.example`. Only HTTP/1.0 has no host,
 * which then means this machine.
 */
export function originOf({ protocol, headers: { host = 'localhost' } }: FastifyRequest): string {
  return `${protocol}://${host}`;
}

/**
 * Whether a request comes from a page of this service or from no page: browsers state the origin of
 * a call in headers. `publicUrl` is the web origin of the pages, if known.
 */
export function isOwnSite({ headers }: FastifyRequest, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = headers;
  if (origin === undefined || (publicUrl !== '' && origin === publicUrl)) return true;
  // Not `request.host`, which may come from a caller's X-Forwarded-Host.
  return URL.canParse(origin) && new URL(origin).host === headers.host;
}

/** Returns the name or address of a Host header in lower case, without the port; `''` for none. */
export function nameOf(header: string): string {
  const [, address, name = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(header) ?? [];
  return (address ?? name).toLowerCase().replace(/\.$/, '');
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the request was refused because its network sends too many. */
    isFlood: boolean;
  }
  interface FastifyContextConfig {
    /** Whether monitors call the route. They may use any host name, without a limit. */
    isHealthCheck?: boolean;
  }
}

export interface GuardOptions {
  readonly hosts: Hosts;
  readonly proxies: TrustedProxies;
  /** The burst limit of each network address; null for none. */
  readonly addressBurst: BurstLimit | null;
  readonly clock: () => Millis;
}

/** How many IPv6 addresses are cached with their networks, which take microseconds to compute. */
const MAX_NETWORKS = 10_000;

/**
 * The first check of every request. Refuses requests for other hosts, from unknown addresses and
 * from networks that send too many. Reads only headers, so a flood costs little.
 */
export class Guard {
  readonly #options: GuardOptions;
  readonly #networks = new NetworkLimiter();

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  /** Adds the hook that sets the security headers and refuses requests. */
  addTo(app: FastifyInstance): void {
    const { hosts, proxies } = this.#options;
    const warnOfHost = rareWarning(app.log, 'requests for an unknown host are refused');
    const warnOfProxy = rareWarning(app.log, 'the headers of a proxy are not believed');
    app.decorateRequest('isFlood', false);
    app.addHook('onRequest', (request, reply, done) => {
      reply.headers(DATA_HEADERS);
      if (handovers.has(request.raw)) return done();
      const error = hostError(hosts, request) ?? addressError(request);
      if (error?.code === 'MISDIRECTED_REQUEST') warnOfHost(error.message);
      const reason = proxyProblem(proxies, request);
      if (reason !== undefined) warnOfProxy(reason);
      done(error ?? this.#networkError(request));
    });
  }

  /**
   * Counts a request against the limit of its network, and returns the address of its caller.
   * Returns undefined without counting it if the request is refused, or if its host or address is
   * unusual and needs a check by the hook.
   */
  pass(request: IncomingMessage): string | undefined {
    const { hosts, proxies, addressBurst, clock } = this.#options;
    const { host } = request.headers;
    if (!host || !hosts.isKnown(host) || hasSeveralHosts(request)) return undefined;
    const address = proxies.callerOf(request);
    if (address === undefined || addressBurst === null) return address;
    return this.#networks.wait(address, addressBurst, clock()) === 0 ? address : undefined;
  }

  #networkError(request: FastifyRequest): ApiError | undefined {
    const { addressBurst, clock } = this.#options;
    if (addressBurst === null) return undefined;
    const wait = this.#networks.wait(request.ip, addressBurst, clock());
    if (wait === 0 || isHealthCheck(request)) return undefined;
    request.isFlood = true;
    refusals.add('address-burst');
    return tooFast('a network address may send', addressBurst, wait);
  }
}

/** How often a problem is logged, in milliseconds, because anybody can send any header. */
const WARNING_EVERY: Millis = 60_000;

/** Returns a function that logs a warning at most once a minute, with its reason. */
function rareWarning(logger: FastifyBaseLogger, message: string): (reason: string) => void {
  let next = 0;
  return (reason) => {
    const now = performance.now();
    if (now < next) return;
    next = now + WARNING_EVERY;
    logger.warn({ reason }, message);
  };
}

function hostError(hosts: Hosts, request: FastifyRequest): ApiError | undefined {
  const { host } = request.headers;
  if (hasSeveralHosts(request.raw)) return new ApiError('MALFORMED_REQUEST');
  if (host && hosts.isKnown(host)) return undefined;
  if (isHealthCheck(request)) return undefined;
  if (host) return unknownHost(nameOf(host));
  // HTTP/1.0 has no such header; later versions require it.
  return request.raw.httpVersion === '1.0' ? undefined : new ApiError('MALFORMED_REQUEST');
}

/**
 * Whether a request has several Host headers. Node keeps only the first (RFC 9112, section 3.2).
 */
function hasSeveralHosts({ rawHeaders }: IncomingMessage): boolean {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === HOST.length && name.toLowerCase() === HOST) count += 1;
  }
  return count > 1;
}

const HOST = 'host';

/** Refuses a request if a proxy identifies its caller by something other than an address. */
function addressError({ headers, ip }: FastifyRequest): ApiError | undefined {
  const isForwarded = headers[FORWARDED_FOR] !== undefined;
  if (!isForwarded || ip === undefined || isIP(ip) !== 0) return undefined;
  return new ApiError(
    'MALFORMED_REQUEST',
    `The X-Forwarded-For header has "${shown(ip)}" where the address of the caller belongs, such ` +
      'as 203.0.113.7 or 2001:db8::7.',
  );
}

/**
 * Returns why the addresses of callers are lost, if a nearby proxy sends them but is not trusted.
 */
function proxyProblem(proxies: TrustedProxies, request: FastifyRequest): string | undefined {
  const { remoteAddress } = request.socket;
  if (request.headers[FORWARDED_FOR] === undefined || remoteAddress === undefined) return undefined;
  if (proxies.sent(request) || isPublicAddress(remoteAddress)) return undefined;
  return (
    `Requests from ${remoteAddress} have an X-Forwarded-For header. If that is your proxy, add ` +
    'the address to CARDPRICE_TRUST_PROXY; otherwise all of its callers share the address.'
  );
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

/** Applies a burst limit to each IPv4 address and to each network of IPv6 addresses. */
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
