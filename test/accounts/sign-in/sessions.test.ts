import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  IDLE_MS,
  requireOperator,
  SESSION_MS,
  Sessions,
  sessionId,
} from '../../../src/accounts/sign-in/sessions.ts';
import { createToken } from '../../../src/accounts/sign-in/tokens.ts';
import { forEachEngine } from '../../support/engines.ts';
import { admitted, begin, PASSWORD, refused, visit, type Wiring, wire } from '../fixtures.ts';

const ANN = 'ann@shop.example';

/** Uses a session every six hours, and at `end`. */
async function useUntil({ clock, sessions }: Wiring, token: string, end: number): Promise<void> {
  for (let at = clock.now; at < end; at += Math.min(IDLE_MS.operators / 2, end - at)) {
    clock.now = at;
    await sessions.markUsed((await sessions.identify(token)) ?? assert.fail());
  }
  clock.now = end;
  await sessions.markUsed((await sessions.identify(token)) ?? assert.fail());
}

forEachEngine((_label, open) => {
  it('identifies a session with the current state of its account, in every process', async () => {
    const store = await open();
    const wiring = wire(store);
    const { accounts, clock } = wiring;
    const { id, createdAt } = await accounts.create(ANN, 'free');
    clock.now += 1000;
    const token = await begin(wiring);
    assert.match(token, /^[\w-]{43}$/);
    const others = new Sessions(await store.reopen(), clock.read);
    await accounts.setPlan(ANN, 'trader');
    const { plan, plans: _, ...session } = (await others.identify(token)) ?? assert.fail();
    assert.equal(plan.name, 'trader');
    assert.deepEqual(session, {
      accountId: id,
      email: ANN,
      isOperator: false,
      createdAt,
      credentialVersion: 0,
      lastUsedAt: clock.now,
      authenticatedAt: clock.now,
      token,
    });
  });

  it('stores only a digest of a session token', async () => {
    const store = await open();
    const { token } = await visit(wire(store));
    const rows = await store.accounts.db.selectFrom('sessions').selectAll().execute();
    assert.equal(rows.length, 1);
    assert.ok(!JSON.stringify(rows).includes(token));
  });

  it('identifies nobody by a malformed or unknown token', async () => {
    const { sessions } = wire(await open());
    for (const token of ['', 'x', '\0'.repeat(43), "'; drop table sessions; --", createToken()]) {
      assert.equal(await sessions.identify(token), undefined);
      await sessions.end(token);
    }
  });

  it('ends by itself after 30 days', async () => {
    const wiring = wire(await open());
    const { clock, sessions } = wiring;
    const { token, accountId } = await visit(wiring);
    assert.equal(SESSION_MS, 30 * 24 * 3_600_000);
    const end = clock.now + SESSION_MS;
    await useUntil(wiring, token, end - 1);
    clock.now = end;
    assert.equal(await sessions.identify(token), undefined);
    assert.deepEqual(await sessions.list(accountId), []);
  });

  it('ends when nobody has used it for 14 days, an operator for 12 hours', async () => {
    const wiring = wire(await open());
    const { accounts, clock, sessions } = wiring;
    await accounts.create(ANN, 'free');
    await accounts.create('op@shop.example', 'free', { isOperator: true });
    for (const [email, hours] of [
      [ANN, 14 * 24],
      ['op@shop.example', 12],
    ] as const) {
      const token = await begin(wiring, email);
      const idle = hours * 3_600_000;
      await useUntil(wiring, token, clock.now + idle - 1);
      clock.now += idle - 1;
      const session = (await sessions.identify(token)) ?? assert.fail();
      clock.now += 1;
      assert.equal(await sessions.identify(token), undefined);
      assert.deepEqual(await sessions.list(session.accountId), []);
    }
  });

  it('records at most once a minute that it is used', async () => {
    const wiring = wire(await open());
    const { clock, sessions } = wiring;
    const { token, accountId } = await visit(wiring);
    const began = clock.now;
    const lastUsed = async () => (await sessions.list(accountId))[0]?.lastUsedAt;
    await useUntil(wiring, token, began + 59_999);
    assert.equal(await lastUsed(), began);
    await useUntil(wiring, token, began + 60_000);
    assert.equal(await lastUsed(), began + 60_000);
  });

  it('is listed with its browser and address, and ended by its id by its owner alone', async () => {
    const wiring = wire(await open());
    const { clock, sessions } = wiring;
    const ann = await visit(wiring);
    const bob = await visit(wiring, 'bob@shop.example');
    clock.now += 60_000;
    const row = await wiring.selfService.signIn({ email: ANN, password: PASSWORD, address: '' });
    const userAgent = `A\0phone\n${'x'.repeat(1000)}`;
    const phone = await sessions.open(admitted(row), { address: '2001:db8::1', userAgent });
    const [first, second, ...others] = await sessions.list(ann.accountId);
    assert.deepEqual(others, []);
    assert.equal(first?.address, '2001:db8::1');
    assert.equal(first?.userAgent, `A phone ${'x'.repeat(292)}`);
    assert.deepEqual([second?.createdAt, second?.id], [clock.now - 60_000, sessionId(ann)]);
    assert.equal(await sessions.revoke(bob.accountId, first?.id ?? ''), false);
    assert.ok(await sessions.identify(phone));
    assert.equal(await sessions.revoke(ann.accountId, first?.id ?? ''), true);
    assert.equal(await sessions.identify(phone), undefined);
    for (const id of ['', '\0', "' or 1=1 --", 'x'.repeat(100_000)]) {
      assert.equal(await sessions.revoke(ann.accountId, id), false);
    }
  });

  it('stays when all others of its account are ended', async () => {
    const wiring = wire(await open());
    const { sessions } = wiring;
    const ann = await visit(wiring);
    const bob = await visit(wiring, 'bob@shop.example');
    const phone = await begin(wiring);
    await sessions.endOthers(ann);
    assert.equal(await sessions.identify(phone), undefined);
    assert.ok(await sessions.identify(ann.token));
    assert.ok(await sessions.identify(bob.token));
  });

  it('ends one session, or all of an account', async () => {
    const wiring = wire(await open());
    const { sessions } = wiring;
    const { token, accountId } = await visit(wiring);
    const bob = await visit(wiring, 'bob@shop.example');
    const phone = await begin(wiring);
    const count = async (id: number) => (await sessions.list(id)).length;
    assert.equal(await count(accountId), 2);
    await sessions.end(token);
    assert.equal(await sessions.identify(token), undefined);
    assert.ok(await sessions.identify(phone));
    await begin(wiring);
    await sessions.endAll(accountId);
    assert.equal(await sessions.identify(phone), undefined);
    assert.deepEqual([await count(accountId), await count(bob.accountId)], [0, 1]);
  });

  it('ends the oldest session of an account that has more than 50', async () => {
    const wiring = wire(await open());
    const { accounts, clock, sessions } = wiring;
    const { id } = await accounts.create(ANN, 'free');
    const tokens: string[] = [];
    for (let browser = 0; browser < 52; browser += 1) {
      clock.now += 1;
      tokens.push(await begin(wiring));
    }
    assert.equal((await sessions.list(id)).length, 50);
    assert.equal(await sessions.identify(tokens[1] ?? ''), undefined);
    assert.ok(await sessions.identify(tokens[2] ?? ''));
  });

  it('deletes expired sessions when others begin', async () => {
    const store = await open();
    const wiring = wire(store);
    const { accounts, clock } = wiring;
    await accounts.create(ANN, 'free');
    for (let browser = 0; browser < 3; browser += 1) await begin(wiring);
    clock.now += SESSION_MS;
    for (let browser = 0; browser < 3; browser += 1) await begin(wiring);
    assert.equal((await store.accounts.db.selectFrom('sessions').selectAll().execute()).length, 3);
  });

  it('accepts operators as long as they are operators', async () => {
    const wiring = wire(await open());
    const { accounts, sessions } = wiring;
    const session = await visit(wiring);
    const operatorsOnly = refused('FORBIDDEN', /^This is for operators only\.$/);
    assert.throws(() => requireOperator(session), operatorsOnly);
    await accounts.setOperator(ANN, true);
    const operator = (await sessions.identify(session.token)) ?? assert.fail();
    assert.equal(requireOperator(operator), operator);
    await accounts.setOperator(ANN, false);
    const former = (await sessions.identify(session.token)) ?? assert.fail();
    assert.throws(() => requireOperator(former), operatorsOnly);
  });
});
