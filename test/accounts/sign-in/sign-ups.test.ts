import assert from 'node:assert/strict';
import { it } from 'node:test';
import { RESET_LINK_MS } from '../../../src/accounts/sign-in/self-service.ts';
import { UNCONFIRMED_MS } from '../../../src/accounts/sign-in/sign-ups.ts';
import { forEachEngine } from '../../support/engines.ts';
import { ADDRESS, enrol, PASSWORD, refused, type Wiring, wire } from '../fixtures.ts';

const ANN = 'ann@shop.example';
const OPEN = { isOpen: true, invitationCode: '' };
const WRONG = refused('UNAUTHORIZED', /is wrong, or the account is not confirmed yet\.$/);

interface Entry {
  readonly email?: string;
  readonly password?: string;
  readonly invitation?: string;
  readonly address?: string;
}

forEachEngine((_label, open) => {
  const check = ({ selfService }: Wiring, entry: Entry = {}) =>
    selfService.signUps.check({
      email: ANN,
      password: PASSWORD,
      invitation: '',
      address: ADDRESS,
      ...entry,
    });
  const signUp = async (wiring: Wiring, entry: Entry = {}) =>
    wiring.selfService.signUps.add(await check(wiring, entry));
  const signIn = ({ selfService }: Wiring, password = PASSWORD, address = ADDRESS) =>
    selfService.signIn({ email: ANN, password, address });

  it('lets somebody sign in once an operator has confirmed the account', async () => {
    const wiring = wire(await open());
    const { accounts, keys } = wiring;
    assert.deepEqual(await signUp(wiring, { email: 'Ann@Shop.Example' }), { kind: 'waiting' });
    await assert.rejects(signIn(wiring), WRONG);
    await assert.rejects(keys.create(ANN), /is not confirmed yet/);
    assert.equal(await accounts.countWaiting(), 1);
    const waiting = await accounts.page({ isWaiting: true, limit: 9, offset: 0 });
    assert.deepEqual([waiting.total, waiting.accounts[0]?.email], [1, ANN]);

    const { verifiedAt } = await accounts.confirm(ANN);
    assert.equal(verifiedAt, wiring.clock.now);
    wiring.clock.now += 1000;
    assert.equal((await accounts.confirm(ANN)).verifiedAt, verifiedAt);
    assert.equal(await accounts.countWaiting(), 0);
    const account = await signIn(wiring);
    assert.deepEqual([account.plan.name, account.isOperator], ['free', false]);
    await keys.create(ANN);
  });

  it('changes nothing of an account whose address is taken', async () => {
    const wiring = wire(await open());
    await enrol(wiring);
    const guess = { password: 'another battery staple' };
    assert.deepEqual(await signUp(wiring, guess), { kind: 'nothing' });
    await assert.rejects(signIn(wiring, guess.password), WRONG);
    await signIn(wiring);
    assert.deepEqual(await signUp(wiring, { email: 'bob@shop.example' }), { kind: 'waiting' });
    const again = { ...guess, email: 'bob@shop.example' };
    assert.deepEqual(await signUp(wiring, again), { kind: 'nothing' });
  });

  it('slows down guesses at an unconfirmed account like those at any other', async () => {
    const wiring = wire(await open());
    await signUp(wiring);
    for (let more = 0; more < 5; more += 1) {
      await assert.rejects(signIn(wiring, PASSWORD, `192.0.${more}.1`), WRONG);
    }
    const wait = refused('TOO_MANY_ATTEMPTS', /Try again in 1 s/);
    await assert.rejects(signIn(wiring, PASSWORD, '192.0.99.1'), wait);
  });

  it('proves an address by mail before anybody can choose a password', async () => {
    const wiring = wire(await open(), OPEN, true);
    const { accounts, clock, selfService } = wiring;
    const outcome = await signUp(wiring, { password: 'of an attacker here' });
    assert.ok(outcome.kind === 'link');
    assert.equal(outcome.reset.expiresAt, clock.now + 24 * 3_600_000);
    await assert.rejects(signIn(wiring, 'of an attacker here'), WRONG);
    const again = await signUp(wiring);
    assert.ok(again.kind === 'link', 'the first mail may be lost');
    const { token } = again.reset;
    const preview = await selfService.previewReset(token, ADDRESS);
    assert.deepEqual(preview, { email: ANN, isConfirmed: false, keys: 0 });
    const account = await selfService.reset(token, PASSWORD, ADDRESS);
    assert.equal(account.verifiedAt, clock.now);
    assert.equal((await accounts.find(ANN)).verifiedAt, clock.now);
    await signIn(wiring);
    await assert.rejects(
      selfService.reset(outcome.reset.token, PASSWORD, ADDRESS),
      /Ask for a new/,
    );
  });

  it('lets only the owner of the address know, by mail, that it is taken', async () => {
    const wiring = wire(await open(), OPEN, true);
    await enrol(wiring);
    assert.deepEqual(await signUp(wiring), { kind: 'taken' });
    await wiring.accounts.disable(ANN);
    assert.deepEqual(await signUp(wiring), { kind: 'nothing' });
  });

  it('refuses before it knows whether the address is taken', async () => {
    const wiring = wire(await open());
    await enrol(wiring);
    for (const email of [ANN, 'nobody@shop.example']) {
      const short = check(wiring, { email, password: 'short' });
      await assert.rejects(short, refused('REFUSED', /at least 10 characters/));
      const common = check(wiring, { email, password: 'password123' });
      await assert.rejects(common, refused('REFUSED', /easy to guess/));
    }
    const malformed = check(wiring, { email: 'a\0b@shop.example' });
    await assert.rejects(malformed, refused('REFUSED', /not an e-mail/));
  });

  it('is refused when it is off or the invitation code is wrong', async () => {
    const store = await open();
    const closed = wire(store, { isOpen: false, invitationCode: '' });
    await assert.rejects(check(closed), refused('FORBIDDEN', /^Sign-up is closed\./));
    const invited = wire(store, { isOpen: true, invitationCode: 'open sesame' });
    for (const invitation of ['', 'Open sesame', 'open sesame ', 'x'.repeat(10_000)]) {
      const wrong = refused('REFUSED', /^The invitation code is wrong\.$/);
      await assert.rejects(check(invited, { invitation }), wrong);
    }
    const right = await signUp(invited, { invitation: 'open sesame' });
    assert.equal(right.kind, 'waiting');
  });

  it('lets a network address sign up or guess codes ten times before it has to wait', async () => {
    const wiring = wire(await open(), { isOpen: true, invitationCode: 'open sesame' });
    const right = { invitation: 'open sesame' };
    for (let more = 0; more < 10; more += 1) {
      const guess = check(wiring, { invitation: `guess ${more}` });
      await assert.rejects(guess, refused('REFUSED', /code/));
    }
    await assert.rejects(check(wiring, right), refused('TOO_MANY_ATTEMPTS', /Try again/));
    await check(wiring, { ...right, address: '203.0.113.9' });
  });

  it('mails an address a few times only, however many addresses ask for it', async () => {
    const wiring = wire(await open(), OPEN, true);
    for (const email of [ANN, 'nobody@shop.example']) {
      const kinds: string[] = [];
      for (let more = 0; more < 4; more += 1) {
        kinds.push((await signUp(wiring, { email, address: `10.${more}.1.1` })).kind);
      }
      assert.deepEqual(kinds, ['link', 'link', 'link', 'nothing']);
      assert.ok(await wiring.selfService.requestReset(email, ADDRESS), 'resets count apart');
    }
  });

  it('forgets accounts that nobody confirms for a week, and no others', async () => {
    const wiring = wire(await open());
    const { accounts, clock, selfService } = wiring;
    await signUp(wiring, { email: 'old@shop.example' });
    await selfService.resetToken('old@shop.example', RESET_LINK_MS);
    await accounts.create('made@shop.example', 'free');
    clock.now += UNCONFIRMED_MS;
    await signUp(wiring, { email: 'new@shop.example' });
    assert.equal((await accounts.list()).length, 3, 'not a moment too early');
    clock.now += 1;
    await signUp(wiring, { email: 'next@shop.example' });
    const emails = (await accounts.list()).map(({ email }) => email);
    assert.deepEqual(emails, ['made@shop.example', 'new@shop.example', 'next@shop.example']);
  });

  it('keeps at most a thousand unconfirmed accounts, the newest', async () => {
    const store = await open();
    const wiring = wire(store);
    const { accounts, clock } = wiring;
    await enrol(wiring, 'made@shop.example');
    const created_at = clock.now - 1000;
    const rows = Array.from({ length: 1000 }, (_, index) => ({
      email: `flood${index}@shop.example`,
      plan: 'free',
      created_at: created_at + index,
      disabled_at: null,
      password_hash: null,
    }));
    await store.accounts.db.insertInto('accounts').values(rows).execute();
    await signUp(wiring);
    assert.equal(await accounts.countWaiting(), 1000);
    await assert.rejects(accounts.find('flood0@shop.example'), /no account/);
    await accounts.find('made@shop.example');
  });
});
