import type { Static } from 'typebox';
import { RETRY_SECONDS } from '../errors.ts';
import type { ErrorBody } from '../schemas.ts';

/** The calls of tools to `/v1`, and their failures. */

/** A request to an endpoint of `/v1`. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  /** The path with its query. */
  readonly url: string;
  /** A JSON body. */
  readonly body?: string;
}

export interface ApiAnswer {
  readonly status: number;
  readonly body: string;
  /** The header `Retry-After`. */
  readonly retryAfter?: string | undefined;
}

/** Sends a request on behalf of the tool's caller. */
export type SendRequest = (request: ApiRequest) => Promise<ApiAnswer>;

/** A failure of a tool whose message is for the assistant and its user. */
export class ToolError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ToolError';
  }
}

type Query = Readonly<Record<string, string | number | undefined>>;

/** `/v1`, with the rights of one caller. */
export class Api {
  /** The web origin of the pages that answers link to. */
  readonly site: string;
  readonly #send: SendRequest;

  constructor(send: SendRequest, site: string) {
    this.#send = send;
    this.site = site;
  }

  /** @throws ToolError if the request is refused. */
  get<Body>(path: string, query: Query = {}): Promise<Body> {
    return this.#ask({ method: 'GET', url: withQuery(path, query) });
  }

  /** @throws ToolError if the request is refused. */
  post<Body>(path: string, body: unknown, query: Query = {}): Promise<Body> {
    return this.#ask({ method: 'POST', url: withQuery(path, query), body: JSON.stringify(body) });
  }

  async #ask<Body>(request: ApiRequest): Promise<Body> {
    const answer = await this.#send(request);
    const body = parsed(answer);
    if (answer.status === 200) return body as Body;
    throw refusal(answer, body);
  }
}

function withQuery(path: string, query: Query): string {
  const sent = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) sent.set(name, String(value));
  }
  return sent.size === 0 ? path : `${path}?${sent}`;
}

function parsed({ body, status }: ApiAnswer): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new ToolError(`The service answered with status ${status}, and not with JSON.`);
  }
}

function refusal({ status, retryAfter }: ApiAnswer, body: unknown): ToolError {
  const { error } = body as Partial<Static<typeof ErrorBody>>;
  if (!error) return new ToolError(`The service answered with status ${status}.`);
  const wait = retryAfter ?? (status === 503 ? String(RETRY_SECONDS) : undefined);
  const retry = wait === undefined ? '' : ` Try again in ${wait} s.`;
  return new ToolError(`${error.message}${retry} (${error.code})`);
}
