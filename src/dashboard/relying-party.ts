import type { FastifyRequest } from 'fastify';
import { type RelyingParty, relyingPartyOf } from '../accounts/sign-in/relying-party.ts';
import { AccountError } from '../domain/errors.ts';
import type { Services } from './services.ts';

/** For whom the passkeys of a request are; undefined where there are none. */
export function partyOf(
  { publicUrl }: Pick<Services, 'publicUrl'>,
  { protocol, host }: FastifyRequest,
): RelyingParty | undefined {
  return relyingPartyOf(publicUrl, `${protocol}://${host}`);
}

/**
 * For whom the passkeys of a request are.
 *
 * @throws AccountError REFUSED where there are none.
 */
export function requirePartyOf(
  services: Pick<Services, 'publicUrl'>,
  request: FastifyRequest,
): RelyingParty {
  const party = partyOf(services, request);
  if (party) return party;
  throw new AccountError('REFUSED', 'Passkeys need https. This service is not set up for them.');
}
