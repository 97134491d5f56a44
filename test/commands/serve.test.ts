import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { countCardViews } from '../../src/accounts/quota/card-views-sql.ts';
import type { Day } from '../../src/domain/day.ts';
import { openStore } from '../../src/store/connect.ts';
import { importFixtures } from '../support/app.ts';
import { eventually, Program, run, unknownNamed } from '../support/cli.ts';
import { forEachEngine } from '../support/engines.ts';
import { createKey, freshDatabase } from '../support/prepared.ts';
import { RawSocket } from '../support/raw-socket.ts';
import { FIXTURE } from '../support/tcgcsv.ts';

const CARD = 'pokemon-bs-charizard-004';

/** The lines of the log that are about requests. */
function requestsOf(program: Program) {
  return program.log.filter(({ msg }) => msg === 'request');
}

/** Serves on a free port, and logs every request. */
function serve(database: string, ...flags: readonly string[]): Program {
  const env = { CARDPRICE_LOG_LEVEL: 'debug' };
  return new Program(['--database', database, 'serve', '--port', '0', ...flags], { env });
}

async function statusOf(url: string): Promise<number> {
  return (await fetch(url)).status;
}

/** Whether the program no longer accepts connections. */
async function refuses(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  try {
    await once(socket, 'connect');
    return false;
  } catch {
    return true;
  } finally {
    socket.destroy();
  }
}

/** A request in progress: its head is sent, its body is not. */
async function beginBatch(url: string, key: string) {
  const body = JSON.stringify({ ids: [CARD] });
  const headers = { 'x-api-key': key, 'content-type': 'application/json', expect: '100-continue' };
  const open = request(`${url}/v1/cards/batch`, {
    method: 'POST',
    agent: new Agent({ keepAlive: true }),
    headers: { ...headers, 'content-length': body.length },
  });
  open.flushHeaders();
  await once(open, 'continue');
  return {
    /** When its connection, which it would keep alive, is closed. */
    closed: new Promise((resolve) => open.socket?.once('close', resolve)),
    async finish() {
      open.end(body);
      const [response] = await once(open, 'response');
      return { status: response.statusCode, body: await text(response) };
    },
  };
}

forEachEngine((label) => {
  it('is healthy before there is a catalogue, and ready soon after one is imported', async () => {
    const database = await freshDatabase(label);
    const program = serve(database, '--create');
    const url = await program.listening();
    assert.equal(await statusOf(`${url}/healthz`), 200);
    assert.equal(await statusOf(`${url}/readyz`), 503);

    const { code } = await run(['--database', database, 'import', 'tcgcsv', FIXTURE]);
    const imported = performance.now();
    assert.equal(code, 0);
    await eventually(async () => (await statusOf(`${url}/readyz`)) === 200);
    assert.ok(performance.now() - imported < 10_000);
    assert.equal((await program.send('SIGTERM').ended()).code, 0);
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`stops accepting connections after ${signal}, and answers the requests in progress`, async () => {
      const database = await freshDatabase(label);
      await importFixtures(database);
      const key = await createKey(database);
      const program = serve(database);
      const url = await program.listening();
      const batch = await beginBatch(url, key);
      program.send(signal);
      await eventually(() => refuses(url));

      const { status, body } = await batch.finish();
      assert.equal(status, 200);
      assert.equal(JSON.parse(body).data[0].id, CARD);
      const { code, err } = await program.ended();
      assert.deepEqual({ code, err }, { code: 0, err: '' });
    });
  }

  it('has written at its stop how often cards were requested', async () => {
    const database = await freshDatabase(label);
    await importFixtures(database);
    const headers = { 'x-api-key': await createKey(database) };
    const env = { CARDPRICE_PUBLIC: 'on' };
    const program = new Program(['--database', database, 'serve', '--port', '0'], { env });
    const url = await program.listening();
    const paths = [`/v1/cards/${CARD}`, `/dashboard/v1/cards/${CARD}`, '/v1/cards/mtg-nothing'];
    for (const path of [...paths, ...paths]) await fetch(`${url}${path}`, { headers });
    assert.equal((await program.send('SIGTERM').ended()).code, 0);
    const store = await openStore(database);
    const views = await countCardViews(store.accounts.db, 0 as Day);
    await store.close();
    assert.deepEqual([...views], [[CARD, 4]]);
  });

  it('reports on /readyz that it stops, and still answers for the configured time', async () => {
    const database = await freshDatabase(label);
    await importFixtures(database);
    const env = { CARDPRICE_DRAIN_SECONDS: '4' };
    const program = new Program(['--database', database, 'serve', '--port', '0'], { env });
    const url = await program.listening();
    assert.equal(await statusOf(`${url}/readyz`), 200);
    program.send('SIGTERM');
    await eventually(async () => (await statusOf(`${url}/readyz`)) === 503);
    const ready = await (await fetch(`${url}/readyz`)).json();
    assert.equal((ready as { status: string }).status, 'stopping');
    assert.equal(await statusOf(`${url}/healthz`), 200);
    await eventually(() => refuses(url));
    assert.equal((await program.ended()).code, 0);
  });

  it('adds up the metrics of its workers, and replaces a worker that dies', async () => {
    const database = await freshDatabase(label);
    await importFixtures(database);
    const program = serve(database, '--workers', '2');
    const url = await program.listening(2);
    for (let count = 0; count < 4; count += 1) {
      await fetch(`${url}/healthz`, { headers: { connection: 'close' } });
    }
    const metrics = await (await fetch(`${url}/metrics`)).text();
    assert.match(metrics, /^cardprice_http_requests_total\{route="\/healthz",status="200"\} 4$/m);
    assert.match(metrics, /^cardprice_cards\{game="pokemon"\} \d\d$/m);
    await eventually(() => new Set(requestsOf(program).map(({ pid }) => pid)).size === 2);

    const [first] = program.listeners;
    process.kill(Number(first?.pid), 'SIGKILL');
    await program.listening(3);
    assert.equal(await statusOf(`${url}/readyz`), 200);
    assert.deepEqual(new Set(program.listeners.map((listener) => listener.url)), new Set([url]));
    await eventually(() => program.log.some(({ msg }) => msg === 'a worker died'));
    const death = program.log.find(({ msg }) => msg === 'a worker died');
    assert.deepEqual([death?.worker, death?.signal], [first?.pid, 'SIGKILL']);
    assert.equal((await program.send('SIGINT').ended()).code, 0);
    for (const { pid } of program.listeners) assert.ok(!isRunning(pid), `${pid} still runs`);
  });
});

describe('a service that gets a stop signal', () => {
  it('closes connections that are kept alive, while it answers the requests in progress', async () => {
    const database = await freshDatabase('SQLite');
    await importFixtures(database);
    const key = await createKey(database);
    const env = { CARDPRICE_DRAIN_SECONDS: '1' };
    const program = new Program(['--database', database, 'serve', '--port', '0'], { env });
    const url = await program.listening();
    const idle = await RawSocket.open(Number(new URL(url).port));
    idle.send('GET /healthz HTTP/1.1\r\nHost: shop.example\r\n\r\n');
    const [first, second] = [await beginBatch(url, key), await beginBatch(url, key)];
    program.send('SIGTERM');

    assert.match(await idle.answer(), /^HTTP\/1\.1 200 /);
    // It runs on, so that it was not its end that closed the connection.
    assert.equal((await first.finish()).status, 200);
    await first.closed;
    assert.equal((await second.finish()).status, 200);
    assert.equal((await program.ended()).code, 0);
  });
});

describe('the log', () => {
  for (const workers of ['1', '2']) {
    it(`warns once of variables that are not settings, with ${workers} workers`, async () => {
      const env = { CARDPRICE_PROT: '9000', CARDPRICE_WORKERS: workers };
      const database = await freshDatabase('SQLite');
      const args = ['--database', database, 'serve', '--create', '--port', '0'];
      const program = new Program(args, { env });
      await program.listening(Number(workers));
      assert.deepEqual(unknownNamed(program), ['CARDPRICE_PROT']);
      assert.equal((await program.send('SIGTERM').ended()).code, 0);
    });
  }

  it('has one JSON object in each line, and never contains an API key', async () => {
    const database = await freshDatabase('SQLite');
    await importFixtures(database);
    const key = await createKey(database);
    const program = serve(database);
    const url = await program.listening();
    const headers = { 'x-api-key': key };
    await fetch(`${url}/v1/games`, { headers });
    await fetch(`${url}/v1/games?api_key=${key}`);
    await fetch(`${url}/v1/search?limit=x&api_key=${key}`, { headers });
    await fetch(`${url}/v1/nothing?api_key=${key}`);
    await fetch(`${url}/v1/cards/${key}?api_key=%`, { headers: { authorization: key } });
    const { code, out } = await program.send('SIGTERM').ended();
    assert.equal(code, 0);

    const lines = out.trimEnd().split('\n');
    assert.equal(lines.length, program.log.length, out);
    const statuses = requestsOf(program).map(({ status }) => status);
    assert.deepEqual(statuses, [200, 200, 400, 404, 401]);
    assert.doesNotMatch(out, /cp_live_\w/);
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
