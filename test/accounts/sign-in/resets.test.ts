import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Passwords } from '../../../src/accounts/sign-in/passwords.ts';
import { RESET_LINK_MS } from '../../../src/accounts/sign-in/self-service.ts';
import { forEachEngine } from '../../support/engines.ts';
import { ADDRESS, admitted, enrol, PASSWORD, refused, wire } from '../fixtures.ts';

const ANN = 'ann@shop.example';
const NEXT = 'another battery staple';

forEachEngine((_label, open) => {
  it('revokes the API keys made before, so that nobody keeps a way in', async () => {
    const wiring = wire(await open());
    const { authenticator, keys, selfService } = wiring;
    await enrol(wiring);
    await enrol(wiring, 'bob@shop.example');
    const stolen = await keys.create(ANN);
    const bobs = await keys.create('bob@shop.example');
    const { token } = await selfService.resetToken(ANN, RESET_LINK_MS);
    const preview = await selfService.previewReset(token, ADDRESS);
    assert.deepEqual(preview, { email: ANN, isConfirmed: true, keys: 1 });
    await selfService.reset(token, NEXT, ADDRESS);
    assert.equal(await authenticator.identify(stolen.key), undefined);
    assert.ok(await authenticator.identify(bobs.key));
    assert.equal((await keys.list(ANN))[0]?.status, 'revoked');
    const { key } = await keys.create(ANN);
    assert.ok(await authenticator.identify(key));
  });

  it('keeps them when the owner of a confirmed account wants it', async () => {
    const wiring = wire(await open());
    const { authenticator, keys, selfService } = wiring;
    await enrol(wiring);
    const { key } = await keys.create(ANN);
    const { token } = await selfService.resetToken(ANN, RESET_LINK_MS);
    await selfService.reset(token, NEXT, ADDRESS, { keepsKeys: true });
    assert.ok(await authenticator.identify(key));
  });

  it('keeps none in an account that was not confirmed', async () => {
    const store = await open();
    const wiring = wire(store);
    const { authenticator, keys, selfService } = wiring;
    await enrol(wiring);
    const { key } = await keys.create(ANN);
    await store.accounts.db.updateTable('accounts').set({ verified_at: null }).execute();
    const { token } = await selfService.resetToken(ANN, RESET_LINK_MS);
    await selfService.reset(token, NEXT, ADDRESS, { keepsKeys: true });
    assert.equal(await authenticator.identify(key), undefined);
    await selfService.signIn({ email: ANN, password: NEXT, address: ADDRESS });
  });

  it('shows the purpose of a link only to its holder, a limited number of times', async () => {
    const wiring = wire(await open());
    const { selfService } = wiring;
    await enrol(wiring);
    const { token } = await selfService.resetToken(ANN, RESET_LINK_MS);
    for (let more = 0; more < 30; more += 1) await selfService.previewReset(token, ADDRESS);
    const ended = refused('REFUSED', /^This link does not work/);
    for (let more = 0; more < 20; more += 1) {
      await assert.rejects(selfService.previewReset(`${more}`.padEnd(43, 'x'), ADDRESS), ended);
    }
    const wait = refused('TOO_MANY_ATTEMPTS', /Try again/);
    await assert.rejects(selfService.previewReset(token, ADDRESS), wait);
  });

  it('hashes a password again at sign-in when the cost has changed, and keeps sessions', async () => {
    const store = await open();
    const wiring = wire(store, undefined, false, new Passwords());
    const { selfService, sessions } = wiring;
    const account = await enrol(wiring);
    const token = await sessions.open(admitted(account), { address: ADDRESS, userAgent: '' });
    const password_hash =
      '$argon2id$v=19$m=4096,t=1,p=1$MTIzNDU2Nzg5MDEyMzQ1Ng$FzNhIF0S0mCTsVOIaAMx9+XsIcDSdqqUP2qSgE8uCMs';
    await store.accounts.db.updateTable('accounts').set({ password_hash }).execute();
    const hashOf = async () =>
      (await store.accounts.db.selectFrom('accounts').selectAll().executeTakeFirstOrThrow())
        .password_hash;
    const wrong = selfService.signIn({ email: ANN, password: NEXT, address: ADDRESS });
    await assert.rejects(wrong, refused('UNAUTHORIZED', /wrong/));
    assert.equal(await hashOf(), password_hash);
    for (let more = 0; more < 2; more += 1) {
      await selfService.signIn({ email: ANN, password: PASSWORD, address: ADDRESS });
      assert.match(String(await hashOf()), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    }
    const session = (await sessions.identify(token)) ?? assert.fail();
    await store.accounts.db.updateTable('accounts').set({ password_hash }).execute();
    const change = { current: PASSWORD, next: NEXT, address: ADDRESS };
    await selfService.changePassword(session, change);
  });
});
