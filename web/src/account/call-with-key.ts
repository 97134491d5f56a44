/** An API call that a page makes with a key, as a program would make it. */

/** What was answered. */
export interface Answer {
  readonly status: number;
  /** The words of the status: `OK`. */
  readonly statusText: string;
  /** How long it took until all of it was there, in milliseconds. */
  readonly ms: number;
  /** The headers of the quota and the id of the request; those that were sent. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The body, indented. */
  readonly json: string;
  /** The code of the error; undefined when it went well. */
  readonly code: string | undefined;
}

/** What an answer says of the quota, and by what its request is found again. */
const SHOWN_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'X-Request-Id',
];

/**
 * Calls the API with a key, which is sent in the header alone, without the cookie of the session.
 *
 * @throws Error when the service cannot be reached.
 */
export async function callWithKey(path: string, apiKey: string): Promise<Answer> {
  const started = performance.now();
  const response = await fetch(path, {
    headers: { 'X-API-Key': apiKey },
    credentials: 'omit',
    cache: 'no-store',
  }).catch(() => {
    throw new Error('The service cannot be reached right now. Send it again in a moment.');
  });
  const body: unknown = await response.json().catch(() => null);
  const ms = Math.round(performance.now() - started);
  const { status, statusText } = response;
  const headers = SHOWN_HEADERS.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return {
    status,
    statusText,
    ms,
    headers,
    json: JSON.stringify(body, null, 2),
    code: codeOf(body),
  };
}

function codeOf(body: unknown): string | undefined {
  return (body as { error?: { code?: string } } | null)?.error?.code;
}
