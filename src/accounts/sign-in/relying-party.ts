import { isIP } from 'node:net';

/** For whom passkeys are made: browsers give a passkey to no other host and origin. */
export interface RelyingParty {
  /** The host name, without a port. */
  readonly id: string;
  readonly origin: string;
}

/**
 * The relying party of a service, by the address at which people open it. Without that setting it
 * is the origin of the request, if that is of this machine. Undefined where browsers have no
 * passkeys: they need a host name, and https or `localhost`.
 */
export function relyingPartyOf(publicUrl: string, requestOrigin: string): RelyingParty | undefined {
  const { protocol, hostname, origin } = new URL(publicUrl || requestOrigin);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  // Whoever sends a request chooses its host, so that only this machine's own is believed.
  if (publicUrl === '' && !isLocal) return undefined;
  if (protocol !== 'https:' && !isLocal) return undefined;
  if (isIP(hostname) !== 0 || hostname.startsWith('[')) return undefined;
  return { id: hostname, origin };
}
