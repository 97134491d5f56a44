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
import { ADDRESS, refused } from '../fixtures.ts';

const ANN = 'ann@shop.example';

describe('a new password', () => {
  it('has 10 to 128 characters of any kind', () => {
    const tooShort = refused('REFUSED', /at least 10 characters/);
    const tooLong = refused('REFUSED', /at most 128 characters/);
    for (const text of ['', '123456789', '😀'.repeat(9), 'e\u0301'.repeat(9)]) {
      assert.throws(() => requirePassword(text, ANN), tooShort, text);
    }
    for (const text of ['x'.repeat(129), '😀'.repeat(129), 'ﷺ'.repeat(20), 'x'.repeat(1_000_000)]) {
      assert.throws(() => requirePassword(text, ANN), tooLong);
    }
    for (const text of ['kT9#fL2$wq', '😀🎲🃏'.repeat(42), 'ﷺ\0\ud800', 'éàü'.repeat(42)]) {
      assert.equal(requirePassword(text, ANN), text.normalize('NFKC'));
    }
  });

  it('is not the e-mail address', () => {
    const same = refused('REFUSED', /must not be the e-mail address/);
    assert.throws(() => requirePassword(ANN, ANN), same);
    assert.throws(() => requirePassword('ANN@Shop.example', ANN), same);
  });

  it('is none that is guessed first', () => {
    const common = refused('REFUSED', /^This password is easy to guess/);
    for (const text of [
      '1234567890',
      'qwertyuiop',
      'password123',
      'PassWord2026!',
      'iloveyou1234567',
      'manchester',
      'monkeymonkey',
      'aaaaaaaaaaaaaaaaaaaa',
      'abcdefghijklmnopq',
      '          ',
      'x'.repeat(128),
      'cardprice2026',
      'Card Price 1!',
      `${ANN}!`,
      'ann.shop.example1',
      '😀'.repeat(20),
    ]) {
      assert.throws(() => requirePassword(text, ANN), common, text);
    }
    for (const text of ['correct horse battery', 'horse-rain-lamp', 'kT9#fL2$wq', 'zqxjkvbpwy']) {
      assert.equal(requirePassword(text, ANN), text);
    }
  });

  it('is almost never refused when it is random', () => {
    const letters = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789');
    const texts = fc.sample(fc.string({ unit: letters, minLength: 12, maxLength: 12 }), 2000);
    const bad = texts.filter((text) => outcome(() => requirePassword(text, ANN)) !== text);
    assert.ok(bad.length < 60, bad.join(' '));
  });

  it('is the same in every Unicode form that a keyboard may send', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 10, maxLength: 40, unit: 'grapheme' }), (text) => {
        const ways = (['NFC', 'NFD', 'NFKC', 'NFKD'] as const).map((form) =>
          outcome(() => requirePassword(text.normalize(form), ANN)),
        );
        assert.equal(new Set(ways).size, 1, ways.join(' '));
        const [once = ''] = ways;
        if (once.startsWith('AccountError: ')) return;
        assert.equal(
          outcome(() => requirePassword(once, ANN)),
          once,
        );
      }),
    );
  });

  it('can be generated, and is different every time', () => {
    const made = new Set(Array.from({ length: 100 }, createReadable));
    assert.equal(made.size, 100);
    for (const password of made) {
      assert.match(password, /^([a-km-z2-9]{4}-){6}[a-km-z2-9]{4}$/);
      assert.equal(requirePassword(password, ANN), password);
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
    it(`has a few places for ${name}, and others for everybody else`, async () => {
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

/** What a function returns, or the message with which it fails. */
function outcome(work: () => string): string {
  try {
    return work();
  } catch (error) {
    return String(error);
  }
}
