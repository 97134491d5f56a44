import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../domain/errors.ts';
import { invalidParameter } from './errors.ts';

/** Callers can demand a publication that is no older than the newest one they have seen. */

/** The request header with the number of the oldest publication that a caller accepts. */
export const AT_LEAST_HEADER = 'If-Publication-At-Least';

/** The same header under Node's name. */
export const AT_LEAST = 'if-publication-at-least';

/**
 * The response header with the number of the served publication, for callers that send the request
 * header.
 */
export const PUBLICATION_HEADER = 'Publication';

/** A node looks for a new publication every second. */
const RETRY_SECONDS = 1;

/** Whole numbers that JavaScript represents exactly. */
const NUMBER = /^\d{1,15}$/;

/**
 * Returns the error for a request whose demand is malformed, or is newer than the `served`
 * publication; the latter is not charged. Adds the number of the served publication to the reply.
 */
export function problemOfDemand(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  served: number,
): ApiError | undefined {
  const demanded = headers[AT_LEAST];
  if (demanded === undefined) return undefined;
  reply.header(PUBLICATION_HEADER, served);
  if (!NUMBER.test(String(demanded))) {
    return invalidParameter(
      AT_LEAST_HEADER,
      'it must be the number of a publication: a whole number of at most 15 digits.',
    );
  }
  if (Number(demanded) <= served) return undefined;
  return new ApiError(
    'SERVICE_UNAVAILABLE',
    `This node serves publication ${served} and has not loaded ${demanded} yet. Please try again ` +
      'shortly.',
    { retryAfter: RETRY_SECONDS },
  );
}
