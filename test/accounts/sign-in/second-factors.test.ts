import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { totpCode } from '../../../src/accounts/sign-in/codes.ts';
import { relyingPartyOf } from '../../../src/accounts/sign-in/passkeys.ts';
import { SecondFactors } from '../../../src/accounts/sign-in/second-factors.ts';
import { SoftAuthenticator } from '../../support/authenticator.ts';
import { forEachEngine } from '../../support/engines.ts';
import { ADDRESS, begin, PASSWORD, refused, visit, wire } from '../fixtures.ts';
import {
  addPasskey,
  addTotp,
  again,
  guarded,
  PARTY,
  pend,
  sent,
  verifyAndAdd,
} from './fixtures.ts';

const CHANGED = refused('CONFLICT', /^This was changed in the meantime/);
const NOT_ACCEPTED = refused('REFUSED', /^This passkey was not accepted/);
const NONE = { totpSince: null, passkeys: [], recoveryCodes: 0 };

forEachEngine((_label, open) => {
  it('adds an authenticator app once a code of it was sent', async () => {
    const wiring = wire(await open());
    const { secondFactors, signInSteps, clock } = wiring;
    const session = await visit(wiring);
    const { secret, uri } = await secondFactors.beginTotp(session);
    assert.ok(uri.includes(secret));
    assert.deepEqual(await secondFactors.list(session.accountId), NONE);
    assert.deepEqual(await signInSteps.factorsOf(session.accountId), []);
    const wrong = secondFactors.confirmTotp(session, '000000');
    await assert.rejects(wrong, refused('REFUSED', /^This code is wrong/));
    const codes = await secondFactors.confirmTotp(session, totpCode(secret, clock.now));
    assert.equal(new Set(codes).size, 10);
    const list = await secondFactors.list(session.accountId);
    assert.deepEqual(list, { totpSince: clock.now, passkeys: [], recoveryCodes: 10 });
    const current = await again(wiring, session);
    await assert.rejects(secondFactors.beginTotp(current), refused('REFUSED', /already/));
  });

  it('starts over with another secret, and the first one no longer works', async () => {
    const wiring = wire(await open());
    const { secondFactors, clock } = wiring;
    const session = await visit(wiring);
    const first = await secondFactors.beginTotp(session);
    const second = await secondFactors.beginTotp(session);
    assert.notEqual(first.secret, second.secret);
    await assert.rejects(secondFactors.confirmTotp(session, totpCode(first.secret, clock.now)));
    await secondFactors.confirmTotp(session, totpCode(second.secret, clock.now));
  });

  it('does not take the code that confirmed the app to sign in', async () => {
    const wiring = wire(await open());
    const session = await visit(wiring);
    const { secret } = await wiring.secondFactors.beginTotp(session);
    const code = totpCode(secret, wiring.clock.now);
    await wiring.secondFactors.confirmTotp(session, code);
    const { token } = await pend(wiring);
    await assert.rejects(wiring.signInSteps.finishWithCode(token, sent(code)));
  });

  it('stores recovery codes as digests only', async () => {
    const store = await open();
    const { recoveryCodes } = await guarded(store);
    const rows = await store.accounts.db.selectFrom('recovery_codes').selectAll().execute();
    assert.equal(rows.length, 10);
    for (const code of recoveryCodes) assert.ok(!JSON.stringify(rows).includes(code.slice(0, 4)));
  });

  it('ends every session but the one that made the change', async () => {
    const wiring = wire(await open());
    const { secondFactors, sessions, clock } = wiring;
    const first = await visit(wiring);
    const others: string[] = [];
    const change = async (work: (session: typeof first) => Promise<unknown>) => {
      others.push(await begin(wiring));
      await work(await again(wiring, first));
      await again(wiring, first);
      for (const token of others) assert.equal(await sessions.identify(token), undefined);
    };
    await change((session) => addTotp(wiring, session));
    await change((session) => addPasskey(wiring, session));
    await change((session) => secondFactors.replaceRecoveryCodes(session));
    await change((session) => secondFactors.removeTotp(session));
    const [passkey] = (await secondFactors.list(first.accountId)).passkeys;
    assert.deepEqual(passkey?.createdAt, clock.now);
    await change((session) => secondFactors.removePasskey(session, String(passkey?.id)));
    assert.deepEqual(await secondFactors.list(first.accountId), NONE);
  });

  it('changes nothing for a session that a new password has ended', async () => {
    const wiring = wire(await open());
    const { secondFactors, selfService, clock } = wiring;
    const stolen = await visit(wiring);
    const { secret } = await secondFactors.beginTotp(stolen);
    const change = { current: PASSWORD, next: 'another battery staple', address: ADDRESS };
    await selfService.changePassword(stolen, change);
    const code = totpCode(secret, clock.now);
    await assert.rejects(secondFactors.confirmTotp(stolen, code), CHANGED);
    assert.equal(await wiring.sessions.identify(stolen.token), undefined);
    assert.deepEqual(await secondFactors.list(stolen.accountId), NONE);
  });

  it('makes one of two changes at the same moment, and refuses the other', async () => {
    const store = await open();
    const { wiring, session } = await guarded(store);
    const other = wire(await store.reopen());
    const outcomes = await Promise.allSettled([
      wiring.secondFactors.replaceRecoveryCodes(session),
      other.secondFactors.replaceRecoveryCodes(session),
    ]);
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    const refusedOne = outcomes.find(({ status }) => status === 'rejected');
    assert.ok(refusedOne && 'reason' in refusedOne && CHANGED(refusedOne.reason));
    const [codes = ''] = outcomes.flatMap((outcome) => ('value' in outcome ? outcome.value : []));
    await wiring.signInSteps.finishWithCode((await pend(wiring)).token, sent(codes));
  });

  it('replaces all recovery codes', async () => {
    const { wiring, session, recoveryCodes } = await guarded(await open());
    const codes = await wiring.secondFactors.replaceRecoveryCodes(session);
    assert.equal(codes.length, 10);
    const { token } = await pend(wiring);
    await assert.rejects(wiring.signInSteps.finishWithCode(token, sent(recoveryCodes[0] ?? '')));
    await wiring.signInSteps.finishWithCode(token, sent(codes[0] ?? ''));
    const { recoveryCodes: left } = await wiring.secondFactors.list(session.accountId);
    assert.equal(left, 9);
    const without = await visit(wiring, 'bob@shop.example');
    await assert.rejects(
      wiring.secondFactors.replaceRecoveryCodes(without),
      refused('REFUSED', /^Add a second factor first/),
    );
  });

  it('makes recovery codes with the first factor only', async () => {
    const { wiring, session } = await guarded(await open());
    const passkey = new SoftAuthenticator(PARTY.origin);
    const options = await wiring.secondFactors.passkeyOptions(session, PARTY);
    const response = passkey.create(options);
    const added = { name: 'phone', response };
    assert.deepEqual(await verifyAndAdd(wiring.secondFactors, session, added), []);
  });

  it('adds a passkey once for each challenge, and not for another account', async () => {
    const wiring = wire(await open());
    const { secondFactors } = wiring;
    const ann = await visit(wiring);
    const bob = await visit(wiring, 'bob@shop.example');
    const passkey = new SoftAuthenticator(PARTY.origin);
    const options = await secondFactors.passkeyOptions(ann, PARTY);
    assert.equal(options.user.name, ann.email);
    const added = { name: 'phone', response: passkey.create(options) };
    await assert.rejects(verifyAndAdd(secondFactors, bob, added), NOT_ACCEPTED);
    await assert.rejects(verifyAndAdd(secondFactors, ann, added), NOT_ACCEPTED);
    const second = passkey.create(await secondFactors.passkeyOptions(ann, PARTY));
    await verifyAndAdd(secondFactors, ann, { name: 'phone', response: second });
    const exists = passkey.create(await secondFactors.passkeyOptions(bob, PARTY));
    const twice = verifyAndAdd(secondFactors, bob, { name: 'phone', response: exists });
    await assert.rejects(twice, CHANGED);
    const { excludeCredentials } = await secondFactors.passkeyOptions(
      await again(wiring, ann),
      PARTY,
    );
    assert.deepEqual(
      excludeCredentials?.map(({ id }) => id),
      [passkey.id.toString('base64url')],
    );
  });

  it('adds no passkey that is malformed, of another site, or has a bad name', async () => {
    const wiring = wire(await open());
    const { secondFactors } = wiring;
    const session = await visit(wiring);
    const make = async (faults: Parameters<SoftAuthenticator['create']>[1] = {}) => {
      const options = await secondFactors.passkeyOptions(session, PARTY);
      return new SoftAuthenticator(PARTY.origin).create(options, faults);
    };
    // Its certificate would name an address from which the service is to fetch.
    const certified = ['packed', new Map([['x5c', [new Uint8Array(9)]]])] as const;
    const bad = [
      await make({ origin: 'https://evil.example' }),
      await make({ challenge: 'x' }),
      await make({ attestation: certified as never }),
      await make({ attestation: ['tpm', new Map()] }),
      { ...(await make()), type: 'x' as never },
      { ...(await make()), response: { clientDataJSON: '', attestationObject: '' } },
      { ...(await make()), response: { clientDataJSON: 'e30', attestationObject: 'oA' } },
    ];
    for (const response of bad) {
      const added = verifyAndAdd(secondFactors, session, { name: 'phone', response });
      await assert.rejects(added, NOT_ACCEPTED);
    }
    for (const name of ['', 'a\nb', 'x'.repeat(101), '\0']) {
      const added = verifyAndAdd(secondFactors, session, { name, response: await make() });
      await assert.rejects(added, refused('REFUSED', /^The name of a passkey/));
    }
    assert.deepEqual(await secondFactors.list(session.accountId), NONE);
  });

  it('removes nothing of another account, and nothing twice', async () => {
    const { wiring, session } = await guarded(await open());
    const { secondFactors } = wiring;
    const bob = await visit(wiring, 'bob@shop.example');
    await addPasskey(wiring, bob);
    const [passkey] = (await secondFactors.list(bob.accountId)).passkeys;
    for (const id of [String(passkey?.id), 'x', '', '99', '9'.repeat(20)]) {
      await assert.rejects(secondFactors.removePasskey(session, id), CHANGED);
    }
    await secondFactors.removeTotp(session);
    await assert.rejects(secondFactors.removeTotp(await again(wiring, session)), CHANGED);
  });

  it('keeps the last factor of an operator where operators need one', async () => {
    const store = await open();
    const { wiring, session: ann } = await guarded(store);
    const strict = new SecondFactors(store, wiring.clock.read, { isRequiredOfOperators: true });
    assert.equal(strict.isRequired(ann), false);
    await wiring.accounts.setOperator(ann.email, true);
    const operator = await again(wiring, ann);
    assert.equal(strict.isRequired(operator), true);
    await assert.rejects(strict.removeTotp(operator), refused('REFUSED', /^Operators need/));
    assert.deepEqual(await wiring.signInSteps.factorsOf(ann.accountId), ['totp', 'recovery-code']);
    await addPasskey(wiring, await again(wiring, operator));
    await strict.removeTotp(await again(wiring, operator));
  });

  it('removes all of an account whose owner has lost them', async () => {
    const { wiring, session } = await guarded(await open());
    await addPasskey(wiring, session);
    const { email, accountId } = session;
    assert.equal(await wiring.secondFactors.removeAll(email.toUpperCase()), 2);
    assert.deepEqual(await wiring.secondFactors.list(accountId), NONE);
    assert.equal(await wiring.sessions.identify(session.token), undefined);
    assert.equal(await wiring.secondFactors.removeAll(email), 0);
  });

  it('goes with its account', async () => {
    const store = await open();
    const { wiring, session } = await guarded(store);
    await addPasskey(wiring, session);
    await pend(wiring);
    await wiring.accounts.delete(session.email);
    for (const table of ['totp', 'passkeys', 'recovery_codes', 'challenges'] as const) {
      const rows = await store.accounts.db.selectFrom(table).selectAll().execute();
      assert.deepEqual(rows, [], table);
    }
  });

  it('leaves no expired challenges behind', async () => {
    const store = await open();
    const { signInSteps, clock } = wire(store);
    for (let count = 0; count < 5; count += 1) await signInSteps.soleOptions(PARTY, ADDRESS);
    clock.now += 3_600_000;
    for (let count = 0; count < 5; count += 1) await signInSteps.soleOptions(PARTY, ADDRESS);
    const rows = await store.accounts.db.selectFrom('challenges').selectAll().execute();
    assert.equal(rows.length, 5);
  });
});

describe('Passkeys', () => {
  const PARTIES = [
    ['https://cards.example', 'http://127.0.0.1', 'cards.example'],
    ['https://cards.example:8443', 'http://evil.example', 'cards.example'],
    ['http://localhost:8080', 'http://x.example', 'localhost'],
    ['', 'http://localhost:8080', 'localhost'],
    ['', 'http://cards.localhost', 'cards.localhost'],
    ['', 'http://127.0.0.1:8080', undefined],
    ['', 'http://[::1]:8080', undefined],
    ['', 'https://cards.example', undefined],
    ['', 'https://localhost.evil.example', undefined],
    ['http://cards.example', 'http://localhost', undefined],
    ['https://192.0.2.1', 'http://localhost', undefined],
    ['https://[2001:db8::1]', 'http://localhost', undefined],
  ] as const;

  it('are for the address that the settings name, or this machine', () => {
    for (const [publicUrl, requestOrigin, id] of PARTIES) {
      const party = relyingPartyOf(publicUrl, requestOrigin);
      assert.equal(party?.id, id, `${publicUrl} ${requestOrigin}`);
      if (party) assert.equal(party.origin, publicUrl || requestOrigin);
    }
  });
});
