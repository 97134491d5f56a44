import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  MAILED_RESET_LINK_MS,
  RESET_LINK_MS,
  resetLink,
  SelfService,
} from '../../../src/accounts/sign-in/self-service.ts';
import { createToken } from '../../../src/accounts/sign-in/tokens.ts';
import { AccountError } from '../../../src/domain/errors.ts';
import { cheapPasswords } from '../../support/cheap-passwords.ts';
import { forEachEngine } from '../../support/engines.ts';
import { ADDRESS, begin, enrol, PASSWORD, refused, visit, type Wiring, wire } from '../fixtures.ts';

const ANN = 'ann@shop.example';
const OTHER = 'another correct horse';
const WRONG = refused(
  'UNAUTHORIZED',
  /^The e-mail address or the password is wrong, or the account is not confirmed yet\.$/,
);
const ENDED = refused('REFUSED', /^This link does not work, or no longer works\./);
const WAIT = refused('TOO_MANY_ATTEMPTS', /^Too many attempts\. Try again in \d+ s\.$/);

/** Returns a function that resolves when it was called `count` times. */
function barrier(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let calls = 0;
  return () => {
    calls += 1;
    if (calls === count) resolve();
    return promise;
  };
}

forEachEngine((label, open) => {
  const signIn = ({ selfService }: Wiring, password = PASSWORD, email = ANN, address = ADDRESS) =>
    selfService.signIn({ email, password, address });

  it('signs in with the password, in any case of the address', async () => {
    const wiring = wire(await open());
    const { credentialVersion, ...account } = await enrol(wiring);
    assert.deepEqual([account.email, account.plan.name, account.isOperator], [ANN, 'free', false]);
    assert.deepEqual(await signIn(wiring), { ...account, credentialVersion });
    assert.deepEqual(await signIn(wiring, PASSWORD, 'ANN@shop.example'), {
      ...account,
      credentialVersion,
    });
    assert.ok(!JSON.stringify(account).includes('argon2'));
  });

  it('answers the same whether or not the account exists', async () => {
    const wiring = wire(await open());
    await enrol(wiring);
    await wiring.accounts.create('made@shop.example', 'free');
    for (const email of [ANN, 'nobody@shop.example', 'made@shop.example']) {
      for (let more = 0; more < 5; more += 1) {
        await assert.rejects(signIn(wiring, OTHER, email, `192.0.2.${more}`), WRONG, email);
      }
      await assert.rejects(signIn(wiring, OTHER, email, '192.0.2.99'), WAIT, email);
    }
    for (const email of ['', 'a\0b@shop.example', 'no address', 'x'.repeat(100_000)]) {
      wiring.clock.now += 60_000;
      await assert.rejects(signIn(wiring, '', email, '192.0.2.50'), WRONG);
    }
    wiring.clock.now += 60_000;
    await assert.rejects(signIn(wiring, 'x'.repeat(1_000_000)), WRONG);
  });

  it('refuses every attempt that comes too early, also with the right password', async () => {
    const store = await open();
    const wiring = wire(store);
    const { clock } = wiring;
    await enrol(wiring);
    const other = new SelfService(await store.reopen(), clock.read, {
      signUp: { isOpen: true, invitationCode: '' },
    });
    const guesses = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) =>
        (index % 2 ? wiring.selfService : other).signIn({
          email: ANN,
          password: OTHER,
          address: `192.0.2.${index}`,
        }),
      ),
    );
    const codes = guesses.map((guess) => guess.status === 'rejected' && guess.reason.code);
    assert.equal(codes.filter((code) => code === 'UNAUTHORIZED').length, 5);
    assert.equal(codes.filter((code) => code === 'TOO_MANY_ATTEMPTS').length, 7);
    await assert.rejects(signIn(wiring), WAIT);
    clock.now += 1000;
    await signIn(wiring);
    await assert.rejects(signIn(wiring, OTHER), WRONG, 'a success forgets the failures');
  });

  it('slows down an address that tries many accounts, even if it knows the password of one', async () => {
    const wiring = wire(await open());
    await enrol(wiring);
    for (let more = 0; more < 20; more += 1) {
      await assert.rejects(signIn(wiring, OTHER, `victim${more}@shop.example`), WRONG);
      if (more < 19) await signIn(wiring);
    }
    await assert.rejects(signIn(wiring, OTHER, 'victim20@shop.example'), WAIT);
    await signIn(wiring, PASSWORD, ANN, '203.0.113.9');
  });

  it('says that an account is disabled only after the right password', async () => {
    const wiring = wire(await open());
    await enrol(wiring);
    await wiring.accounts.disable(ANN);
    await assert.rejects(signIn(wiring, OTHER), WRONG);
    const disabled = refused('UNAUTHORIZED', /^This account is disabled\. Contact the operator/);
    await assert.rejects(signIn(wiring), disabled);
    const { token } = await wiring.selfService.resetToken(ANN, RESET_LINK_MS);
    await assert.rejects(wiring.selfService.reset(token, OTHER, ADDRESS), disabled);
    await wiring.accounts.enable(ANN);
    await signIn(wiring);
    await wiring.selfService.reset(token, OTHER, ADDRESS);
  });

  it('ends every session and every reset link when a password is changed', async () => {
    const wiring = wire(await open());
    const { selfService, sessions } = wiring;
    const session = await visit(wiring);
    const phone = await begin(wiring);
    const { token } = await selfService.resetToken(ANN, RESET_LINK_MS);
    const change = { current: PASSWORD, next: OTHER, address: ADDRESS };
    const notYours = refused('REFUSED', /^This is not your password\.$/);
    await assert.rejects(
      selfService.changePassword(session, { ...change, current: OTHER }),
      notYours,
    );
    const short = selfService.changePassword(session, { ...change, next: 'short' });
    await assert.rejects(short, refused('REFUSED', /at least 10 characters/));
    assert.equal((await sessions.list(session.accountId)).length, 2);

    await selfService.changePassword(session, change);
    assert.equal(await sessions.identify(session.token), undefined);
    assert.equal(await sessions.identify(phone), undefined);
    await assert.rejects(selfService.reset(token, PASSWORD, ADDRESS), ENDED);
    await assert.rejects(signIn(wiring), WRONG);
    await signIn(wiring, OTHER);
  });

  it('changes a password once when two changes come at the same moment', async () => {
    const passwords = cheapPasswords();
    const wiring = wire(await open(), undefined, undefined, passwords);
    const session = await visit(wiring);
    // Both have checked the password before either of them sets the new one.
    const gate = barrier(2);
    const hash = passwords.hash.bind(passwords);
    passwords.hash = async (...args) => {
      await gate();
      return hash(...args);
    };
    const change = (next: string) =>
      wiring.selfService.changePassword(session, { current: PASSWORD, next, address: ADDRESS });
    const both = await Promise.allSettled([change(OTHER), change('a third correct horse')]);
    const failed = both.filter((one) => one.status === 'rejected');
    assert.equal(failed.length, 1);
    assert.ok(failed[0]?.reason instanceof AccountError);
    assert.equal(failed[0].reason.code, 'CONFLICT');
  });

  it('slows down guesses at the password of a session', async () => {
    const wiring = wire(await open());
    const session = await visit(wiring);
    const guess = { current: OTHER, next: OTHER, address: ADDRESS };
    for (let more = 0; more < 5; more += 1) {
      await assert.rejects(
        wiring.selfService.changePassword(session, guess),
        refused('REFUSED', /not your/),
      );
    }
    const proof = { password: PASSWORD, address: ADDRESS };
    await assert.rejects(wiring.selfService.remove(session, proof), WAIT);
    await assert.rejects(signIn(wiring), WAIT);
  });

  it('deletes an account only with its password', async () => {
    const wiring = wire(await open());
    const { accounts, selfService, sessions } = wiring;
    const session = await visit(wiring);
    const wrong = selfService.remove(session, { password: OTHER, address: ADDRESS });
    await assert.rejects(wrong, refused('REFUSED', /not your password/));
    await selfService.remove(session, { password: PASSWORD, address: ADDRESS });
    assert.equal(await sessions.identify(session.token), undefined);
    assert.deepEqual(await accounts.list(), []);
    await enrol(wiring);
    const again = selfService.remove(session, { password: PASSWORD, address: ADDRESS });
    await assert.rejects(again, refused('REFUSED', /not your password/), 'it is another account');
  });

  it('sets a password with a reset link of an operator, once and within a day', async () => {
    const store = await open();
    const wiring = wire(store);
    const { accounts, clock, selfService } = wiring;
    const { id } = await accounts.create(ANN, 'free');
    await assert.rejects(
      selfService.resetToken('nobody@shop.example', RESET_LINK_MS),
      /no account nobody@/,
    );
    const { token, expiresAt } = await selfService.resetToken('Ann@shop.example', RESET_LINK_MS);
    assert.equal(expiresAt, clock.now + 24 * 3_600_000);
    assert.equal(resetLink('https://cards.example', token), `https://cards.example/reset#${token}`);
    const rows = await store.accounts.db.selectFrom('password_resets').selectAll().execute();
    assert.ok(!JSON.stringify(rows).includes(token));

    const short = selfService.reset(token, 'short', ADDRESS);
    await assert.rejects(short, refused('REFUSED', /at least 10 characters/));
    assert.equal((await selfService.reset(token, PASSWORD, ADDRESS)).id, id);
    await assert.rejects(selfService.reset(token, OTHER, ADDRESS), ENDED);
    await signIn(wiring);

    const late = await selfService.resetToken(ANN, RESET_LINK_MS);
    clock.now += RESET_LINK_MS;
    await assert.rejects(selfService.reset(late.token, OTHER, ADDRESS), ENDED);
    for (const none of ['', 'x', '\0'.repeat(43), createToken(), 'x'.repeat(100_000)]) {
      await assert.rejects(selfService.reset(none, OTHER, ADDRESS), ENDED);
    }
  });

  it('ends the sessions and the other reset links when a password is set', async () => {
    const wiring = wire(await open());
    const { selfService, sessions } = wiring;
    const session = await visit(wiring);
    const bob = await visit(wiring, 'bob@shop.example');
    const first = await selfService.resetToken(ANN, RESET_LINK_MS);
    const second = await selfService.resetToken(ANN, RESET_LINK_MS);
    const bobs = await selfService.resetToken(bob.email, RESET_LINK_MS);
    await selfService.reset(first.token, OTHER, ADDRESS);
    assert.equal(await sessions.identify(session.token), undefined);
    assert.ok(await sessions.identify(bob.token));
    await assert.rejects(selfService.reset(second.token, OTHER, ADDRESS), ENDED);
    await selfService.reset(bobs.token, OTHER, ADDRESS);
  });

  it('takes one of two passwords that a reset link sets at the same moment', async () => {
    const store = await open();
    const wiring = wire(store);
    const { accounts, clock, selfService } = wiring;
    await accounts.create(ANN, 'free');
    const other = wire(await store.reopen());
    other.clock.now = clock.now;
    const { token } = await selfService.resetToken(ANN, RESET_LINK_MS);
    const both = await Promise.allSettled([
      selfService.reset(token, PASSWORD, ADDRESS),
      other.selfService.reset(token, OTHER, ADDRESS),
      selfService.reset(token, OTHER, ADDRESS),
    ]);
    const statuses = both.map(({ status }) => status);
    assert.deepEqual([...statuses].sort(), ['fulfilled', 'rejected', 'rejected']);
    await signIn(wiring, statuses[0] === 'fulfilled' ? PASSWORD : OTHER);
  });

  it('makes a reset link for mail that works for an hour, only for existing accounts', async () => {
    const wiring = wire(await open());
    const { accounts, clock, selfService } = wiring;
    await enrol(wiring);
    await accounts.create('off@shop.example', 'free');
    await accounts.disable('off@shop.example');
    const { token, expiresAt } = (await selfService.requestReset(ANN, ADDRESS)) ?? assert.fail();
    assert.equal(expiresAt, clock.now + MAILED_RESET_LINK_MS);
    for (const email of ['nobody@shop.example', 'off@shop.example', '', 'a\0b@shop.example']) {
      assert.equal(await selfService.requestReset(email, ADDRESS), undefined, email);
    }
    clock.now += MAILED_RESET_LINK_MS - 1;
    await selfService.reset(token, OTHER, ADDRESS);
    await signIn(wiring, OTHER);
  });

  it('makes few reset links for an account, so one always works, whoever requests them', async () => {
    const wiring = wire(await open());
    const { clock, selfService } = wiring;
    await enrol(wiring);
    let expiresAt = 0;
    let made = 0;
    for (let minute = 0; minute < 12 * 60; minute += 5) {
      const link = await selfService.requestReset(ANN, `192.0.2.${minute % 250}`);
      if (link) [made, expiresAt] = [made + 1, link.expiresAt];
      assert.ok(expiresAt > clock.now, `minute ${minute}`);
      clock.now += 5 * 60_000;
    }
    assert.ok(made <= 30, `${made} links in twelve hours`);
  });

  it('makes few reset links for one network address', async () => {
    const { selfService, accounts } = wire(await open());
    const outcomes: boolean[] = [];
    for (let index = 0; index < 12; index += 1) {
      await accounts.create(`ann${index}@shop.example`, 'free');
      outcomes.push(
        (await selfService.requestReset(`ann${index}@shop.example`, ADDRESS)) !== undefined,
      );
    }
    assert.deepEqual(outcomes, [...Array(10).fill(true), false, false]);
  });

  it('deletes expired reset links when it makes a new one', async () => {
    const store = await open();
    const { accounts, clock, selfService } = wire(store);
    await accounts.create(ANN, 'free');
    for (let more = 0; more < 3; more += 1) await selfService.resetToken(ANN, RESET_LINK_MS);
    clock.now += RESET_LINK_MS;
    await selfService.resetToken(ANN, RESET_LINK_MS);
    assert.equal(
      (await store.accounts.db.selectFrom('password_resets').selectAll().execute()).length,
      1,
    );
  });

  it('does not count attempts that are refused because too many are waiting', async () => {
    if (label === 'PostgreSQL') return;
    const store = await open();
    const wiring = wire(store);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 100 }, (_, index) =>
        signIn(wiring, OTHER, `visitor${index}@shop.example`, `10.${index}.2.7`),
      ),
    );
    const turnedAway = outcomes.filter(
      (one) => one.status === 'rejected' && one.reason.code === 'TOO_MANY_ATTEMPTS',
    );
    assert.ok(turnedAway.length > 0);
    const rows = await store.accounts.db.selectFrom('attempts').select('failures').execute();
    const failures = rows.reduce((sum, row) => sum + row.failures, 0);
    assert.equal(failures, 3 * (100 - turnedAway.length));
  });
});
