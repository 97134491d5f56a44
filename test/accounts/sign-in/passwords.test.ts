import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseOptions } from '@node-rs/argon2';
import fc from 'fast-check';
import {
  Passwords,
  requirePassword,
  UNMATCHED_HASH,
} from '../../../src/accounts/sign-in/passwords.ts';
import { createReadable } from '../../../src/accounts/sign-in/tokens.ts';
import { AccountError } from '../../../src/domain/errors.ts';
import { paced } from '../../support/pace.ts';
import { ADDRESS, refused } from '../fixtures.ts';

const ANN = 'ann@shop.example';

/** Passwords that are guessed first, by the reason. */
const WEAK = {
  'it contains little more than common words or passwords': [
    'qwertyuiop',
    'password123',
    'PassWord2026!',
    'P@ssw0rd123!',
    'Welcome2024!',
    'Summer2025!',
    'Passwort2024!',
    'iloveyou1234567',
    'manchester',
    '1234567890',
    'purple elephant',
    'blueeyeswhitedragon',
  ],
  'it contains little more than the name of a game, a card or this service': [
    'cardprice2026',
    'Card Price 1!',
    'trading-card-1',
    'charizard1999',
    'Ch4r1z4rd99',
    'Pikachu2024!',
    'pikachu charizard',
    'フシギバナ 1999!',
    'Magic The Gathering 93',
    'yu-gi-oh 1999',
  ],
  'it contains little more than your e-mail address': [
    ANN,
    'ANN@Shop.example',
    `${ANN}!`,
    'ann.shop.example1',
    'annshop2024',
  ],
  'it repeats itself': [
    'monkeymonkey',
    'aaaaaaaaaaaaaaaaaaaa',
    '          ',
    'x'.repeat(128),
    '😀'.repeat(20),
  ],
  'it follows the alphabet or counts': ['abcdefghijklmnopq'],
  'it contains little more than a date': ['1987-05-23 1987', '19870523london'],
};

const STRONG = [
  'correct horse battery',
  'horse-rain-lamp',
  'tiny green teapot',
  'mein hund ist blau',
  'мой пароль хороший',
  'パスワードは猫です犬',
  'kT9#fL2$wq',
  'zqxjkvbpwy',
  'correct horse battery staple and a very long end of the sentence that nobody reads '.trim(),
];

/** Patterns that zxcvbn tries in many ways: substitutions, repetitions, dates, sequences. */
const SLOW = [
  'p@$$w0rd!1',
  '4@8({[<69&#!1/|0$5+72%3',
  'password',
  '12/3/',
  '314159265',
  '\\/',
  'aabb',
];

describe('a new password', () => {
  it('has 10 to 128 characters of any kind', async () => {
    const tooShort = refused('REFUSED', /at least 10 characters/);
    const tooLong = refused('REFUSED', /at most 128 characters/);
    for (const text of ['', '123456789', '😀'.repeat(9), 'e\u0301'.repeat(9)]) {
      await assert.rejects(requirePassword(text, ANN), tooShort, text);
    }
    for (const text of ['x'.repeat(129), '😀'.repeat(129), 'ﷺ'.repeat(20), 'x'.repeat(1_000_000)]) {
      await assert.rejects(requirePassword(text, ANN), tooLong);
    }
    const emoji = String.fromCodePoint(...Array.from({ length: 128 }, (_, i) => 0x1f300 + i));
    for (const text of ['kT9#fL2$wq', emoji, 'ﷺ\0\ud800']) {
      assert.equal(await requirePassword(text, ANN), text.normalize('NFKC'));
    }
  });

  for (const [weakness, texts] of Object.entries(WEAK)) {
    it(`is refused when ${weakness}`, async () => {
      const reason = refused(
        'REFUSED',
        new RegExp(`^This password is easy to guess: ${weakness}.`),
      );
      for (const text of texts) {
        await assert.rejects(requirePassword(text, ANN), reason, text);
      }
    });
  }

  it('is accepted when it is a passphrase in any script, or random', async () => {
    for (const text of STRONG) assert.equal(await requirePassword(text, ANN), text);
  });

  it('is accepted when any stretch of it is good', async () => {
    const text = `${'x'.repeat(64)}correct horse battery`;
    assert.equal(await requirePassword(text, ANN), text);
  });

  it('is almost never refused when it is random', async () => {
    const letters = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789');
    const texts = fc.sample(fc.string({ unit: letters, minLength: 12, maxLength: 12 }), 2000);
    const outcomes = await Promise.all(texts.map((text) => outcome(requirePassword(text, ANN))));
    const bad = outcomes.filter((one, index) => one !== texts[index]);
    assert.ok(bad.length < 20, bad.join(' '));
  });

  it('is the same in every Unicode form that a keyboard may send', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ minLength: 10, maxLength: 40, unit: 'grapheme' }),
        async (text) => {
          const forms = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const;
          const ways = await Promise.all(
            forms.map((form) => outcome(requirePassword(text.normalize(form), ANN))),
          );
          assert.equal(new Set(ways).size, 1, ways.join(' '));
          const [once = ''] = ways;
          if (once.startsWith('AccountError: ')) return;
          assert.equal(await outcome(requirePassword(once, ANN)), once);
        },
      ),
    );
  });

  it('can be generated, and is different every time', async () => {
    const made = new Set(Array.from({ length: 100 }, createReadable));
    assert.equal(made.size, 100);
    for (const password of made) {
      assert.match(password, /^([a-km-z2-9]{4}-){6}[a-km-z2-9]{4}$/);
      assert.equal(await requirePassword(password, ANN), password);
    }
  });

  it('is checked in 50 ms with any content', async () => {
    await requirePassword('kT9#fL2$wq', ANN);
    for (const text of SLOW.map((pattern) => pattern.repeat(128).slice(0, 128))) {
      const ms = await paced(() => outcome(requirePassword(text, ANN)), { runs: 5 });
      assert.ok(ms < 50, `${text}: ${ms} ms`);
    }
  });
});

describe('passwords', () => {
  it('are verified by their hash, which does not contain them', async () => {
    const passwords = new Passwords();
    const hash = await passwords.hash('correct horse battery', ADDRESS);
    assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    assert.notEqual(await passwords.hash('correct horse battery', ADDRESS), hash);
    assert.equal(await passwords.verify(hash, 'correct horse battery', ADDRESS), true);
    assert.equal(await passwords.verify(hash, 'correct horse battery ', ADDRESS), false);
    assert.equal(await passwords.verify(hash, 'ｃorrect horse battery', ADDRESS), true);
    const nul = await passwords.hash('a\0b\0c\0d\0e\0f', ADDRESS);
    assert.equal(await passwords.verify(nul, 'a\0b\0c\0d\0e\0f', ADDRESS), true);
    assert.equal(await passwords.verify(nul, 'a', ADDRESS), false);
  });

  it('are wrong when there is no hash or when they are too long', async () => {
    const passwords = new Passwords();
    const ofNothing = await passwords.hash('', ADDRESS);
    assert.equal(await passwords.verify(null, '', ADDRESS), false);
    assert.equal(await passwords.verify(null, 'correct horse battery', ADDRESS), false);
    assert.equal(await passwords.verify(ofNothing, 'x'.repeat(129), ADDRESS), false);
    assert.equal(await passwords.verify(ofNothing, 'x'.repeat(1_000_000), ADDRESS), false);
  });

  it('cost as much to verify when there is no hash', async () => {
    const { saltLen, ...cost } = parseOptions(
      await new Passwords().hash('correct horse battery', ADDRESS),
    );
    const { saltLen: nobodysSalt, ...nobodys } = parseOptions(UNMATCHED_HASH);
    assert.deepEqual(nobodys, cost);
    assert.equal(nobodysSalt, saltLen);
  });

  it('are hashed a few at a time, and refused when too many are waiting', async () => {
    const passwords = new Passwords();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 70 }, (_, index) =>
        passwords.verify(null, 'correct horse battery', `10.${index}.0.1`),
      ),
    );
    const turnedAway = outcomes.filter((one) => one.status === 'rejected');
    assert.equal(turnedAway.length, 70 - 64);
    for (const { reason } of turnedAway) {
      assert.ok(reason instanceof AccountError);
      assert.deepEqual([reason.code, reason.retryAfter], ['TOO_MANY_ATTEMPTS', 1]);
    }
    assert.equal(await passwords.verify(null, 'correct horse battery', ADDRESS), false);
  });
});

describe('the queue of passwords', () => {
  const wait = (passwords: Passwords, address: string) =>
    passwords.verify(null, 'correct horse battery', address);

  for (const [name, addressOf, places] of [
    ['an address', () => '192.0.2.7', 6],
    ['an IPv6 customer', (index: number) => `2001:db8:1:2::${index + 1}`, 6],
    ['a /24 of IPv4', (index: number) => `192.0.2.${index}`, 24],
    ['a /48 of IPv6', (index: number) => `2001:db8:1:${index + 1}::1`, 24],
  ] as const) {
    it(`has a few places for ${name}, and separate ones for everybody else`, async () => {
      const passwords = new Passwords();
      const flood = Array.from({ length: 60 }, (_, index) => wait(passwords, addressOf(index)));
      const other = wait(passwords, '203.0.113.9');
      const outcomes = await Promise.allSettled(flood);
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, places);
      assert.equal(await other, false);
      assert.equal(await wait(passwords, addressOf(0)), false, 'the places are free again');
    });
  }
});

/** Resolves to a result, or to the message of a failure. */
function outcome(work: Promise<string>): Promise<string> {
  return work.catch(String);
}
