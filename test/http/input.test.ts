import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { before, describe, it } from 'node:test';
import { shareService } from '../support/app.ts';
import { bodyOf, errorOf, problemOf, VARY } from './expect.ts';

interface Page {
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

interface Warned {
  readonly warnings?: readonly { readonly parameter: string; readonly message: string }[];
}

interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

describe('Parameters', () => {
  const shared = shareService('SQLite');
  const ask = async (url: string) => {
    const caller = await shared.service.caller('trader');
    return caller.get(url);
  };
  const CHARIZARD = '/v1/cards/pokemon-bs-charizard-004';

  it('over a bound are refused, never cut to it', async () => {
    for (const [url, parameter, allowed] of [
      ['/v1/search?q=a&limit=101', 'limit', 'a whole number from 1 to 100.'],
      ['/v1/sets?limit=201', 'limit', 'a whole number from 1 to 200.'],
      ['/v1/autocomplete?q=a&limit=21', 'limit', 'a whole number from 1 to 20.'],
      [`${CHARIZARD}/prices?days=91`, 'days', 'a whole number from 1 to 90.'],
      ['/v1/sets?offset=-1', 'offset', 'a whole number of 0 or more.'],
      ['/v1/search?q=a&offset=9007199254740992', 'offset', 'a whole number of 0 or more.'],
    ] as const) {
      const message = problemOf(await ask(url), parameter);
      const sent = new URL(url, 'http://x').searchParams.get(parameter);
      assert.equal(message, `"${sent}" is not allowed; it must be ${allowed}`);
    }
  });

  describe('that the endpoint does not have', () => {
    const CASES: readonly [url: string, ...unknown: string[]][] = [
      ['/v1/search?q=charizard&colour=red&page=2', 'colour', 'page'],
      [`${CHARIZARD}?condition=nm`, 'condition'],
      ['/v1/games?toString=1&__proto__=2', 'toString', '__proto__'],
      ['/v1/sets?constructor=a&constructor=b', 'constructor'],
      ['/v1/search?q=charizard&offset=20&a%0Ab=1', 'a\uFFFDb'],
    ];
    for (const [url, ...unknown] of CASES) {
      it(`are named: ${unknown.join(', ')}`, async () => {
        const { warnings, ...body } = bodyOf<Warned>(await ask(url));
        assert.deepEqual(
          warnings?.map(({ parameter }) => parameter),
          unknown,
        );
        const known = new URL(url, 'http://x');
        for (const name of [...known.searchParams.keys()]) {
          if (!['q', 'offset'].includes(name)) known.searchParams.delete(name);
        }
        assert.deepEqual(body, bodyOf(await ask(known.pathname + known.search)));
        const { error } = (await ask(`${url}&strict=true`)).json();
        assert.equal(error.code, 'INVALID_PARAMETER');
        assert.deepEqual(error.details, warnings);
      });
    }

    it('are named with those that it has, and not beyond the tenth', async () => {
      const { warnings = [] } = bodyOf<Warned>(await ask('/v1/rarities?x=1'));
      assert.deepEqual(warnings, [
        {
          parameter: 'x',
          message: 'is not a parameter of this endpoint. It has game, strict.',
        },
      ]);
      const many = Array.from({ length: 500 }, (_, index) => `x${index}=`).join('&');
      assert.equal(bodyOf<Warned>(await ask(`/v1/games?${many}`)).warnings?.length, 10);
    });

    it('are named after a POST as well', async () => {
      const caller = await shared.service.caller('business');
      const body = { ids: ['pokemon-bs-charizard-004'] };
      const { warnings } = bodyOf<Warned>(await caller.post('/v1/cards/batch?full=1', body));
      assert.equal(warnings?.[0]?.parameter, 'full');
      errorOf(await caller.post('/v1/cards/batch?full=1&strict=true', body), 'INVALID_PARAMETER');
    });
  });

  it('that every endpoint has bring no warning', async () => {
    const { key } = await shared.service.caller('trader');
    const answer = await shared.service.get(`/v1/games?api_key=${key}&strict=true`);
    assert.equal(bodyOf<Warned>(answer).warnings, undefined);
    assert.match(problemOf(await ask('/v1/games?strict=yes'), 'strict'), /one of true, false/);
  });

  it('at a bound are accepted', async () => {
    for (const url of [
      '/v1/search?q=a&limit=100',
      '/v1/sets?limit=200',
      '/v1/search?q=a&limit=1',
    ]) {
      const { limit } = bodyOf<Page>(await ask(url));
      assert.equal(limit, Number(new URL(url, 'http://x').searchParams.get('limit')));
    }
  });

  it('have the defaults of the contract', async () => {
    const search = bodyOf<Page>(await ask('/v1/search?q=a'));
    assert.deepEqual([search.limit, search.offset], [20, 0]);
    const sets = bodyOf<Page>(await ask('/v1/sets'));
    assert.deepEqual([sets.limit, sets.offset], [50, 0]);
  });

  it('that are not whole numbers are refused', async () => {
    for (const limit of ['1e9', '1e1', '-1', '0', 'abc', '', '1.5', '0x10', '%20', '٣', 'NaN']) {
      problemOf(await ask(`/v1/search?q=a&limit=${limit}`), 'limit');
    }
  });

  it('that are repeated are refused', async () => {
    for (const [url, parameter] of [
      ['/v1/search?q=a&q=b', 'q'],
      ['/v1/search?q=a&limit=1&limit=1', 'limit'],
      ['/v1/sets?game=mtg&game=mtg', 'game'],
      [`${CHARIZARD}/history?period=7d&period=7d`, 'period'],
    ] as const) {
      assert.equal(problemOf(await ask(url), parameter), 'was sent more than once; send it once.');
    }
  });

  it('are all named when all are wrong', async () => {
    const answer = await ask('/v1/search?limit=x&offset=-1&sort=up&game=chess');
    const { details = [], message } = errorOf(answer, 'INVALID_PARAMETER');
    assert.deepEqual(
      details.map((detail) => detail.parameter),
      ['q', 'game', 'sort', 'limit', 'offset'],
    );
    assert.match(message, /^q: is required; .* game: "chess" is not allowed; /);
  });

  it('are ignored when they are unknown', async () => {
    bodyOf(await ask('/v1/games?x=1&x=2&__proto__=3&constructor=4'));
  });

  it('are compared without the spaces around them', async () => {
    const { limit } = bodyOf<Page>(await ask('/v1/search?q=%20a%20&limit=%2010%20&game=+mtg+'));
    assert.equal(limit, 10);
  });
});

describe('The search text', () => {
  const shared = shareService('SQLite');
  const search = async (q: string) => {
    const caller = await shared.service.caller('free');
    return caller.get(`/v1/search?q=${q}`);
  };

  it('is 1 to 200 characters long', async () => {
    for (const character of ['a', '%20a%20', encodeURIComponent('リ'), encodeURIComponent('😀')]) {
      bodyOf(await search(character));
    }
    for (const character of ['a', encodeURIComponent('リ'), encodeURIComponent('😀')]) {
      bodyOf(await search(character.repeat(200)));
      const message = problemOf(await search(character.repeat(201)), 'q');
      assert.match(message, /it must be 1 to 200 characters\.$/);
    }
  });

  it('is refused when it is missing, empty or only spaces', async () => {
    for (const q of ['', '%20', '%20%09%0a', '%E3%80%80', '+++']) {
      problemOf(await search(q), 'q');
    }
    const caller = await shared.service.caller('free');
    const message = problemOf(await caller.get('/v1/search'), 'q');
    assert.equal(message, 'is required; it must be 1 to 200 characters.');
  });

  it('may be any other text, and never fails', async () => {
    const loneSurrogate = '%ED%A0%80';
    const texts = ['%F0%9F%98%80', '%00', '%07%1b[0m', loneSurrogate, '%zz', '%', '%ff%fe', '...'];
    for (const q of [...texts, "'%22%3B--", '*', '%25', '\\', '(', '__proto__', 'constructor']) {
      const { total } = bodyOf<Page>(await search(q));
      assert.equal(total, 0, q);
    }
  });
});

describe('The id of a path', () => {
  const shared = shareService('SQLite');
  const ask = async (path: string) => {
    const caller = await shared.service.caller('trader');
    return caller.get(path);
  };

  it('is unknown with any other content, which messages show without control characters', async () => {
    for (const [id, told] of [
      ['a%2Fb', 'a/b'],
      ['a%00b', 'a\uFFFDb'],
      ['%1b[31mred', '\uFFFD[31mred'],
      ['%zz', '%zz'],
      ['100%', '100%'],
      ['%E0%A4%A', '%E0%A4%A'],
      ['..%2f..%2fetc%2fpasswd', '../../etc/passwd'],
      ['%E2%80%AEabc', '\uFFFDabc'],
      ['__proto__', '__proto__'],
      ['x'.repeat(10_000), `${'x'.repeat(60)}…`],
    ]) {
      for (const form of ['', '/history', '/prices']) {
        const { message } = errorOf(await ask(`/v1/cards/${id}${form}`), 'CARD_NOT_FOUND');
        assert.equal(message, `No card has the id "${told}".`);
      }
    }
  });

  it('is unknown when it is empty', async () => {
    errorOf(await ask('/v1/cards/'), 'CARD_NOT_FOUND');
  });

  it('does not lead out of /v1', async () => {
    for (const path of ['/v1/cards/..', '/v1/cards/../games/x', '/v1/cards/%2e%2e']) {
      errorOf(await ask(path), 'NOT_FOUND');
    }
  });
});

/** What only a real connection can do. */
describe('Over a socket', () => {
  const shared = shareService('SQLite');
  let port = 0;
  before(async () => {
    const url = await shared.service.app.listen({ host: '127.0.0.1', port: 0 });
    port = Number(new URL(url).port);
  });

  /** Sends bytes as they are, and reads the answer until the server hangs up. */
  const exchange = async (request: string): Promise<RawAnswer> => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    // A server that refuses need not read to the end.
    socket.on('error', () => {});
    socket.write(request);
    await once(socket, 'close');
    return parse(Buffer.concat(chunks).toString());
  };

  const get = (path: string, ...headers: string[]) => {
    const lines = [`GET ${path} HTTP/1.1`, 'host: x', 'connection: close', ...headers];
    return exchange(`${lines.join('\r\n')}\r\n\r\n`);
  };

  const assertError = (answer: RawAnswer, status: number, code: string) => {
    assert.equal(answer.status, status, answer.body);
    const { error } = JSON.parse(answer.body);
    assert.equal(error.code, code);
    assert.equal(error.status, status);
    assert.equal(answer.headers.get('x-ratelimit-limit'), '0');
    assert.equal(answer.headers.get('x-ratelimit-remaining'), '0');
    assert.match(answer.headers.get('x-ratelimit-reset') ?? '', /^\d{10}$/);
    assert.match(answer.headers.get('x-request-id') ?? '', /^[\da-f-]{36}$/);
    assert.equal(answer.headers.get('cache-control'), 'private, no-cache');
    assert.equal(answer.headers.get('vary'), VARY);
    return error.message;
  };

  it('a key of 1 MB is a 431, in the header and in the query', async () => {
    const key = 'x'.repeat(1_000_000);
    assertError(await get('/v1/games', `x-api-key: ${key}`), 431, 'HEADERS_TOO_LARGE');
    assertError(await get(`/v1/games?api_key=${key}`), 431, 'HEADERS_TOO_LARGE');
    assertError(await get(`/v1/cards/${key}`), 431, 'HEADERS_TOO_LARGE');
  });

  it('answers 400 to bytes that are not HTTP', async () => {
    for (const text of ['hello\r\n\r\n', 'GET /v1/games HTTP/9\r\n\r\n', '\0\0\0\0']) {
      assertError(await exchange(text), 400, 'MALFORMED_REQUEST');
    }
    const smuggled = 'POST /v1/cards/batch HTTP/1.1\r\nhost: x\r\n';
    const lengths = 'content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n';
    assertError(await exchange(smuggled + lengths), 400, 'MALFORMED_REQUEST');
  });

  it('a method of bodies without a media type is a 415', async () => {
    const { cookie } = await shared.service.signedInBrowser();
    const lines = ['QUERY /dashboard/keys HTTP/1.1', 'host: x', 'connection: close'];
    const answer = await exchange(`${lines.join('\r\n')}\r\ncookie: ${cookie}\r\n\r\n`);
    assert.equal(answer.status, 415, answer.body);
  });

  it('a path of 10 kB is answered as any other', async () => {
    const { key } = await shared.service.caller('free');
    const answer = await get(`/v1/cards/${'x'.repeat(10_000)}`, `x-api-key: ${key}`);
    assert.equal(answer.status, 404);
    assert.equal(JSON.parse(answer.body).error.code, 'CARD_NOT_FOUND');
  });

  it('a header that is sent twice holds no key, and one with spaces around it does', async () => {
    const { key } = await shared.service.caller('free');
    const twice = await get('/v1/games', `x-api-key: ${key}`, `X-API-Key: ${key}`);
    assertError(twice, 401, 'INVALID_API_KEY');
    assertError(await get('/v1/games', 'x-api-key: a b c'), 401, 'INVALID_API_KEY');
    assert.equal((await get('/v1/games', `x-api-key:   ${key}\t `)).status, 200);
  });

  it('a body of 1 MB is a 413 and charged, with a length or in chunks', async () => {
    const caller = await shared.service.caller('trader');
    const body = `{"ids":["${'x'.repeat(1_000_000)}"]}`;
    const headers = { 'x-api-key': caller.key, 'content-type': 'application/json' };
    const url = `http://127.0.0.1:${port}/v1/cards/batch`;
    const answer = await fetch(url, { method: 'POST', headers, body });
    assert.equal(answer.status, 413);
    assert.equal(answer.headers.get('x-ratelimit-remaining'), '9999');
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const head = ['POST /v1/cards/batch HTTP/1.1', 'host: x', ...lines];
    const size = body.length.toString(16);
    const chunks = `transfer-encoding: chunked\r\n\r\n${size}\r\n${body}\r\n0\r\n\r\n`;
    const chunked = await exchange(`${head.join('\r\n')}\r\n${chunks}`);
    assert.equal(chunked.status, 413);
    assert.equal(chunked.headers.get('x-ratelimit-remaining'), '9998');
  });

  it('a 304 has no body and keeps the connection', async () => {
    const { key } = await shared.service.caller('free');
    const etag = await shared.service.etagOf('/v1/games');
    const headers = { 'x-api-key': key, 'if-none-match': etag };
    for (let count = 0; count < 3; count += 1) {
      const answer = await fetch(`http://127.0.0.1:${port}/v1/games`, { headers });
      assert.equal(answer.status, 304);
      assert.equal(await answer.text(), '');
      assert.equal(answer.headers.get('x-ratelimit-remaining'), '200');
    }
  });
});

function parse(text: string): RawAnswer {
  const [head = '', ...body] = text.split('\r\n\r\n');
  const [line = '', ...fields] = head.split('\r\n');
  const headers = fields.map((field): [string, string] => {
    const [name = '', ...value] = field.split(': ');
    return [name.toLowerCase(), value.join(': ')];
  });
  return {
    status: Number(line.split(' ')[1]),
    headers: new Map(headers),
    body: body.join('\r\n\r\n'),
  };
}
