import assert from 'node:assert/strict';
import { it } from 'node:test';
import { CHALLENGE_MS } from '../../../src/accounts/sign-in/challenges.ts';
import { totpCode } from '../../../src/accounts/sign-in/codes.ts';
import { createToken } from '../../../src/accounts/sign-in/tokens.ts';
import type { Store } from '../../../src/store/connect.ts';
import { SoftAuthenticator } from '../../support/authenticator.ts';
import { forEachEngine } from '../../support/engines.ts';
import { ADDRESS, CLIENT, PASSWORD, refused, visit, type Wiring, wire } from '../fixtures.ts';
import { addPasskey, again, guarded, PARTY, pend, STEP_MS, sent } from './fixtures.ts';

const WRONG = refused('REFUSED', /^This code is wrong/);
const ENDED = refused('UNAUTHORIZED', /^This sign-in took too long/);
const NOT_ACCEPTED = refused('REFUSED', /^This passkey was not accepted/);

const codeOf = ({ clock }: Wiring, secret: string) => totpCode(secret, clock.now);

/** The same services in another process, by the same clock. */
function withStore(wiring: Wiring, store: Store): Wiring {
  const other = wire(store);
  other.clock.now = wiring.clock.now;
  return other;
}

/** How many of these succeed; the others must be refused. */
async function successes(attempts: readonly Promise<unknown>[]): Promise<number> {
  const outcomes = await Promise.allSettled(attempts);
  const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
  for (const { reason } of failed) {
    assert.ok(['REFUSED', 'UNAUTHORIZED', 'TOO_MANY_ATTEMPTS'].includes(reason.code), reason);
  }
  return outcomes.length - failed.length;
}

forEachEngine((_label, open) => {
  it('admits an account without a second factor at once', async () => {
    const wiring = wire(await open());
    const { email } = await visit(wiring);
    const account = await wiring.selfService.signIn({
      email,
      password: PASSWORD,
      address: ADDRESS,
    });
    const step = await wiring.signInSteps.begin(account);
    assert.ok(!('factors' in step));
    assert.ok(await wiring.sessions.identify(await wiring.sessions.open(step, CLIENT)));
  });

  it('admits an account with an authenticator app by a code, in any process', async () => {
    const store = await open();
    const { wiring, secret } = await guarded(store);
    const { token, factors } = await pend(wiring);
    assert.deepEqual(factors, ['totp', 'recovery-code']);
    const other = withStore(wiring, await store.reopen());
    const code = sent(codeOf(wiring, secret));
    const { account, kind } = await other.signInSteps.finishWithCode(token, code);
    assert.equal(kind, 'totp');
    assert.ok(await wiring.sessions.identify(await wiring.sessions.open(account, CLIENT)));
    await assert.rejects(
      wiring.signInSteps.finishWithCode(token, sent(codeOf(wiring, secret))),
      ENDED,
      'a pending sign-in is finished once',
    );
  });

  it('accepts no code twice, no code older than the last, and no wrong code', async () => {
    const { wiring, secret } = await guarded(await open());
    const { signInSteps, clock } = wiring;
    const before = codeOf(wiring, secret);
    clock.now += STEP_MS;
    const code = codeOf(wiring, secret);
    await signInSteps.finishWithCode((await pend(wiring)).token, sent(code));
    for (const used of [code, before, '12345', '\0']) {
      await assert.rejects(
        signInSteps.finishWithCode((await pend(wiring)).token, sent(used)),
        WRONG,
      );
    }
    clock.now += 60_000;
    const next = codeOf(wiring, secret);
    await signInSteps.finishWithCode((await pend(wiring)).token, sent(next));
  });

  it('lets one of many sign-ins win that send one code at the same moment', async () => {
    const store = await open();
    const { wiring, secret, recoveryCodes } = await guarded(store);
    const other = withStore(wiring, await store.reopen());
    for (const code of [codeOf(wiring, secret), recoveryCodes[0] ?? '']) {
      const pending = await Promise.all(Array.from({ length: 4 }, () => pend(wiring)));
      const attempts = pending.map(({ token }, index) => {
        const { signInSteps } = index % 2 === 0 ? wiring : other;
        return signInSteps.finishWithCode(token, sent(code));
      });
      assert.equal(await successes(attempts), 1);
    }
  });

  it('lets only one of many finish a pending sign-in', async () => {
    const store = await open();
    const { wiring, secret, recoveryCodes } = await guarded(store);
    const { token } = await pend(wiring);
    const codes = [codeOf(wiring, secret), ...recoveryCodes.slice(0, 3)];
    const attempts = codes.map((code) => wiring.signInSteps.finishWithCode(token, sent(code)));
    assert.equal(await successes(attempts), 1);
  });

  it('takes a recovery code once, however it is typed', async () => {
    const { wiring, recoveryCodes } = await guarded(await open());
    const { signInSteps } = wiring;
    assert.equal(recoveryCodes.length, 10);
    const [first = '', second = ''] = recoveryCodes;
    assert.match(first, /^[a-z2-9]{4}(-[a-z2-9]{4}){6}$/);
    const typed = ` ${first.toUpperCase().replaceAll('-', ' ')} `;
    await signInSteps.finishWithCode((await pend(wiring)).token, sent(typed));
    await assert.rejects(
      signInSteps.finishWithCode((await pend(wiring)).token, sent(first)),
      WRONG,
    );
    await signInSteps.finishWithCode((await pend(wiring)).token, sent(second));
  });

  it('stops somebody who knows the password and guesses codes', async () => {
    const { wiring, secret } = await guarded(await open());
    const { signInSteps, clock } = wiring;
    const TOO_MANY = refused('TOO_MANY_ATTEMPTS', /^Too many attempts/);
    let guesses = 0;
    const end = clock.now + 24 * 3_600_000;
    while (clock.now < end) {
      const { token } = await pend(wiring);
      await signInSteps.finishWithCode(token, sent('000000')).then(
        () => assert.fail('a guess was right'),
        (error) => {
          if (TOO_MANY(error)) clock.now += 1000 * error.retryAfter;
          else guesses += 1;
        },
      );
    }
    assert.ok(guesses <= 50, `${guesses} guesses in a day`);
    await assert.rejects(signInSteps.finishWithCode((await pend(wiring)).token, sent('000000')));
    const { token } = await pend(wiring);
    await assert.rejects(signInSteps.finishWithCode(token, sent(codeOf(wiring, secret))), TOO_MANY);
  });

  it('counts guesses that are made at the same moment', async () => {
    const store = await open();
    const { wiring } = await guarded(store);
    const other = withStore(wiring, await store.reopen());
    const { token } = await pend(wiring);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => {
        const { signInSteps } = index % 2 === 0 ? wiring : other;
        return signInSteps.finishWithCode(token, sent('000000'));
      }),
    );
    const codes = outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code);
    assert.equal(codes.filter((code) => code === 'REFUSED').length, 5);
    assert.equal(codes.filter((code) => code === 'TOO_MANY_ATTEMPTS').length, 15);
  });

  it('lets the owner in during such guesses: in a known browser, or by a recovery code', async () => {
    const { wiring, session, secret, recoveryCodes } = await guarded(await open());
    const { signInSteps, selfService } = wiring;
    const device = await selfService.devices.remember(session.accountId, '');
    const { token } = await pend(wiring);
    for (let guess = 0; guess < 6; guess += 1) {
      await assert.rejects(signInSteps.finishWithCode(token, sent('000000')));
    }
    const [recoveryCode = ''] = recoveryCodes;
    const unknown = sent(codeOf(wiring, secret), createToken());
    await assert.rejects(
      signInSteps.finishWithCode(token, unknown),
      refused('TOO_MANY_ATTEMPTS', /./),
    );
    const known = sent(codeOf(wiring, secret), device);
    await signInSteps.finishWithCode((await pend(wiring)).token, known);
    await signInSteps.finishWithCode((await pend(wiring)).token, sent(recoveryCode));
  });

  it('ends a pending sign-in after five minutes, and with the password that began it', async () => {
    const { wiring, session, secret } = await guarded(await open());
    const { signInSteps, clock, selfService } = wiring;
    const late = await pend(wiring);
    clock.now += CHALLENGE_MS;
    const code = codeOf(wiring, secret);
    await assert.rejects(signInSteps.finishWithCode(late.token, sent(code)), ENDED);
    const { token } = await pend(wiring);
    const change = { current: PASSWORD, next: 'another battery staple', address: ADDRESS };
    await selfService.changePassword(session, change);
    await assert.rejects(signInSteps.finishWithCode(token, sent(code)), ENDED);
  });

  it('ends a pending sign-in when the account is disabled', async () => {
    const { wiring, session, secret } = await guarded(await open());
    const { token } = await pend(wiring);
    await wiring.accounts.disable(session.email);
    await assert.rejects(
      wiring.signInSteps.finishWithCode(token, sent(codeOf(wiring, secret))),
      ENDED,
    );
  });

  it('knows no pending sign-in by another token', async () => {
    const { wiring, secret } = await guarded(await open());
    const { challenge } = await wiring.signInSteps.soleOptions(PARTY, ADDRESS);
    for (const token of ['', 'x', '\0'.repeat(43), createToken(), challenge]) {
      const finished = wiring.signInSteps.finishWithCode(token, sent(codeOf(wiring, secret)));
      await assert.rejects(finished, ENDED);
    }
  });

  it('admits an account by a passkey as the second factor', async () => {
    const wiring = wire(await open());
    const passkey = await addPasskey(wiring, await visit(wiring));
    const { token, factors } = await pend(wiring);
    assert.deepEqual(factors, ['passkey', 'recovery-code']);
    const options = await wiring.signInSteps.passkeyOptions(token, PARTY);
    assert.deepEqual(
      options.allowCredentials?.map(({ id }) => id),
      [passkey.id.toString('base64url')],
    );
    const response = passkey.get(options, { isUserVerified: false });
    const answer = { party: PARTY, response };
    const account = await wiring.signInSteps.finishWithPasskey(token, answer);
    assert.ok(await wiring.sessions.identify(await wiring.sessions.open(account, CLIENT)));
    const replayed = wiring.signInSteps.finishWithPasskey((await pend(wiring)).token, answer);
    await assert.rejects(replayed, NOT_ACCEPTED);
  });

  it('refuses a passkey of another account as the second factor', async () => {
    const wiring = wire(await open());
    await addPasskey(wiring, await visit(wiring));
    const others = await addPasskey(wiring, await visit(wiring, 'bob@shop.example'));
    const { token } = await pend(wiring);
    const response = others.get(await wiring.signInSteps.passkeyOptions(token, PARTY));
    const answer = { party: PARTY, response };
    await assert.rejects(wiring.signInSteps.finishWithPasskey(token, answer), NOT_ACCEPTED);
    const bobs = await pend(wiring, 'bob@shop.example');
    const bobsAnswer = others.get(await wiring.signInSteps.passkeyOptions(bobs.token, PARTY));
    await assert.rejects(
      wiring.signInSteps.finishWithPasskey(token, { party: PARTY, response: bobsAnswer }),
      refused('REFUSED', /another account/),
    );
  });

  it('admits an account by a passkey alone, once for each challenge', async () => {
    const store = await open();
    const wiring = wire(store);
    const { accountId, ...session } = await visit(wiring);
    const passkey = await addPasskey(wiring, { accountId, ...session });
    const other = wire(await store.reopen());
    const options = await wiring.signInSteps.soleOptions(PARTY, ADDRESS);
    assert.deepEqual([options.userVerification, options.allowCredentials], ['required', []]);
    const answer = { party: PARTY, response: passkey.get(options) };
    const attempts = [wiring, other].map(({ signInSteps }) => {
      return signInSteps.signInWithPasskey(answer, ADDRESS);
    });
    assert.equal(await successes(attempts), 1);
    const [used] = (await wiring.secondFactors.list(accountId)).passkeys;
    assert.equal(used?.lastUsedAt, wiring.clock.now);
    await wiring.accounts.disable(session.email);
    const next = passkey.get(await wiring.signInSteps.soleOptions(PARTY, ADDRESS));
    await assert.rejects(
      wiring.signInSteps.signInWithPasskey({ party: PARTY, response: next }, ADDRESS),
      refused('UNAUTHORIZED', /disabled/),
    );
  });

  it('refuses a passkey alone that proves too little', async () => {
    const wiring = wire(await open());
    const { signInSteps, clock } = wiring;
    const session = await visit(wiring);
    const passkey = await addPasskey(wiring, session);
    const options = () => signInSteps.soleOptions(PARTY, ADDRESS);
    const copied = new SoftAuthenticator(PARTY.origin);
    const late = await options();
    clock.now += CHALLENGE_MS;
    const current = await again(wiring, session);
    const responses = [
      passkey.get(await options(), { isUserVerified: false }),
      passkey.get(await options(), { origin: 'https://evil.example' }),
      passkey.get({ ...(await options()), rpId: 'evil.example' }),
      passkey.get(await options(), { challenge: createToken() }),
      passkey.get(await options(), { challenge: '\0' }),
      passkey.get(await signInSteps.ownerOptions(current, PARTY)),
      passkey.get(late),
      copied.get(await options()),
      { ...copied.get(await options()), id: passkey.id.toString('base64url') },
      { ...passkey.get(await options()), response: { clientDataJSON: 'x' } as never },
    ];
    for (const response of responses) {
      const attempt = signInSteps.signInWithPasskey({ party: PARTY, response }, ADDRESS);
      await assert.rejects(attempt, NOT_ACCEPTED);
    }
  });

  it('slows down an address whose passkeys are refused, and counts no accepted one', async () => {
    const store = await open();
    const wiring = wire(store);
    const { signInSteps } = wiring;
    const passkey = await addPasskey(wiring, await visit(wiring));
    const signIn = async (changes: { isUserVerified?: boolean } = {}) => {
      const response = passkey.get(await signInSteps.soleOptions(PARTY, ADDRESS), changes);
      return signInSteps.signInWithPasskey({ party: PARTY, response }, ADDRESS);
    };
    await signIn();
    const counted = await store.accounts.db
      .selectFrom('attempts')
      .select('failures')
      .where('subject', 'like', '%Address %')
      .where('failures', '>', 0)
      .execute();
    assert.deepEqual(counted, []);
    for (let more = 0; more < 20; more += 1) {
      await assert.rejects(signIn({ isUserVerified: false }), NOT_ACCEPTED);
    }
    await assert.rejects(signIn(), refused('TOO_MANY_ATTEMPTS', /Try again in 1 s/));
    for (let more = 21; more < 100; more += 1) await signInSteps.soleOptions(PARTY, ADDRESS);
    const late = signInSteps.soleOptions(PARTY, ADDRESS);
    await assert.rejects(late, refused('TOO_MANY_ATTEMPTS', /Try again in 1 s/));
  });

  it('refuses a copy of a passkey, whose counter is behind', async () => {
    const wiring = wire(await open());
    const { signInSteps } = wiring;
    const passkey = await addPasskey(wiring, await visit(wiring));
    const signIn = async () => {
      const response = passkey.get(await signInSteps.soleOptions(PARTY, ADDRESS));
      return signInSteps.signInWithPasskey({ party: PARTY, response }, ADDRESS);
    };
    passkey.counter = 7;
    await signIn();
    passkey.counter = 3;
    await assert.rejects(signIn(), NOT_ACCEPTED);
    passkey.counter = 8;
    await signIn();
  });

  it('proves that an owner is still there by the password, with a code where there is one', async () => {
    const wiring = wire(await open());
    const { signInSteps, clock } = wiring;
    const session = await visit(wiring);
    clock.now += 3_600_000;
    const proof = { password: PASSWORD, ...sent(''), address: ADDRESS };
    await assert.rejects(
      signInSteps.reauthenticate(session, { ...proof, password: 'wrong' }),
      refused('REFUSED', /not your password/),
    );
    const token = await signInSteps.reauthenticate(session, proof);
    assert.equal(await wiring.sessions.identify(session.token), undefined);
    const proved = await again(wiring, { token });
    assert.equal(proved.authenticatedAt, clock.now);
  });

  it('needs the second factor to prove it, where there is one', async () => {
    const { wiring, session, secret } = await guarded(await open());
    const { signInSteps, clock } = wiring;
    const proof = { password: PASSWORD, ...sent(''), address: ADDRESS };
    const begun = (await again(wiring, session)).authenticatedAt;
    await assert.rejects(signInSteps.reauthenticate(session, proof), refused('REFUSED', /a code/));
    await assert.rejects(signInSteps.reauthenticate(session, { ...proof, ...sent('1') }), WRONG);
    assert.equal((await again(wiring, session)).authenticatedAt, begun);
    const code = sent(codeOf(wiring, secret));
    const token = await signInSteps.reauthenticate(session, { ...proof, ...code });
    assert.equal((await again(wiring, { token })).authenticatedAt, clock.now);
  });

  it('accepts no proof from a session that has ended in the meantime', async () => {
    const wiring = wire(await open());
    const session = await visit(wiring);
    await wiring.sessions.end(session.token);
    const proof = { password: PASSWORD, ...sent(''), address: ADDRESS };
    await assert.rejects(wiring.signInSteps.reauthenticate(session, proof), ENDED);
  });

  it('takes a passkey that has verified its user as the proof', async () => {
    const wiring = wire(await open());
    const { signInSteps, clock } = wiring;
    const first = await visit(wiring);
    const passkey = await addPasskey(wiring, first);
    const session = await again(wiring, first);
    clock.now += 3_600_000;
    const weak = passkey.get(await signInSteps.ownerOptions(session, PARTY), {
      isUserVerified: false,
    });
    const prove = (response: typeof weak) =>
      signInSteps.reauthenticateWithPasskey(session, { party: PARTY, response });
    await assert.rejects(prove(weak), NOT_ACCEPTED);
    const token = await prove(passkey.get(await signInSteps.ownerOptions(session, PARTY)));
    assert.equal((await again(wiring, { token })).authenticatedAt, clock.now);
  });
});
