import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import {
  WebClient,
  WebError,
  type WebRequest,
  type WebRules,
} from '../../../src/sources/io/web.ts';
import {
  type Answer,
  cut,
  drip,
  file,
  hangUp,
  redirect,
  status,
  Upstream,
  wrongLength,
} from '../../support/upstream.ts';

const NOW = Date.parse('2027-01-28T12:00:00Z');

/** Makes a client of an upstream that the operator has named. It records its waits. */
function clientOf({ url }: Upstream, rules: Partial<WebRules> = {}) {
  const waits: number[] = [];
  const client = new WebClient({
    userAgent: 'cardprice/1.2.3 (test)',
    pauseMs: 0,
    sleep: async (ms) => {
      if (ms > 0) waits.push(ms);
    },
    random: () => 1,
    clock: () => NOW,
    trustedOrigins: [url],
    ...rules,
  });
  after(() => client.close());
  return { client, waits };
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(body)).toString();
}

function read(client: WebClient, url: string, more: Partial<WebRequest> = {}) {
  return client.get({ url: new URL(url), maxBytes: 1000, ...more }, textOf);
}

/** Reads `/x` from an upstream with these responses. */
async function readFrom(answers: readonly Answer[], rules: Partial<WebRules> = {}) {
  const upstream = (await Upstream.open()).on('/x', ...answers);
  const { client, waits } = clientOf(upstream, rules);
  const answer = await read(client, `${upstream.url}/x`).catch((error: unknown) => {
    assert.ok(error instanceof WebError, String(error));
    return error;
  });
  return { answer, waits, asked: upstream.asked };
}

function messageOf(answer: unknown): string {
  assert.ok(answer instanceof WebError, JSON.stringify(answer));
  return answer.message.replace(/http:\/\/[\d.:]+/, '');
}

describe('a request', () => {
  it('has a User-Agent and an Accept header', async () => {
    const { asked } = await readFrom([file('hello')]);
    assert.equal(asked[0]?.headers['user-agent'], 'cardprice/1.2.3 (test)');
    assert.match(String(asked[0]?.headers.accept), /application\/json/);
  });

  for (const [header, condition, value] of [
    ['etag', 'if-none-match', '"v1"'],
    ['etag', 'if-none-match', 'W/"v1"'],
    ['last-modified', 'if-modified-since', 'Wed, 27 Jan 2027 10:00:00 GMT'],
  ] as const) {
    it(`is conditional on ${header} ${value}`, async () => {
      const upstream = (await Upstream.open()).on('/x', file('hello', { [header]: value }));
      const { client } = clientOf(upstream);
      const first = await read(client, `${upstream.url}/x`);
      assert.deepEqual(first, { kind: 'found', result: 'hello', validator: value });
      const again = await read(client, `${upstream.url}/x`, { validator: value });
      assert.deepEqual(again, { kind: 'unchanged' });
      assert.equal(upstream.asked[1]?.headers[condition], value);
    });
  }

  it('is made after a pause, one at a time', async () => {
    const upstream = (await Upstream.open()).on('/x', file('hello'));
    const { client, waits } = clientOf(upstream, { pauseMs: 60_000 });
    await read(client, `${upstream.url}/x`);
    await read(client, `${upstream.url}/x`);
    assert.equal(waits.length, 1);
    assert.ok((waits[0] ?? 0) > 59_000);
  });
});

describe('a transient error', () => {
  it('is retried with exponential backoff', async () => {
    const failures = [status(500), status(502), status(503), hangUp];
    const { answer, waits } = await readFrom([...failures, file('hello')]);
    assert.equal(answer instanceof WebError ? answer.message : answer.kind, 'found');
    assert.deepEqual(waits, [1000, 2000, 4000, 8000]);
  });

  it('is final after five attempts, with the last status', async () => {
    const { answer, asked } = await readFrom([status(500)]);
    assert.equal(messageOf(answer), '/x answered 500, 5 times.');
    assert.equal(asked.length, 5);
  });

  it('has jitter of up to half of the backoff, which has a maximum', async () => {
    const rules = { random: () => 0, maxBackoffMs: 3000 };
    const { waits } = await readFrom([status(500)], rules);
    assert.deepEqual(waits, [500, 1000, 1500, 1500]);
  });

  for (const [what, text] of [
    ['seconds', '7'],
    ['a date', new Date(NOW + 7000).toUTCString()],
  ] as const) {
    it(`is retried after Retry-After in ${what}`, async () => {
      const slower = status(429, { 'retry-after': text });
      const { answer, waits } = await readFrom([slower, file('hello')]);
      assert.ok(!(answer instanceof WebError));
      assert.deepEqual(waits, [7000]);
    });
  }

  it('is final when Retry-After is too long', async () => {
    const { answer, waits, asked } = await readFrom([status(429, { 'retry-after': '3600' })]);
    assert.equal(
      messageOf(answer),
      '/x answered 429 and asks to be left alone until 2027-01-28T13:00:00Z.',
    );
    assert.ok(answer instanceof WebError && answer.retryAt === NOW + 3_600_000);
    assert.deepEqual(waits, []);
    assert.equal(asked.length, 1);
  });

  for (const [what, answer, words] of [
    ['breaks off', cut('hello world'), /^\/x broke off after \d+ bytes: .+, 5 times\.$/],
    ['is shorter than it says', wrongLength('hello', 5), /^\/x broke off after 5 bytes/],
    ['hangs up', hangUp, /^\/x cannot be reached: .+, 5 times\.$/],
    ['trickles', drip, /^\/x is too slow: \d+ bytes so far, 5 times\.$/],
  ] as const) {
    it(`is a source that ${what}`, async () => {
      const failed = await readFrom([answer], { idleTimeoutMs: 50 });
      assert.match(messageOf(failed.answer), words);
      const retried = await readFrom([answer, file('hello')], { idleTimeoutMs: 50 });
      assert.deepEqual(retried.answer, { kind: 'found', result: 'hello', validator: null });
    });
  }

  it('is an error response whose body never ends', async () => {
    const endless: Answer = (request, response) => {
      response.statusCode = 500;
      return drip(request, response);
    };
    const { answer } = await readFrom([endless, file('hello')], { idleTimeoutMs: 50 });
    assert.equal(answer instanceof WebError ? answer.message : answer.kind, 'found');
  });

  it('is a source that stops sending', async () => {
    const silent: Answer = (_request, response) => {
      response.writeHead(200).write('x');
    };
    const { answer } = await readFrom([silent], { idleTimeoutMs: 50, retries: 0 });
    assert.match(messageOf(answer), /^\/x broke off after 1 bytes: Body Timeout Error/);
  });
});

describe('a final answer', () => {
  for (const [code, words] of [
    [401, '/x answered 401 (the source refuses us).'],
    [403, '/x answered 403 (the source refuses us).'],
    [410, '/x answered 410.'],
  ] as const) {
    it(`is ${code}, which is not retried`, async () => {
      const { answer, asked } = await readFrom([status(code)]);
      assert.equal(messageOf(answer), words);
      assert.equal(asked.length, 1);
    });
  }

  it('is 404, a missing resource', async () => {
    const { answer, asked } = await readFrom([status(404)]);
    assert.deepEqual(answer, { kind: 'missing' });
    assert.equal(asked.length, 1);
  });

  it('is a body that is too long, with or without a Content-Length', async () => {
    const long = 'x'.repeat(1001);
    for (const answer of [file(long), status(200, {}, long)]) {
      const { answer: refused, asked } = await readFrom([answer]);
      assert.equal(messageOf(refused), '/x is larger than 1000 bytes.');
      assert.equal(asked.length, 1);
    }
  });

  it('is an error of the reader, which is not retried', async () => {
    const upstream = (await Upstream.open()).on('/x', file('hello'));
    const { client } = clientOf(upstream);
    const question = { url: new URL(`${upstream.url}/x`), maxBytes: 1000 };
    const full = client.get(question, async () => {
      throw new Error('no space left');
    });
    await assert.rejects(full, /no space left/);
    assert.equal(upstream.asked.length, 1);
    assert.equal((await read(client, `${upstream.url}/x`)).kind, 'found');
  });
});

describe('a redirect', () => {
  it('is followed', async () => {
    const upstream = (await Upstream.open()).on('/x', redirect('/y')).on('/y', file('hello'));
    const answer = await read(clientOf(upstream).client, `${upstream.url}/x`);
    assert.equal(answer.kind === 'found' && answer.result, 'hello');
  });

  it('in a circle is an error', async () => {
    const { answer, asked } = await readFrom([redirect('/x')]);
    assert.equal(messageOf(answer), '/x redirects too many times.');
    assert.equal(asked.length, 4);
  });

  it('to an invalid address is an error', async () => {
    for (const location of ['ftp://x/y', 'http://']) {
      const { answer } = await readFrom([redirect(location)]);
      assert.equal(messageOf(answer), '/x leads to something that is not an address.');
    }
  });

  it('to another server is sent without the API key', async () => {
    const other = (await Upstream.open()).on('/y', file('hello'));
    const upstream = (await Upstream.open()).on('/x', redirect(`${other.url}/y`));
    const secret = { headers: { 'x-api-key': 'KEY' }, query: { t: 'TOKEN' } };
    const { client } = clientOf(upstream, { trustedOrigins: [upstream.url, other.url] });
    await read(client, `${upstream.url}/x`, { secret });
    assert.equal(upstream.asked[0]?.headers['x-api-key'], 'KEY');
    assert.equal(upstream.asked[0]?.path, '/x?t=TOKEN');
    assert.equal(other.asked[0]?.headers['x-api-key'], undefined);
    assert.equal(other.asked[0]?.path, '/y');
  });
});

it('no message has an API key', async () => {
  const upstream = (await Upstream.open()).on('/x', status(403)).on('/y', hangUp);
  const { client } = clientOf(upstream, { retries: 0 });
  const secret = { headers: { 'x-api-key': 'KEY' }, query: { t: 'TOKEN' } };
  for (const path of ['/x?key=KEY', '/y?key=KEY']) {
    const failure = await read(client, upstream.url + path, { secret }).catch((error) => error);
    assert.ok(failure instanceof WebError);
    assert.doesNotMatch(failure.message, /KEY|TOKEN/);
  }
});
