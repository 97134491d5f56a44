import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { isLoopback, networkMatcher, parseNetwork } from '../../src/lib/networks.ts';

it('writes networks in one form', () => {
  for (const [written, canonical] of [
    ['203.0.113.7', '203.0.113.7/32'],
    ['203.0.113.7/24', '203.0.113.0/24'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8:0:0::7', '2001:db8::7/128'],
    ['2001:db8:1:2:3::/48', '2001:db8:1::/48'],
    ['::ffff:203.0.113.7', '203.0.113.7/32'],
    ['::ffff:203.0.113.0/120', '203.0.113.0/24'],
    ['::ffff:203.0.113.0/96', '0.0.0.0/0'],
    ['::ffff:203.0.113.0/95', '::fffe:0:0/95'],
  ] as const) {
    assert.equal(parseNetwork(written), canonical, written);
  }
});

it('refuses everything that is neither an address nor a network', () => {
  for (const text of [
    ...['', '10', '10.0.0', '010.0.0.1', '256.0.0.1', '10.0.0.0/33', '10.0.0.0/-1', '10.0.0.0/'],
    ...[
      '10.0.0.0/8/8',
      '10.0.0.0/ 8',
      'localhost',
      '*',
      '2001:db8::/129',
      'fe80::1%eth0',
      '1::2::3',
    ],
  ]) {
    assert.equal(parseNetwork(text), undefined, text);
  }
});

it('lets in the addresses of the networks alone, however they are written', () => {
  const allows = networkMatcher(['203.0.113.0/24', '2001:db8:1::/48', '198.51.100.7/32']);
  for (const inside of ['203.0.113.255', '::ffff:203.0.113.1', '2001:DB8:1::7', '198.51.100.7']) {
    assert.ok(allows(inside), inside);
  }
  for (const outside of [
    ...['203.0.114.0', '198.51.100.8', '2001:db8:2::7', '::1', '', 'unknown', '203.0.113.1, ::1'],
  ]) {
    assert.ok(!allows(outside), outside);
  }
});

it('lets in an IPv4 address exactly when its first bits are those of a network', () => {
  const number = fc.integer({ min: 0, max: 2 ** 32 - 1 });
  const text = (address: number) => [24, 16, 8, 0].map((by) => (address >>> by) & 255).join('.');
  const property = fc.property(number, number, fc.integer({ min: 1, max: 32 }), (a, b, bits) => {
    const network = parseNetwork(`${text(a)}/${bits}`) ?? '';
    assert.equal(parseNetwork(network), network);
    const isInside = a >>> (32 - bits) === b >>> (32 - bits);
    assert.equal(networkMatcher([network])(text(b)), isInside);
  });
  fc.assert(property, { numRuns: 300 });
});

it('knows this machine by its names and addresses', () => {
  for (const host of ['localhost', 'mail.localhost', '127.0.0.1', '127.9.9.9', '[::1]', '::1']) {
    assert.ok(isLoopback(host), host);
  }
  for (const host of [
    'mail.example',
    '0.0.0.0',
    '10.0.0.1',
    'localhost.example',
    '[fe80::1]',
    '',
  ]) {
    assert.ok(!isLoopback(host), host);
  }
});
