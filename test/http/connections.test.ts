import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { CONNECTION_LIMITS } from '../../src/http/connections.ts';
import { type AppChanges, type Service, shareService } from '../support/app.ts';
import { RawSocket } from '../support/raw-socket.ts';

/** As the service has them, but for tests that are in a hurry. */
const HASTY = {
  ...CONNECTION_LIMITS,
  headersMs: 150,
  requestMs: 300,
  silenceMs: 600,
  checkMs: 20,
};

describe('A connection', () => {
  const shared = shareService('SQLite');
  const opened: { service: Service; sockets: RawSocket[] }[] = [];

  /** A service that listens with these limits, and what connects to it. */
  const listen = async (changes: AppChanges) => {
    const service = await shared.service.another(shared.location, changes);
    const port = Number(new URL(await service.app.listen({ host: '127.0.0.1', port: 0 })).port);
    const sockets: RawSocket[] = [];
    opened.push({ service, sockets });
    const connect = async () => {
      const socket = await RawSocket.open(port);
      sockets.push(socket);
      return socket;
    };
    return { service, connect };
  };
  let hasty: Awaited<ReturnType<typeof listen>>;
  before(async () => {
    hasty = await listen({ connections: HASTY });
  });
  after(async () => {
    for (const { service, sockets } of opened) {
      for (const socket of sockets) socket.close();
      await service.close();
    }
  });

  it('that is refused gets its answer, also if it still sends', async () => {
    const socket = await hasty.connect();
    socket.pause().send('GET / HTTP/1.1\r\nhost: x\r\n\r\nGET / NONSENSE\r\n\r\n');
    for (let times = 0; times < 5; times += 1) {
      await sleep(20);
      socket.send('x'.repeat(50_000));
    }
    const answer = await socket.resume().answer();
    assert.match(answer, /^HTTP\/1\.1 200 .*HTTP\/1\.1 400 Bad Request\r\n.*"MALFORMED_REQUEST"/s);
  });

  it('that is refused is closed even if it goes on sending', async () => {
    const socket = await hasty.connect();
    const ended = socket.send('GET / NONSENSE\r\n\r\n').answer();
    const started = performance.now();
    while (socket.isOpen && performance.now() - started < 5000) {
      socket.send('x');
      await sleep(20);
    }
    assert.match(await ended, /"MALFORMED_REQUEST"/);
    assert.ok(performance.now() - started < 3000);
  });

  const HEAD = 'POST /dashboard/sign-in HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';
  const GAMES = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n';

  const assertTimeout = async (socket: RawSocket) => {
    const answer = await socket.answer();
    assert.match(answer, /^HTTP\/1\.1 408 Request Timeout\r\n/);
    assert.match(answer, /x-content-type-options: nosniff\r\n/);
    assert.match(answer, /connection: close\r\n/);
    assert.equal(JSON.parse(answer.split('\r\n\r\n')[1] ?? '').error.code, 'REQUEST_TIMEOUT');
  };

  it('whose headers do not end is answered 408 and closed', async () => {
    const slow = await hasty.connect();
    const [, ...rest] = await Promise.all([
      slow.trickle(`GET / HTTP/1.1\r\nhost: x\r\n${'a: b\r\n'.repeat(100)}`, 10),
      assertTimeout(slow),
      assertTimeout((await hasty.connect()).send('GET / HTTP/1.1\r\nhost: x\r\n')),
    ]);
    assert.equal(rest.length, 2);
  });

  it('whose body does not end is answered 408 and closed, with a length or in chunks', async () => {
    const known = (await hasty.connect()).send(`${HEAD}content-length: 1000\r\n\r\n{`);
    const chunked = (await hasty.connect()).send(
      `${HEAD}transfer-encoding: chunked\r\n\r\n1\r\n{\r\n`,
    );
    await Promise.all([
      known.trickle(' '.repeat(500), 10),
      chunked.trickle('1\r\n \r\n'.repeat(100), 10),
      assertTimeout(known),
      assertTimeout(chunked),
    ]);
  });

  it('that sends nothing is closed', async () => {
    const silent = await hasty.connect();
    assert.match(await silent.answer(), /^(HTTP\/1\.1 408 |$)/);
  });

  it('that was refused early cannot keep sending its body', async () => {
    const { connect } = hasty;
    const socket = (await connect()).send(
      'POST /v1/cards/batch HTTP/1.1\r\nhost: x\r\ncontent-length: 60000\r\n\r\n',
    );
    await Promise.all([socket.trickle('x'.repeat(500), 10), socket.answer()]);
    assert.match(await socket.answer(), /^HTTP\/1\.1 401 /);
  });

  it('is not slowed by those that wait', async () => {
    const { connect, service } = await listen({});
    const waiting = await Promise.all(Array.from({ length: 200 }, connect));
    for (const socket of waiting) socket.send('GET / HTTP/1.1\r\n');
    const started = performance.now();
    const { port } = service.app.server.address() as { port: number };
    assert.equal((await fetch(`http://127.0.0.1:${port}/healthz`)).status, 200);
    assert.ok(performance.now() - started < 2000);
  });

  it('beyond those that an address may have is closed, until another one ends', async () => {
    const limits = { ...CONNECTION_LIMITS, perAddress: 3 };
    const { service, connect } = await listen({ connections: limits });
    const allowed = await Promise.all([connect(), connect(), connect()]);
    for (let count = 0; count < 5; count += 1) {
      assert.equal(await (await connect()).send(GAMES).answer(), '');
    }
    const warnings = service.log.filter((line) => line.includes('has too many connections'));
    assert.equal(warnings.length, 1);
    assert.ok(allowed.every(({ isOpen }) => isOpen));
    allowed[0]?.close();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const next = (await connect()).send(GAMES.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'));
    assert.match(await next.answer(), /^HTTP\/1\.1 200 /);
  });

  it('from a trusted proxy shares its address with all others', async () => {
    const limits = { ...CONNECTION_LIMITS, perAddress: 3 };
    const { connect } = await listen({ connections: limits, trustProxy: ['127.0.0.1'] });
    const sockets = await Promise.all(Array.from({ length: 10 }, connect));
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.ok(sockets.every(({ isOpen }) => isOpen));
  });

  it('beyond the limit of a process is closed', async () => {
    const { service, connect } = await listen({ connections: { ...CONNECTION_LIMITS, total: 3 } });
    await Promise.all([connect(), connect(), connect()]);
    assert.equal(await (await connect()).send(GAMES).answer(), '');
    const [warning = ''] = service.log.filter((line) => line.includes('too many connections'));
    assert.equal(JSON.parse(warning).limit, 3);
  });
});
