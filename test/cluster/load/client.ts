import { Agent, type Dispatcher, request } from 'undici';
import type { Answer, RequestKind } from '../record.ts';
import { now, type Recorder } from './recorder.ts';

/** Something to ask for. */
export interface Question {
  readonly kind: RequestKind;
  readonly endpoint: string;
  readonly path: string;
  /** The body of a POST; without it the request is a GET. */
  readonly body?: object;
}

/** Who asks. */
export interface Caller {
  readonly account: string;
  readonly keyId: string;
  /** The key itself; '' for nobody's. */
  readonly key: string;
}

/** Who asks for what everybody may see. */
export const ANYBODY: Caller = { account: '', keyId: '', key: '' };

/** After so many milliseconds nobody waits for an answer any more. */
const PATIENCE_MS = 15_000;
const CONNECTIONS = 400;

/** Sends requests, and has every answer written down. */
export class Client {
  readonly #url: string;
  readonly #recorder: Recorder;
  readonly #agent = new Agent({ connections: CONNECTIONS });
  /**
   * For open pages, which must not wait until requests that wait for a database free a connection.
   */
  readonly #openAgent = new Agent({ connections: CONNECTIONS });

  constructor(url: string, recorder: Recorder) {
    this.#url = url;
    this.#recorder = recorder;
  }

  /** Resolves with the answer and its body, '' if there is none; never rejects. */
  async ask(caller: Caller, question: Question): Promise<Answer & { readonly body: string }> {
    const id = this.#recorder.nextId();
    const sent = now();
    const response = await this.#send(id, caller, question).catch(() => undefined);
    const { kind, endpoint } = question;
    const { account, keyId: key } = caller;
    const isRead = kind === 'read' && response?.status === 200;
    const answer: Answer = {
      id,
      sent,
      received: now(),
      kind,
      endpoint,
      account,
      key,
      status: response?.status ?? null,
      ...headersOf(response?.headers ?? {}),
      digest: isRead ? this.#recorder.read(endpoint, response.body) : null,
    };
    this.#recorder.answers.push(answer);
    return { ...answer, body: response?.body ?? '' };
  }

  async close(): Promise<void> {
    await Promise.all([this.#agent.destroy(), this.#openAgent.destroy()]);
  }

  async #send(id: string, { key }: Caller, { kind, path, body }: Question) {
    const response = await request(this.#url + path, {
      dispatcher: kind === 'open' ? this.#openAgent : this.#agent,
      method: body ? 'POST' : 'GET',
      headers: {
        'x-request-id': id,
        ...(key !== '' && { 'x-api-key': key }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return {
      status: response.statusCode,
      headers: response.headers,
      body: await response.body.text(),
    };
  }
}

function headersOf(headers: Dispatcher.ResponseData['headers']) {
  const number = (name: string) => (headers[name] === undefined ? null : Number(headers[name]));
  const node = headers['x-served-by'];
  return {
    node: typeof node === 'string' ? node : null,
    limit: number('x-ratelimit-limit'),
    remaining: number('x-ratelimit-remaining'),
    reset: number('x-ratelimit-reset'),
    hasRetryAfter: headers['retry-after'] !== undefined,
  };
}
