import { CallError, call } from './call.ts';

/** The keys of calls to {@link postOnce} that may have succeeded without a response, by content. */
const unanswered = new Map<string, string>();

/** The pause before a call without a response is sent again. */
const REPEAT_MS = 1000;

/**
 * Calls the server with POST to create something. Sends the call again if no response comes, with
 * the same key, so the server creates nothing twice and no secret is lost. If that also fails, the
 * reader's next try has the same key. Resolves and rejects as {@link call}.
 */
export async function postOnce<Body>(path: string, body?: unknown): Promise<Body> {
  const content = JSON.stringify([path, body]);
  const idempotencyKey = unanswered.get(content) ?? randomKey();
  unanswered.set(content, idempotencyKey);
  const send = () => call<Body>(path, { method: 'POST', body, idempotencyKey });
  try {
    const created = await send().catch((error) => repeat(error, send));
    unanswered.delete(content);
    return created;
  } catch (error) {
    if (!mayHaveSucceeded(error)) unanswered.delete(content);
    throw error;
  }
}

async function repeat<Body>(error: unknown, send: () => Promise<Body>): Promise<Body> {
  if (!mayHaveSucceeded(error)) throw error;
  await new Promise((resolve) => {
    setTimeout(resolve, REPEAT_MS);
  });
  return send();
}

function mayHaveSucceeded(error: unknown): boolean {
  if (!(error instanceof CallError)) return true;
  return error.status === 0 || error.status >= 500 || error.code === 'REQUEST_RUNNING';
}

/** Browsers have `crypto.randomUUID` only with https. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
