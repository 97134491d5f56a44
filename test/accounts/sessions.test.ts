import assert from 'node:assert/strict';
import { it } from 'node:test';
import { requireOperator, SESSION_MS, Sessions } from '../../src/accounts/sessions.ts';
import { createToken } from '../../src/accounts/tokens.ts';
import { forEachEngine } from '../support/engines.ts';
import { refused, visit, wire } from './fixtures.ts';

const ANN = 'ann@shop.example';

forEachEngine((_label, open) => {
  it('identifies a session with the current state of its account, in every process', async () => {
    const store = await open();
    const { accounts, clock, sessions } = wire(store);
    const { id, createdAt } = await accounts.create(ANN, 'free');
    clock.now += 1000;
    const token = await sessions.open(id);
    assert.match(token, /^[\w-]{43}$/);
    const others = new Sessions(await store.reopen(), clock.read);
    await accounts.setPlan(ANN, 'trader');
    const { plan, plans: _, ...session } = (await others.identify(token)) ?? assert.fail();
    assert.equal(plan.name, 'trader');
    assert.deepEqual(session, { accountId: id, email: ANN, isOperator: false, createdAt, token });
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
    clock.now += SESSION_MS - 1;
    assert.ok(await sessions.identify(token));
    clock.now += 1;
    assert.equal(await sessions.identify(token), undefined);
    assert.equal(await sessions.count(accountId), 0);
  });

  it('ends one session, or all of an account', async () => {
    const wiring = wire(await open());
    const { sessions } = wiring;
    const { token, accountId } = await visit(wiring);
    const bob = await visit(wiring, 'bob@shop.example');
    const phone = await sessions.open(accountId);
    assert.equal(await sessions.count(accountId), 2);
    await sessions.end(token);
    assert.equal(await sessions.identify(token), undefined);
    assert.ok(await sessions.identify(phone));
    await sessions.open(accountId);
    await sessions.endAll(accountId);
    assert.equal(await sessions.identify(phone), undefined);
    assert.deepEqual(
      [await sessions.count(accountId), await sessions.count(bob.accountId)],
      [0, 1],
    );
  });

  it('ends the oldest session of an account that has more than 50', async () => {
    const { accounts, clock, sessions } = wire(await open());
    const { id } = await accounts.create(ANN, 'free');
    const tokens: string[] = [];
    for (let browser = 0; browser < 52; browser += 1) {
      clock.now += 1;
      tokens.push(await sessions.open(id));
    }
    assert.equal(await sessions.count(id), 50);
    assert.equal(await sessions.identify(tokens[1] ?? ''), undefined);
    assert.ok(await sessions.identify(tokens[2] ?? ''));
  });

  it('deletes expired sessions when others begin', async () => {
    const store = await open();
    const { accounts, clock, sessions } = wire(store);
    const { id } = await accounts.create(ANN, 'free');
    for (let browser = 0; browser < 3; browser += 1) await sessions.open(id);
    clock.now += SESSION_MS;
    for (let browser = 0; browser < 3; browser += 1) await sessions.open(id);
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
