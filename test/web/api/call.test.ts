import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { CallError } from '../../../web/src/api/call.ts';
import { postOnce } from '../../../web/src/api/post-once.ts';
import { cleanUp } from '../../support/cleanup.ts';

type Answer = (response: ServerResponse) => void;

/** Answers with a status; null for a connection that breaks instead. */
function answerOf(status: number, code: string | null = 'UNKNOWN'): Answer {
  const body = status < 300 ? { data: { key: 'secret' } } : { error: { code, message: 'No.' } };
  return (response) => response.writeHead(status).end(JSON.stringify(body));
}

const CREATED = answerOf(201);
const BROKEN: Answer = (response) => response.destroy();

/** Starts a server that gives these answers in turn; returns its URL and the keys it was sent. */
async function serverOf(answers: readonly Answer[]) {
  const keys: string[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    keys.push(String(request.headers['idempotency-key']));
    request.resume().on('end', () => answers[keys.length - 1]?.(response));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  cleanUp(async () => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/dashboard/keys`, keys };
}

const BODY = { name: 'Shop' };

describe('A call that creates something', () => {
  for (const [what, lost] of [
    ['a broken connection', BROKEN],
    ['a 503', answerOf(503, 'SERVICE_UNAVAILABLE')],
    ['a 502 of a proxy', answerOf(502)],
    ['a 409 while the first one runs', answerOf(409, 'REQUEST_RUNNING')],
  ] as const) {
    it(`is sent again with the same key after ${what}`, async () => {
      const { url, keys } = await serverOf([lost, CREATED]);
      assert.deepEqual(await postOnce(url, BODY), { data: { key: 'secret' } });
      assert.match(String(keys[0]), /^[\da-f]{32}$/);
      assert.deepEqual(keys, [keys[0], keys[0]]);
    });
  }

  it('keeps its key until it is answered, and has a new one then', async () => {
    const { url, keys } = await serverOf([BROKEN, BROKEN, CREATED, CREATED]);
    await assert.rejects(postOnce(url, BODY), CallError);
    await postOnce(url, BODY);
    await postOnce(url, BODY);
    assert.deepEqual(keys.slice(0, 3), [keys[0], keys[0], keys[0]]);
    assert.notEqual(keys[3], keys[0]);
  });

  it('has another key with another body, and after a refusal', async () => {
    const { url, keys } = await serverOf([answerOf(400, 'REFUSED'), CREATED, CREATED]);
    await assert.rejects(postOnce(url, BODY), { code: 'REFUSED' });
    await postOnce(url, BODY);
    await postOnce(url, { name: 'Till' });
    assert.equal(new Set(keys).size, 3);
  });
});
