import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { openFolder, openWeb, type Tree } from '../../../src/sources/io/tree.ts';
import { temporaryFolder } from '../../support/cli.ts';
import { forEachEngine } from '../../support/engines.ts';
import { FIXTURE, importTree } from '../../support/tcgcsv.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Starts a server in the place of the upstream; it is closed when the test ends. */
async function upstream(answer: Answer): Promise<{ url: string; asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

function openTree(url: string): Tree {
  const tree = openWeb(url, {
    userAgent: 'cardprice/1.2.3 (test)',
    pauseMs: 0,
    initialBackoffMs: 5,
  });
  after(() => tree.close());
  return tree;
}

/** Sends one response after the other, and repeats the last one. */
function inTurn(...answers: readonly Answer[]): Answer {
  let turn = 0;
  return (request, response) => {
    answers[Math.min(turn, answers.length - 1)]?.(request, response);
    turn += 1;
  };
}

const found: Answer = (_request, response) => response.end('hello');

function status(code: number, headers: Record<string, string> = {}): Answer {
  return (_request, response) => response.writeHead(code, headers).end();
}

/** Serves the fixture as TCGCSV does, with an ETag for each file. */
const serveFixture: Answer = async (request, response) => {
  const etag = '"v1"';
  if (request.headers['if-none-match'] === etag) return response.writeHead(304).end();
  const bytes = await readFile(join(FIXTURE, request.url ?? ''));
  return response.writeHead(200, { etag }).end(bytes);
};

describe('a web source', () => {
  test('gets our User-Agent', async () => {
    const { url, asked } = await upstream(found);
    await openTree(url).read('x');
    assert.equal(asked[0]?.headers['user-agent'], 'cardprice/1.2.3 (test)');
  });

  test('is asked again after a server error and after 429', async () => {
    const { url, asked } = await upstream(
      inTurn(status(500), status(429, { 'retry-after': '0' }), status(503), found),
    );
    const file = await openTree(url).read('x');
    assert.equal(file.kind === 'found' && Buffer.from(file.bytes).toString(), 'hello');
    assert.equal(asked.length, 4);
  });

  test('is asked again when the connection breaks off', async () => {
    const cut: Answer = (_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half');
      setTimeout(() => response.destroy(), 5);
    };
    const { url } = await upstream(
      inTurn(cut, (_request, response) => response.socket?.destroy(), found),
    );
    const tree = openTree(url);
    const first = await tree.read('x').catch((error: Error) => error);
    if (first instanceof Error) assert.match(first.message, /broke off|cannot be reached/);
    else assert.equal(first.kind, 'found');
    const file = await tree.read('x');
    assert.equal(file.kind === 'found' && Buffer.from(file.bytes).toString(), 'hello');
  });

  test('is asked once for a file that it does not have', async () => {
    const { url, asked } = await upstream(status(404));
    assert.deepEqual(await openTree(url).read('x'), { kind: 'missing' });
    assert.equal(asked.length, 1);
  });

  test('is named with its status when it refuses', async () => {
    const { url } = await upstream(status(403));
    await assert.rejects(openTree(url).read('x'), {
      name: 'OperatorError',
      message: /\/x answered 403 \(the source refuses us\)/,
    });
  });

  test('is named when it cannot be reached', async () => {
    const tree = openTree('http://127.0.0.1:1');
    await assert.rejects(tree.read('x'), { name: 'OperatorError', message: /cannot be reached/ });
  });

  test('gets a pause between two requests', async () => {
    const { url } = await upstream(found);
    const tree = openWeb(url, { userAgent: 'test', pauseMs: 60 });
    after(() => tree.close());
    const started = performance.now();
    await tree.read('a');
    await tree.read('b');
    assert.ok(performance.now() - started >= 59);
  });
});

test('a folder has its files, and reports missing ones', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'found'), 'hello');
  mkdirSync(join(folder, 'inner'));
  const tree = await openFolder(folder);
  const found = await tree.read('found');
  assert.equal(found.kind === 'found' && Buffer.from(found.bytes).toString(), 'hello');
  for (const path of ['nowhere', 'found/nowhere']) {
    assert.deepEqual(await tree.read(path), { kind: 'missing' }, path);
  }
  await assert.rejects(tree.read('inner'), { name: 'OperatorError', message: /cannot be read/ });
});

forEachEngine((_label, open) => {
  test('a TCGCSV address is read in the order it asks for, and the next time with conditional requests', async () => {
    const store = await open();
    const { url, asked } = await upstream(serveFixture);
    const first = await importTree(store, openTree(url));
    assert.deepEqual(first.broken, []);
    assert.equal(asked[0]?.url, '/last-updated.txt');
    assert.equal(asked[1]?.url, '/tcgplayer/3/groups');
    const requests = asked.length;
    const second = await importTree(store, openTree(url));
    assert.equal(second.setsUnchanged, first.sets);
    assert.equal(asked.length, 2 * requests);
    const conditional = asked.slice(requests).filter((request) => request.headers['if-none-match']);
    assert.equal(conditional.length, 2 * first.sets);
  });

  test('a later pull of unchanged files still adds the day', async () => {
    const store = await open();
    let updated = '2026-01-28T20:05:12+0000';
    const { url } = await upstream((request, response) => {
      if (request.url === '/last-updated.txt') response.end(updated);
      else serveFixture(request, response);
    });
    const first = await importTree(store, openTree(url));
    updated = '2026-01-29T20:05:12+0000';
    const second = await importTree(store, openTree(url));
    assert.equal(second.historyAdded, first.historyAdded);
    assert.equal(second.pricesChanged, 0);
    assert.equal(second.cardsChanged + second.cardsAdded, 0);
  });
});
