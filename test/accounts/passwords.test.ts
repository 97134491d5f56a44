import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseOptions } from '@node-rs/argon2';
import fc from 'fast-check';
import {
  createPassword,
  Passwords,
  requirePassword,
  UNMATCHED_HASH,
} from '../../src/accounts/passwords.ts';
import { AccountError } from '../../src/domain/errors.ts';
import { refused } from './fixtures.ts';

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
    for (const text of [
      '1234567890',
      '😀'.repeat(128),
      ' '.repeat(10),
      'ﷺ\0\ud800',
      'é'.repeat(128),
    ]) {
      assert.equal(requirePassword(text, ANN), text.normalize('NFKC'));
    }
  });

  it('is not the e-mail address', () => {
    const same = refused('REFUSED', /must not be the e-mail address/);
    assert.throws(() => requirePassword(ANN, ANN), same);
    assert.throws(() => requirePassword('ANN@Shop.example', ANN), same);
    requirePassword(`${ANN}!`, ANN);
  });

  it('is the same in every Unicode form that a keyboard may send', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 10, maxLength: 40, unit: 'grapheme' }), (text) => {
        const ways = (['NFC', 'NFD', 'NFKC', 'NFKD'] as const).map((form) =>
          outcome(() => requirePassword(text.normalize(form), ANN)),
        );
        assert.equal(new Set(ways).size, 1, ways.join(' '));
        const [once = ''] = ways;
        assert.equal(
          outcome(() => requirePassword(once, ANN)),
          once,
        );
      }),
    );
  });

  it('can be generated, and is different every time', () => {
    const made = new Set(Array.from({ length: 100 }, createPassword));
    assert.equal(made.size, 100);
    for (const password of made) {
      assert.match(password, /^([a-km-z2-9]{4}-){3}[a-km-z2-9]{4}$/);
      assert.equal(requirePassword(password, ANN), password);
    }
  });
});

describe('passwords', () => {
  it('are verified by their hash, which does not contain them', async () => {
    const passwords = new Passwords();
    const hash = await passwords.hash('correct horse battery');
    assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    assert.notEqual(await passwords.hash('correct horse battery'), hash);
    assert.equal(await passwords.verify(hash, 'correct horse battery'), true);
    assert.equal(await passwords.verify(hash, 'correct horse battery '), false);
    assert.equal(await passwords.verify(hash, 'ｃorrect horse battery'), true);
    const nul = await passwords.hash('a\0b\0c\0d\0e\0f');
    assert.equal(await passwords.verify(nul, 'a\0b\0c\0d\0e\0f'), true);
    assert.equal(await passwords.verify(nul, 'a'), false);
  });

  it('are wrong when there is no hash or when they are too long', async () => {
    const passwords = new Passwords();
    const ofNothing = await passwords.hash('');
    assert.equal(await passwords.verify(null, ''), false);
    assert.equal(await passwords.verify(null, 'correct horse battery'), false);
    assert.equal(await passwords.verify(ofNothing, 'x'.repeat(129)), false);
    assert.equal(await passwords.verify(ofNothing, 'x'.repeat(1_000_000)), false);
  });

  it('cost as much to verify when there is no hash', async () => {
    const { saltLen, ...cost } = parseOptions(await new Passwords().hash('correct horse battery'));
    const { saltLen: nobodysSalt, ...nobodys } = parseOptions(UNMATCHED_HASH);
    assert.deepEqual(nobodys, cost);
    assert.equal(nobodysSalt, saltLen);
  });

  it('are hashed a few at a time, and refused when too many are waiting', async () => {
    const passwords = new Passwords();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 70 }, () => passwords.verify(null, 'correct horse battery')),
    );
    const turnedAway = outcomes.filter((one) => one.status === 'rejected');
    assert.equal(turnedAway.length, 70 - 2 - 64);
    for (const { reason } of turnedAway) {
      assert.ok(reason instanceof AccountError);
      assert.deepEqual([reason.code, reason.retryAfter], ['TOO_MANY_ATTEMPTS', 1]);
    }
    assert.equal(await passwords.verify(null, 'correct horse battery'), false);
  });
});

/** What a function returns, or the message with which it fails. */
function outcome(work: () => string): string {
  try {
    return work();
  } catch (error) {
    return String(error);
  }
}
