import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import pino from 'pino';
import { waits } from '../../src/lib/waits.ts';
import { shareService } from '../support/app.ts';
import { requests } from '../support/log-lines.ts';

const { debug, info, warn } = pino.levels.values;
const SLOW_MS = 1000;

describe('A slow request', () => {
  const shared = shareService('SQLite');

  it('is a warning with its route, and with what the process waited for', async () => {
    const history = async () => {
      const from = performance.now();
      await wait(SLOW_MS + 50);
      waits.record('lock', from, from + 700);
      return [];
    };
    const service = await shared.service.another(shared.location, { history });
    const caller = (await shared.service.caller('trader')).at(service);
    const answer = await caller.get('/v1/cards/pokemon-bs-charizard-004/history?printing=Holofoil');
    const [line] = requests(service.log);
    assert.equal(answer.statusCode, 200);
    assert.equal(line?.msg, 'slow request');
    assert.equal(line.level, warn);
    assert.equal(line.route, '/v1/cards/:id/history');
    assert.equal(line.path, '/v1/cards/pokemon-bs-charizard-004/history');
    assert.equal(line.status, 200);
    assert.ok(Number(line.ms) >= SLOW_MS);
    assert.equal(line.reqId, answer.headers['x-request-id']);
    assert.ok(line.account);
    assert.equal((line.waited as { lock: number }).lock, 700);
    assert.ok(!JSON.stringify(line).includes(caller.key));
    await service.close();
  });
});

describe('Requests in the log', () => {
  const shared = shareService('SQLite');

  it('are every fourth of the good ones at info when that is set', async () => {
    const service = await shared.service.another(shared.location, { logSample: 4 });
    const caller = (await shared.service.caller('free')).at(service);
    for (let count = 0; count < 8; count += 1) await caller.get('/v1/games');
    const levels = requests(service.log).map(({ level }) => level);
    assert.deepEqual(levels, [debug, debug, debug, info, debug, debug, debug, info]);
    await service.close();
  });

  it('are a bounded number of refused ones, and the rest is counted', async () => {
    const service = await shared.service.another(shared.location);
    for (let count = 0; count < 150; count += 1) await service.get('/v1/games');
    await service.close();
    const levels = requests(service.log).map(({ level }) => level);
    const logged = levels.filter((level) => level === info).length;
    assert.ok(logged >= 100 && logged < 150, `${logged} lines`);
    const [summary] = service.log
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg === 'lines were left out of the log');
    assert.equal(summary.level, warn);
    assert.equal(summary.lines, 150 - logged);
  });
});

describe('The request id', () => {
  const shared = shareService('SQLite');
  const SENT = '4bf92f3577b34da6a3ce929d0e0e4736';

  it('from a trusted proxy is used in the answer and in every line', async () => {
    const service = await shared.service.another(shared.location, { trustProxy: ['127.0.0.1'] });
    const answer = await service.get('/v1/games', { 'x-request-id': SENT });
    assert.equal(answer.headers['x-request-id'], SENT);
    const pages = await service.get('/dashboard/session', { 'x-request-id': SENT });
    assert.equal(pages.headers['x-request-id'], SENT);
    assert.deepEqual(
      requests(service.log).map(({ reqId }) => reqId),
      [SENT, SENT],
    );
    await service.close();
  });

  const UNSAFE = ['short', 'x'.repeat(65), 'with space in it', 'line\u0085break', '<script>alert'];
  for (const sent of UNSAFE) {
    it(`of a proxy is made here when it is ${JSON.stringify(sent)}`, async () => {
      const service = await shared.service.another(shared.location, { trustProxy: ['127.0.0.1'] });
      const answer = await service.get('/v1/games', { 'x-request-id': sent });
      assert.match(String(answer.headers['x-request-id']), /^[\da-f-]{36}$/);
      await service.close();
    });
  }

  it('is generated here for anybody else', async () => {
    const answer = await shared.service.get('/v1/games', { 'x-request-id': SENT });
    assert.notEqual(answer.headers['x-request-id'], SENT);
  });
});
