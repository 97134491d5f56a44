import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shareService } from '../support/app.ts';
import type { Headers } from '../support/browser.ts';
import { errorOf } from './expect.ts';

const TOKEN = 'prometheus-reads-this';
const AWAY = '203.0.113.7';

describe('/metrics', () => {
  const shared = shareService('SQLite');

  const read = async (
    changes: Parameters<typeof shared.service.another>[1],
    remoteAddress: string,
    headers: Headers = {},
  ) => {
    const service = await shared.service.another(shared.location, changes);
    const answer = await service.app.inject({ url: '/metrics', remoteAddress, headers });
    await service.close();
    return answer;
  };

  it('is for programs on this machine', async () => {
    for (const address of ['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1']) {
      assert.equal((await read({}, address)).statusCode, 200, address);
    }
    for (const address of [AWAY, '10.0.0.1', '2001:db8::1', '::ffff:10.0.0.1']) {
      const { message } = errorOf(await read({}, address), 'FORBIDDEN');
      assert.match(message, /CARDPRICE_METRICS_TOKEN/);
    }
  });

  it('is not for callers of a proxy on this machine, trusted or not', async () => {
    for (const trustProxy of [[], ['127.0.0.1'], [AWAY]]) {
      for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'x-forwarded-host']) {
        const answer = await read({ trustProxy }, '127.0.0.1', { [name]: '127.0.0.1' });
        errorOf(answer, 'FORBIDDEN');
      }
      const forged = { 'x-forwarded-for': '127.0.0.1' };
      errorOf(await read({ trustProxy }, AWAY, forged), 'FORBIDDEN');
    }
  });

  it('is for who sends the token, from anywhere', async () => {
    const metricsAccess = { isPublic: false, token: TOKEN };
    const ask = (authorization: string) => read({ metricsAccess }, AWAY, { authorization });
    assert.equal((await ask(`Bearer ${TOKEN}`)).statusCode, 200);
    for (const wrong of [`Bearer ${TOKEN}x`, 'Bearer', 'Bearer ', TOKEN, `Basic ${TOKEN}`, '']) {
      errorOf(await ask(wrong), 'FORBIDDEN');
    }
    errorOf(await read({}, AWAY, { authorization: 'Bearer ' }), 'FORBIDDEN');
    errorOf(await read({}, AWAY, { authorization: 'Bearer undefined' }), 'FORBIDDEN');
  });

  it('is for everybody when the operator says so', async () => {
    const metricsAccess = { isPublic: true, token: '' };
    assert.equal((await read({ metricsAccess }, AWAY)).statusCode, 200);
  });
});
