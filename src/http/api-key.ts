import type { IncomingHttpHeaders } from 'node:http';

/** Returns the token of an `Authorization: Bearer` header; `''` for another scheme or none. */
export function bearerOf({ authorization = '' }: IncomingHttpHeaders): string {
  return /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? '';
}

/**
 * Returns the API key in the headers of a request, `''` for none. `X-API-Key` wins over a token.
 */
export function keyInHeaders(headers: IncomingHttpHeaders): string {
  const key = headers['x-api-key'];
  return typeof key === 'string' && key !== '' ? key : bearerOf(headers);
}
