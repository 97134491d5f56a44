import assert from 'node:assert/strict';
import { it } from 'node:test';
import { DEVICE_MS } from '../../../src/accounts/sign-in/devices.ts';
import { RESET_LINK_MS } from '../../../src/accounts/sign-in/self-service.ts';
import { createToken } from '../../../src/accounts/sign-in/tokens.ts';
import { forEachEngine } from '../../support/engines.ts';
import { ADDRESS, enrol, PASSWORD, refused, type Wiring, wire } from '../fixtures.ts';

const ANN = 'ann@shop.example';
const GUESS = 'another battery staple';
const WRONG = refused('UNAUTHORIZED', /wrong/);
const WAIT = refused('TOO_MANY_ATTEMPTS', /^Too many attempts\. Try again in \d+ (s|min)\.$/);

forEachEngine((_label, open) => {
  const signIn = (
    { selfService }: Wiring,
    { password = PASSWORD, address = ADDRESS, device = '', email = ANN } = {},
  ) => selfService.signIn({ email, password, address, device });

  it('lets the owner in while 50 addresses guess, from a browser that is known', async () => {
    const wiring = wire(await open());
    const { clock, selfService } = wiring;
    const { id } = await enrol(wiring);
    const device = await selfService.devices.remember(id, '');
    for (let minute = 0; minute < 3; minute += 1) {
      for (let attacker = 0; attacker < 50; attacker += 1) {
        const guess = { password: GUESS, address: `10.${attacker}.0.1` };
        await signIn(wiring, guess).catch(() => {});
      }
      await assert.rejects(signIn(wiring, { address: '203.0.113.9' }), WAIT, 'an unknown browser');
      await signIn(wiring, { device });
      clock.now += 60_000;
    }
  });

  it('also lets the owner in from the network of an attacker', async () => {
    const wiring = wire(await open());
    const { id } = await enrol(wiring);
    const device = await wiring.selfService.devices.remember(id, '');
    for (let more = 0; more < 20; more += 1) {
      const guess = { password: GUESS, email: `other${more}@shop.example` };
      await assert.rejects(signIn(wiring, guess), WRONG);
    }
    await assert.rejects(signIn(wiring), WAIT);
    await signIn(wiring, { device });
  });

  it('slows down guesses from a known browser by themselves', async () => {
    const wiring = wire(await open());
    const { id } = await enrol(wiring);
    const device = await wiring.selfService.devices.remember(id, '');
    for (let more = 0; more < 10; more += 1) {
      await assert.rejects(signIn(wiring, { password: GUESS, device }), WRONG);
    }
    await assert.rejects(signIn(wiring, { device, address: '203.0.113.9' }), WAIT);
    await signIn(wiring, { address: '203.0.113.9' });
    wiring.clock.now += 1000;
    await signIn(wiring, { device });
  });

  it('knows a browser for the account alone that signed in with it', async () => {
    const store = await open();
    const wiring = wire(store);
    const { devices } = wiring.selfService;
    const ann = await enrol(wiring);
    const bob = await enrol(wiring, 'bob@shop.example');
    const device = await devices.remember(ann.id, '');
    assert.equal(await devices.remember(ann.id, device), device);
    assert.ok(await devices.find(ann.id, device));
    assert.equal(await devices.find(bob.id, device), undefined);
    assert.equal(await devices.find(undefined, device), undefined);
    const bobs = await devices.remember(bob.id, device);
    assert.notEqual(bobs, device);
    for (const token of ['', '\0', 'x'.repeat(100_000), createToken()]) {
      assert.equal(await devices.find(ann.id, token), undefined);
      assert.notEqual(await devices.remember(ann.id, token), token);
    }
    const rows = await store.accounts.db.selectFrom('devices').selectAll().execute();
    assert.ok(!JSON.stringify(rows).includes(device));
  });

  it('forgets a browser after 180 days without a sign-in, a reset, or with the account', async () => {
    const store = await open();
    const wiring = wire(store);
    const { clock, selfService, accounts } = wiring;
    const { devices } = selfService;
    const { id } = await enrol(wiring);
    const device = await devices.remember(id, '');
    clock.now += DEVICE_MS - 1;
    assert.equal(await devices.remember(id, device), device);
    clock.now += DEVICE_MS;
    assert.equal(await devices.find(id, device), undefined);
    const next = await devices.remember(id, device);
    const { token } = await selfService.resetToken(ANN, RESET_LINK_MS);
    await selfService.reset(token, PASSWORD, ADDRESS);
    assert.equal(await devices.find(id, next), undefined);
    await devices.remember(id, '');
    await accounts.delete(ANN);
    assert.deepEqual(await store.accounts.db.selectFrom('devices').selectAll().execute(), []);
  });

  it('keeps 50 browsers of an account, those used last', async () => {
    const wiring = wire(await open());
    const { devices } = wiring.selfService;
    const { id } = await enrol(wiring);
    const tokens: string[] = [];
    for (let more = 0; more < 52; more += 1) {
      wiring.clock.now += 1;
      tokens.push(await devices.remember(id, ''));
    }
    const known = await Promise.all(tokens.map((token) => devices.find(id, token)));
    assert.deepEqual(known.map((digest) => digest !== undefined).indexOf(true), 2);
  });
});
