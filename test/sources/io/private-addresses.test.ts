import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { isPublicAddress } from '../../../src/lib/public-addresses.ts';
import { originsNamed, WebClient } from '../../../src/sources/io/web.ts';
import { resolveTo } from '../../support/dns.ts';
import { file, redirect, Upstream } from '../../support/upstream.ts';

/** Reads an address with a client whose operator has named these places. */
async function readWith(named: readonly string[], url: string): Promise<string> {
  const client = new WebClient({
    userAgent: 'test',
    pauseMs: 0,
    sleep: async () => {},
    trustedOrigins: named.flatMap((place) => originsNamed(place)),
  });
  after(() => client.close());
  const readAll = async (body: AsyncIterable<Uint8Array>) => {
    return Buffer.concat(await Array.fromAsync(body)).toString();
  };
  const answer = await client.get({ url: new URL(url), maxBytes: 100 }, readAll);
  return answer.kind === 'found' ? answer.result : answer.kind;
}

const REFUSED = /is not a public internet address, and you have not named it\.$/;

describe('an address that nobody has named', () => {
  it('is not requested if it belongs to this machine, in any notation', async () => {
    const inside = (await Upstream.open()).on('/x', file('secret'));
    const { port } = new URL(inside.url);
    for (const host of ['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '0', '[::ffff:7f00:1]']) {
      await assert.rejects(readWith([], `http://${host}:${port}/x`), {
        message: REFUSED,
      });
    }
    assert.deepEqual(inside.asked, []);
  });

  it('is not requested through a redirect of a named server', async () => {
    const inside = (await Upstream.open()).on('/x', file('secret'));
    const { port } = new URL(inside.url);
    for (const target of [`${inside.url}/x`, `http://localhost:${port}/x`]) {
      const mirror = (await Upstream.open()).on('/x', redirect(target));
      await assert.rejects(readWith([mirror.url], `${mirror.url}/x`), { message: REFUSED });
    }
    await assert.rejects(readWith([], 'http://169.254.169.254/latest/meta-data'), {
      message: REFUSED,
    });
    assert.deepEqual(inside.asked, []);
  });

  it('is not requested if one of the addresses of its name is private', async () => {
    const inside = (await Upstream.open()).on('/x', file('secret'));
    const { port } = new URL(inside.url);
    resolveTo('mixed.example', [['203.0.114.7', '127.0.0.1']]);
    await assert.rejects(readWith([], `http://mixed.example:${port}/x`), {
      message: /mixed\.example \(127\.0\.0\.1\) is not a public internet address/,
    });
    assert.deepEqual(inside.asked, []);
  });

  it('is looked up once for all that ask at the same time', async () => {
    const lookups = resolveTo('slow.example', [['127.0.0.1']], 20);
    const asking = Array.from({ length: 8 }, () => readWith([], 'http://slow.example:1/x'));
    for (const outcome of await Promise.allSettled(asking)) {
      assert.match(String(outcome.status === 'rejected' && outcome.reason), REFUSED);
    }
    assert.equal(lookups(), 1);
    await assert.rejects(readWith([], 'http://slow.example:1/x'), { message: REFUSED });
    assert.equal(lookups(), 2);
  });

  it('is looked up once a connection, so that its name cannot change after the check', async () => {
    const lookups = resolveTo('rebind.example', [['127.0.0.1']]);
    await assert.rejects(readWith([], 'http://rebind.example:1/x'), { message: REFUSED });
    assert.equal(lookups(), 1);
  });
});

describe('an address that the operator has named', () => {
  it('is asked wherever it is, by its address and by its name', async () => {
    const mirror = (await Upstream.open()).on('/x', file('hello'));
    const { port } = new URL(mirror.url);
    assert.equal(await readWith([mirror.url], `${mirror.url}/x`), 'hello');
    const name = `http://localhost:${port}`;
    assert.equal(await readWith([`${name}/some/path?key=1`], `${name}/x`), 'hello');
  });

  it('does not make another port of the same machine trusted', async () => {
    const mirror = await Upstream.open();
    const other = (await Upstream.open()).on('/x', file('secret'));
    await assert.rejects(readWith([mirror.url], `${other.url}/x`), { message: REFUSED });
    assert.deepEqual(other.asked, []);
  });
});

it('distinguishes public addresses from all others', () => {
  for (const address of ['1.1.1.1', '172.32.0.1', '2606:4700::1111', '64:ff9b::101:101']) {
    assert.ok(isPublicAddress(address), address);
  }
  for (const address of [
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.8.9.1',
    '169.254.169.254',
    '172.31.255.255',
    '192.168.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::ffff:10.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::a00:1',
    '2002:7f00:1::',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
    '2130706433',
    'localhost',
    '',
  ]) {
    assert.ok(!isPublicAddress(address), address);
  }
});
