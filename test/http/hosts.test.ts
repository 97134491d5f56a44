import assert from 'node:assert/strict';
import { type AddressInfo, connect } from 'node:net';
import { hostname } from 'node:os';
import { text } from 'node:stream/consumers';
import { before, describe, it } from 'node:test';
import { Hosts, nameOf } from '../../src/http/guard.ts';
import { shareService } from '../support/app.ts';
import { assertCommonHeaders, bodyOf, errorOf } from './expect.ts';

const STRICT = {
  hosts: {
    publicUrl: 'https://Cards.example:8443'.toLowerCase(),
    hosts: ['cardprice'],
    listenHost: 'prices.lan',
  },
};

/** How a service of these settings is called. */
const KNOWN = [
  'localhost',
  'LOCALHOST:8080',
  'localhost.',
  'shop.localhost:1',
  '127.0.0.1:8080',
  '127.8.9.1',
  '[::1]:8080',
  '[::1]',
  '192.168.1.20:8080',
  '[2001:db8::1]:80',
  'cards.example:8443',
  'cards.example',
  'CARDS.EXAMPLE.',
  'cardprice:8080',
  'prices.lan',
  hostname(),
  `${hostname()}.local:8080`,
];

const UNKNOWN = [
  'evil.example',
  'cards.example.evil.example',
  'xcards.example',
  'localhost.evil.example',
  'notlocalhost',
  '127.0.0.1.evil.example',
  '127.1',
  '0x7f.1',
  '[::1',
  '[::1].evil.example',
  'cards.example:80:80',
  'cards.example@evil.example',
  '[evil.example]',
  'x"><script>',
  ':8080',
  '127.0.0.1:99999',
  '[1.2.3.4]',
  '%zz.localhost',
  'evil.example/x.localhost',
  'evil.example?.localhost',
  'evil.example@x.localhost',
];

describe('The host of a request', () => {
  const shared = shareService('SQLite', STRICT);

  it('is accepted from CARDPRICE_URL, CARDPRICE_HOSTS, addresses and names of the machine', async () => {
    const caller = await shared.service.caller();
    for (const host of KNOWN) bodyOf(await caller.get('/v1/games', { host }));
  });

  it('is logged once a minute if unknown, with the setting to change', async () => {
    const { service } = shared;
    const other = await service.another(shared.location, STRICT);
    for (const host of ['evil.example', 'cards.evil.example']) {
      await other.app.inject({ url: '/', headers: { host } });
    }
    const warnings = other.log.map((line) => JSON.parse(line)).filter(({ level }) => level === 40);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0].reason, /"evil\.example".*CARDPRICE_URL/);
  });

  it('otherwise is refused on every route, and the answer says what to set', async () => {
    const caller = await shared.service.caller();
    for (const host of UNKNOWN) {
      const { message } = errorOf(await caller.get('/v1/games', { host }), 'MISDIRECTED_REQUEST');
      assert.match(message, /CARDPRICE_URL.*CARDPRICE_HOSTS/);
    }
    const host = 'evil.example';
    assertCommonHeaders(await caller.get('/v1/games', { host }));
    const paths = ['/', '/docs', '/openapi.json', '/metrics', '/dashboard/session', '/nothing'];
    for (const path of paths) {
      errorOf(await shared.service.get(path, { host }), 'MISDIRECTED_REQUEST');
    }
    const posted = await shared.service.browser().post('/dashboard/sign-in', {}, { host });
    errorOf(posted, 'MISDIRECTED_REQUEST');
  });

  it('can be any for health checks', async () => {
    for (const path of ['/healthz', '/readyz']) {
      bodyOf(await shared.service.get(path, { host: 'balancer.example' }));
    }
  });

  it('can be any where CARDPRICE_HOSTS is *', async () => {
    const hosts = { ...STRICT.hosts, hosts: ['*'] };
    const service = await shared.service.another(shared.location, { hosts });
    const answer = await service.get('/healthz', { host: 'evil.example' });
    assert.equal(answer.statusCode, 200);
    assert.equal((await service.get('/docs', { host: 'evil.example' })).statusCode, 200);
    await service.close();
  });

  it('is never what X-Forwarded-Host says, whether or not the proxy is trusted', async () => {
    for (const trustProxy of [[], ['127.0.0.1']]) {
      const service = await shared.service.another(shared.location, { ...STRICT, trustProxy });
      const forwarded = { 'x-forwarded-host': 'cards.example' };
      const refused = await service.get('/docs', { host: 'evil.example', ...forwarded });
      errorOf(refused, 'MISDIRECTED_REQUEST');
      const forged = await service.app.inject({
        method: 'POST',
        url: '/dashboard/sign-out',
        headers: { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' },
      });
      errorOf(forged, 'FORBIDDEN');
      await service.close();
    }
  });
});

it('caches a bounded number of hosts', () => {
  const hosts = new Hosts(STRICT.hosts);
  for (let port = 0; port < 1000; port += 1) assert.ok(hosts.isKnown(`localhost:${port}`));
  assert.ok(!hosts.isKnown('evil.example'));
  assert.equal(nameOf(`${'x'.repeat(10_000)}:x`), '');
});

describe('A request as bytes', () => {
  const shared = shareService('SQLite', { hosts: { ...STRICT.hosts, publicUrl: '' } });

  /** Sends the head of a request; returns the status of the answer. */
  async function statusOf(...lines: string[]): Promise<number> {
    const { port } = shared.service.app.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    socket.end(`${lines.join('\r\n')}\r\nconnection: close\r\n\r\n`);
    return Number((await text(socket)).split(' ')[1]);
  }

  before(() => shared.service.app.listen({ host: '127.0.0.1', port: 0 }));

  it('may name no host in HTTP/1.0, on any page', async () => {
    for (const path of ['/', '/docs', '/healthz', '/sets']) {
      assert.equal(await statusOf(`GET ${path} HTTP/1.0`), 200, path);
    }
  });

  it('is refused with two hosts, equal or not', async () => {
    for (const other of ['localhost', 'evil.example']) {
      const lines = ['GET /healthz HTTP/1.1', 'host: localhost', `HOST: ${other}`];
      assert.equal(await statusOf(...lines), 400, other);
    }
  });

  it('may have a whole URL as target, whose host counts', async () => {
    assert.equal(await statusOf('GET http://localhost/docs HTTP/1.1', 'host: evil.example'), 200);
    assert.equal(await statusOf('GET http://localhost HTTP/1.1', 'host: localhost'), 200);
    assert.equal(await statusOf('GET http://evil.example/ HTTP/1.1', 'host: localhost'), 421);
    assert.equal(await statusOf('GET http://localhost/nothing HTTP/1.1', 'host: localhost'), 404);
    assert.ok(!shared.service.log.some((line) => line.includes('"stack"')));
  });
});
