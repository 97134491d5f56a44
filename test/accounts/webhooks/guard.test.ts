import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { WebhookSender } from '../../../src/accounts/webhooks/sender.ts';
import { readWebhookUrl, webhookPlaces } from '../../../src/accounts/webhooks/webhook-url.ts';
import { PrivateAddress } from '../../../src/lib/public-addresses.ts';
import { resolveTo } from '../../support/dns.ts';
import { SECRET, Webhook } from '../../support/webhook.ts';

const INTERNET = webhookPlaces([]);

/** Addresses that are not on the public internet, as they are written in URLs. */
const PRIVATE: readonly string[] = [
  // This machine, in every notation of IPv4.
  ...['127.0.0.1', '127.1', '127.0.1', '127.255.255.254', '2130706433', '0x7f000001', '0x7f.1'],
  ...['017700000001', '0177.0.0.1', '0177.0.0.01', '0x7f.0x0.0x0.0x1', '127.0.0.1.', '127.0x0.1'],
  ...['0', '0.0.0.0', '0.1.2.3', '0x0', '00', '0.0', '000.0.0.0'],
  // Private networks.
  ...['10.0.0.0', '10.0.0.1', '10.255.255.255', '167772161', '0xa000001', '012.0.0.1', '10.1'],
  ...['172.16.0.0', '172.16.0.1', '172.20.1.1', '172.31.255.255', '2886729729', '0xac100001'],
  ...['192.168.0.0', '192.168.0.1', '192.168.1.1', '192.168.255.255', '3232235521', '192.168.1'],
  ...['0xc0a80001', '0300.0250.0.1', '192.0xa8.0.1', '0xc0.0xa8.0x0.0x1'],
  // Link-local, where clouds serve their metadata.
  ...['169.254.0.1', '169.254.169.254', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376'],
  ...['169.254.43518', '169.16689662', '0xa9.0xfe.0xa9.0xfe', '169.254.170.2', '169.254.255.255'],
  // Carriers, tests, documentation, multicast, reserved.
  ...['100.64.0.0', '100.64.0.1', '100.100.100.200', '100.127.255.255', '1681915905'],
  ...['192.0.0.0', '192.0.0.1', '192.0.0.170', '192.0.0.192', '192.0.2.0', '192.0.2.255'],
  ...['198.18.0.0', '198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '203.0.113.254'],
  ...['224.0.0.1', '224.0.0.251', '239.255.255.250', '240.0.0.1', '250.1.2.3', '255.255.255.255'],
  ...['4294967295', '0xffffffff', '4026531841'],
  // Digits, dots and letters that browsers turn into these.
  ...[
    '１２７.０.０.１',
    '127。0。0。1',
    '１６９.254.169.254',
    '①②⑦.0.0.1',
    '⑯⑨.254.169.254',
    '127｡0.0.1',
  ],
  ...['1⁰.0.0.1', '0ₓ7f.1', '１0.0.0.1', '192。168。0。1', '%31%32%37.0.0.1', '127.0.0.%31'],
  // IPv6: this machine, none, mapped and compatible.
  ...['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[0000::0001]', '[0:0::0:1]', '[::0]'],
  ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:7f00:0001]', '[::ffff:10.0.0.1]'],
  ...['[::ffff:169.254.169.254]', '[::ffff:a9fe:a9fe]', '[::ffff:192.168.0.1]', '[::ffff:0:0]'],
  ...['[::FFFF:172.16.0.1]', '[::ffff:100.64.0.1]', '[::127.0.0.1]', '[::7f00:1]', '[::10.0.0.1]'],
  ...['[::169.254.169.254]', '[::ffff:0:127.0.0.1]', '[::ffff:0:7f00:1]', '[::fffe:7f00:1]'],
  // Gateways from IPv6 to IPv4.
  ...['[64:ff9b::127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b::10.0.0.1]', '[64:ff9b::a9fe:a9fe]'],
  ...['[64:ff9b::192.168.0.1]', '[64:ff9b::172.16.0.1]', '[64:ff9b::0.0.0.0]', '[64:ff9b::e000:1]'],
  ...['[64:ff9b:1::]', '[64:ff9b:1::a00:1]', '[64:ff9b:1:ffff::808:808]', '[64:ff9b:0:1::7f00:1]'],
  ...['[2002:7f00:1::]', '[2002:a00:1::]', '[2002:c0a8:1::1]', '[2002:a9fe:a9fe::]', '[2002::1]'],
  ...[
    '[2001::1]',
    '[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
    '[2001:0:7f00:1::]',
    '[2001:0:a00:1::]',
  ],
  // Relays, tests and other special uses.
  ...['192.88.99.1', '192.31.196.1', '192.52.193.1', '192.175.48.1', '192.0.0.9'],
  ...['[2001:1::1]', '[2001:3::1]', '[2001:4:112::1]', '[2001:30::1]', '[2620:4f:8000::1]'],
  ...['[100:0:0:1::1]', '[2002:808:808::1]', '[2001:0:808:808::1]'],
  // Private, link-local, site-local, multicast, documentation, discard, unassigned.
  ...['[fc00::]', '[fc00::1]', '[fd00::1]', '[fd00:ec2::254]', '[fd12:3456:789a::1]', '[fdff::1]'],
  ...['[fe80::1]', '[fe80::a9fe:a9fe]', '[febf::1]', '[fec0::1]', '[feff::1]', '[fe00::1]'],
  ...['[ff01::1]', '[ff02::1]', '[ff02::fb]', '[ff05::1:3]', '[ff0e::1]', '[2001:db8::1]'],
  ...['[2001:db8:ffff::]', '[100::]', '[100::1]', '[1::]', '[4000::1]', '[5f00::1]', '[8000::1]'],
  ...['[e000::1]', '[2001:10::1]', '[2001:20::1]', '[2001:2::1]', '[3fff::1]', '[3fff:fff::1]'],
];

/** Names that no name server of the internet has, or that lead to this machine. */
const NAMES: readonly string[] = [
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    'ｌｏｃａｌｈｏｓｔ',
    'loc%61lhost',
    'a.localhost',
    'ⓛocalhost',
  ],
  ...[
    'metadata',
    'metadata.',
    'printer',
    'printer.local',
    'printer.local.',
    'db.internal',
    'nas.lan',
  ],
  ...[
    'metadata.google.internal',
    'router.home.arpa',
    'a.test',
    'a.invalid',
    'abc.onion',
    'com',
    '..',
  ],
];

/** URLs that hide where they lead, or lead past the port of https. */
const URLS: readonly string[] = [
  ...[
    'http://shop.example/',
    'ftp://shop.example/',
    'file:///etc/passwd',
    'gopher://shop.example/',
  ],
  ...['javascript:alert(1)', 'data:text/plain,x', 'ws://shop.example/', 'unix:/run/docker.sock'],
  ...['//shop.example/', '/prices', 'shop.example', '', ' ', 'https://', 'https:///', 'https://?'],
  ...[
    'https://user@shop.example/',
    'https://user:pass@shop.example/',
    'https://:pass@shop.example/',
  ],
  ...[
    'https://shop.example@127.0.0.1/',
    'https://127.0.0.1@shop.example/',
    'https://a@b@127.0.0.1/',
  ],
  ...['https://shop.example:80/', 'https://shop.example:22/', 'https://shop.example:6379/'],
  ...['https://shop.example:8443/', 'https://shop.example:0/', 'https://shop.example:65536/'],
  ...['https://127.0.0.1\\@shop.example/', 'https://127.0.0.1#@shop.example/'],
  ...['https://127.0.0.1?@shop.example/', 'https://[::1]:443/', 'https://127.0.0.1:443/'],
  ...['https://127.0.0.1%2f@shop.example/', 'https://shop.example\t:80/', 'https:\\\\127.0.0.1/'],
  ...['https:127.0.0.1', 'https:/127.0.0.1', 'HTTPS://127.0.0.1', '\thttps://127.0.0.1'],
  ...[
    'https://127.0\n.0.1/',
    'https://1%00.1.1.1/',
    'https://[::1%25eth0]/',
    'https://[fe80::1%25lo]/',
  ],
  ...[`https://shop.example/${'a'.repeat(500)}`, 'https://shop.example.../', 'https://a..example/'],
];

describe('A webhook of an account', () => {
  const tricks = [...[...PRIVATE, ...NAMES].map((host) => `https://${host}/prices`), ...URLS];

  it('is refused at any of more than 200 addresses that are not on the public internet', () => {
    assert.ok(new Set(tricks).size >= 200, `${new Set(tricks).size} tricks`);
    const accepted = tricks.filter((url) => 'url' in readWebhookUrl(url, INTERNET));
    assert.deepEqual(accepted, []);
  });

  it('is accepted at a host name or an address of the internet', () => {
    for (const [text, url] of [
      ['https://shop.example/prices?key=1', 'https://shop.example/prices?key=1'],
      ['https://shop.example:443', 'https://shop.example/'],
      ['https://bücher.example/#x', 'https://xn--bcher-kva.example/'],
      ['https://1.1.1.1/', 'https://1.1.1.1/'],
      ['https://[2606:4700::1111]/', 'https://[2606:4700::1111]/'],
    ] as const) {
      assert.deepEqual(readWebhookUrl(text, INTERNET), { url }, text);
    }
  });

  it('may be in a network that the operator allows, with any port and without TLS', () => {
    const home = webhookPlaces(['192.168.1.0/24']);
    for (const url of [
      'http://192.168.1.7:8123/api',
      'https://nas.lan:8443/',
      'https://shop.example/',
    ]) {
      assert.deepEqual(readWebhookUrl(url, home), { url }, url);
    }
    for (const url of [
      'http://192.168.2.7/',
      'http://1.1.1.1/',
      'https://1.1.1.1:8443/',
      'ftp://a.lan/',
    ]) {
      assert.ok('problem' in readWebhookUrl(url, home), url);
    }
  });
});

describe('A message', () => {
  let webhook: Webhook;
  before(async () => {
    webhook = await Webhook.open();
  });
  after(() => webhook.close());

  const send = async (url: string, networks: readonly string[] = []) => {
    const sender = new WebhookSender(networks);
    const target = { url, secrets: [SECRET], isTrusted: false };
    const message = { id: 'msg_1', body: '{"type":"test","data":{}}' };
    return sender.send(target, message, 0).finally(() => sender.close());
  };

  it('is not sent to a private address, whatever notation a stored URL has', async () => {
    const urls = PRIVATE.flatMap((host) => URL.parse(`https://${host}/`) ?? []);
    assert.ok(urls.length > 150);
    for (const { href } of urls) await assert.rejects(send(href), PrivateAddress, href);
  });

  it('is not sent if one of the addresses of a name is private', async () => {
    for (const [name, addresses] of Object.entries({
      'inside.example': ['127.0.0.1'],
      'mixed.example': ['1.1.1.1', '10.0.0.1'],
      'mapped.example': ['::ffff:169.254.169.254'],
      'translated.example': ['64:ff9b::7f00:1'],
    })) {
      resolveTo(name, [addresses]);
      await assert.rejects(send(`https://${name}/`), PrivateAddress, name);
    }
    assert.deepEqual(webhook.received, []);
  });

  it('is not sent if a name leads elsewhere after it was checked', async () => {
    const { port } = new URL(webhook.url);
    const lookups = resolveTo('rebind.example', [['127.0.0.1'], ['192.168.1.1']]);
    // The second address would be allowed: the connection must use the one that was checked.
    await assert.rejects(
      send(`http://rebind.example:${port}/`, ['192.168.1.0/24']),
      PrivateAddress,
    );
    assert.equal(lookups(), 1);
    assert.deepEqual(webhook.received, []);
  });

  it('is sent to a network that the operator allows, and not on to where it redirects', async () => {
    const other = await Webhook.open();
    webhook.answer = (response) => response.writeHead(307, { location: other.url }).end();
    assert.equal((await send(webhook.url, ['127.0.0.0/8'])).status, 307);
    assert.equal(webhook.received.length, 1);
    assert.deepEqual(other.received, []);
    other.close();
  });
});
