import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { LightMyRequestResponse } from 'fastify';
import { type Service, shareService } from '../support/app.ts';
import { errorOf } from './expect.ts';

const FRONT = '10.0.0.1';
const EDGE = '192.0.2.80';
const CALLER = '203.0.113.7';

function assertServed({ statusCode }: LightMyRequestResponse): void {
  assert.equal(statusCode, 200);
}

describe('A proxy', () => {
  const shared = shareService('SQLite');

  let service: Service;
  before(async () => {
    const trustProxy = [FRONT, '192.0.2.0/24'];
    service = await shared.service.another(shared.location, { trustProxy });
  });
  after(() => service.close());

  /** Returns whether a key that works only from `CALLER` works from `peer` with a header. */
  async function comesFromCaller(peer: string, forwarded: string) {
    const { email } = await service.caller('trader');
    const { key } = await service.keys.create(email, { addresses: [CALLER] });
    const answer = await service.app.inject({
      url: '/v1/games',
      remoteAddress: peer,
      headers: { 'x-api-key': key, 'x-forwarded-for': forwarded },
    });
    if (answer.statusCode !== 200) errorOf(answer, 'KEY_RESTRICTION');
    return answer.statusCode === 200;
  }

  const CHAINS: readonly [peer: string, forwarded: string, isCaller: boolean, why: string][] = [
    [FRONT, CALLER, true, 'names its caller'],
    [`::ffff:${FRONT}`, CALLER, true, 'is known by its IPv6 form too'],
    [FRONT, `${CALLER}, ${EDGE}`, true, 'names a trusted proxy before it, and that one its caller'],
    [FRONT, `198.51.100.1, ${CALLER}`, true, 'is believed rather than its caller'],
    [FRONT, `${CALLER}, 198.51.100.1`, false, 'whose caller claims to be a proxy is not deceived'],
    ['10.0.0.2', CALLER, false, 'outside the networks is not believed'],
    [CALLER, '198.51.100.1', true, 'is not what a caller with the header is'],
  ];
  for (const [peer, forwarded, isCaller, why] of CHAINS) {
    it(why, async () => {
      assert.equal(await comesFromCaller(peer, forwarded), isCaller);
    });
  }

  for (const forwarded of [
    'unknown',
    '_hidden',
    `${CALLER}:4711`,
    '[2001:db8::7]:80',
    '1.2.3',
    'x'.repeat(9000),
  ]) {
    it(`that names its caller ${forwarded.slice(0, 20)} is refused`, async () => {
      const refused = await service.app.inject({
        url: '/v1/games',
        remoteAddress: FRONT,
        headers: { 'x-forwarded-for': forwarded },
      });
      const { message } = errorOf(refused, 'MALFORMED_REQUEST');
      assert.match(message, /^The X-Forwarded-For header has ".{1,200}" where/);
    });
  }

  it('that is not trusted decides on neither the protocol nor the request id', async () => {
    const headers = {
      'x-forwarded-proto': 'https',
      'x-request-id': '4bf92f3577b34da6a3ce929d0e0e4736',
    };
    const ask = (url: string, remoteAddress: string) =>
      service.app.inject({ url, remoteAddress, headers });
    for (const [peer, isBelieved] of [
      [FRONT, true],
      ['10.0.0.2', false],
    ] as const) {
      const { headers: sent } = await ask('/v1/games', peer);
      assert.equal(sent['x-request-id'] === headers['x-request-id'], isBelieved);
      assert.equal((await ask('/docs', peer)).body.includes('https://localhost'), isBelieved);
    }
  });

  it('nearby that is not trusted is in the log, once a minute', async () => {
    const fresh = await shared.service.another(shared.location, { trustProxy: [FRONT] });
    const ask = (remoteAddress: string) =>
      fresh.app.inject({
        url: '/docs',
        remoteAddress,
        headers: { 'x-forwarded-for': CALLER },
      });
    assertServed(await ask(FRONT));
    assertServed(await ask('8.8.8.8'));
    const warnings = () => fresh.log.filter((line) => line.includes('CARDPRICE_TRUST_PROXY'));
    assert.deepEqual(warnings(), []);
    assertServed(await ask('10.0.0.2'));
    assertServed(await ask('10.0.0.2'));
    assert.equal(warnings().length, 1);
    assert.match(warnings()[0] ?? '', /Requests from 10\.0\.0\.2 have an X-Forwarded-For header/);
    await fresh.close();
  });
});
