import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RateLimiter } from '../../src/accounts/quota/rate-limiter.ts';
import { MS_PER_DAY } from '../../src/domain/day.ts';
import { freeImportLock, takeImportLock } from '../../src/store/catalogue/imports.ts';
import { forEachEngine } from '../support/engines.ts';
import {
  addAccount,
  begin,
  CLIENT,
  chargeTogether,
  enrol,
  identified,
  PASSWORD,
  wire,
} from './fixtures.ts';

const EMAIL = 'ann@shop.example';
/** Requests a day of the plan. */
const QUOTA = 200;

describe('A clock that is set back by a day', () => {
  it('makes nobody wait for a burst that is over', () => {
    const limiter = new RateLimiter();
    const limit = { requests: 2, seconds: 1 };
    const now = Date.UTC(2026, 0, 28);
    assert.deepEqual([limiter.wait(1, limit, now), limiter.wait(1, limit, now)], [0, 0]);
    assert.ok(limiter.wait(1, limit, now) > 0);
    const before = now - MS_PER_DAY;
    assert.deepEqual([limiter.wait(1, limit, before), limiter.wait(1, limit, before)], [0, 0]);
    assert.ok(limiter.wait(1, limit, before) > 0, 'the limit holds again');
    assert.ok(limiter.wait(1, limit, before - 5) > 0, 'requests that overtake each other count');
  });
});

forEachEngine((_label, open) => {
  it('a clock that is set back gives nobody more of a day than the plan', async () => {
    const wiring = wire(await open());
    const key = await addAccount(wiring);
    const granted = async () => {
      const caller = await identified(wiring.authenticator, key);
      const charges = await chargeTogether(wiring.authenticator, caller, QUOTA + 20);
      return charges.filter((charge) => charge.granted).length;
    };
    assert.equal(await granted(), QUOTA);
    wiring.clock.now -= MS_PER_DAY;
    assert.equal(await granted(), QUOTA, 'the day before has its own quota, once');
    wiring.clock.now += MS_PER_DAY;
    assert.equal(await granted(), 0);
    wiring.clock.now -= MS_PER_DAY;
    assert.equal(await granted(), 0);
  });

  it('a clock that is set back ends no session and locks nobody out', async () => {
    const wiring = wire(await open());
    await enrol(wiring);
    const signIn = (password: string) => {
      return wiring.selfService.signIn({ email: EMAIL, password, address: CLIENT.address });
    };
    const fail = () => signIn('wrong horse battery').catch(() => {});
    for (let time = 0; time < 8; time += 1) await fail();
    await assert.rejects(signIn(PASSWORD), /Too many attempts/);
    wiring.clock.now -= MS_PER_DAY;
    await signIn(PASSWORD);
    const token = await begin(wiring);
    wiring.clock.now -= MS_PER_DAY;
    assert.equal((await wiring.sessions.identify(token))?.email, EMAIL);
  });

  it('a lock that was taken before the clock was set back is free for others', async () => {
    const { db } = await open();
    const now = Date.UTC(2026, 0, 28);
    const lease = 60_000;
    const take = (holder: string, at: number) => takeImportLock(db, holder, at, at + lease);
    assert.equal(await take('gone:1', now + MS_PER_DAY), true);
    assert.equal(await take('here:2', now), true);
    assert.equal(await take('there:3', now + 1), false, 'a lock of this clock holds');
    await freeImportLock(db, 'here:2');
  });
});
