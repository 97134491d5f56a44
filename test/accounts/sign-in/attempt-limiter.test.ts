import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { AttemptLimiter } from '../../../src/accounts/sign-in/attempt-limiter.ts';
import { AccountError } from '../../../src/domain/errors.ts';
import { networkOf } from '../../../src/lib/networks.ts';
import { forEachEngine } from '../../support/engines.ts';
import { FixedClock } from '../fixtures.ts';

const ANN = 'ann@shop.example';
const DAY = 24 * 3_600_000;

forEachEngine((label, open) => {
  async function throttled() {
    const store = await open();
    const clock = new FixedClock();
    return { store, clock, throttle: new AttemptLimiter(store, clock.read) };
  }

  /** How often an attempt is let through before there is a wait, and then the waits in seconds. */
  async function waits(
    { throttle, clock }: { throttle: AttemptLimiter; clock: FixedClock },
    ...[attempt, who]: Parameters<AttemptLimiter['count']>
  ): Promise<[free: number, ...seconds: number[]]> {
    let free = 0;
    const seconds: number[] = [];
    while (seconds.length < 14) {
      const wait = await retryAfter(throttle.count(attempt, who));
      if (wait === 0) {
        if (seconds.length === 0) free += 1;
        continue;
      }
      seconds.push(wait);
      clock.now += wait * 1000 - 1;
      assert.equal(await retryAfter(throttle.count(attempt, who)), 1, 'a moment too early');
      clock.now += 1;
    }
    return [free, ...seconds];
  }

  it('makes an account wait after 5 failures, each time twice as long, up to a minute', async () => {
    const seconds = await waits(await throttled(), 'signInAccount', ANN);
    assert.deepEqual(seconds, [5, 1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60, 60, 60, 60]);
  });

  it('makes an address wait after 20 failures, up to a quarter of an hour', async () => {
    const seconds = await waits(await throttled(), 'signInAddress', '192.0.2.7');
    assert.deepEqual(seconds, [20, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900]);
  });

  it('makes a known browser wait after 10 failures, up to a quarter of an hour', async () => {
    const seconds = await waits(await throttled(), 'signInDevice', 'a known browser');
    assert.deepEqual(seconds, [10, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900]);
  });

  it('slows down an address that signs up or asks for reset links many times', async () => {
    const growing = [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600, 3600, 3600, 3600, 3600, 3600];
    const all = await throttled();
    assert.deepEqual(await waits(all, 'signUpAddress', '192.0.2.7'), [10, ...growing]);
    assert.deepEqual(await waits(all, 'forgotAddress', '192.0.2.7'), [10, ...growing]);
    const links = [3, 60, 120, 240, 480, 960, ...Array(9).fill(1800)];
    assert.deepEqual(await waits(all, 'forgotAccount', ANN), links);
    assert.deepEqual(await waits(all, 'signUpAccount', ANN), links);
  });

  it('says how long to wait', async () => {
    const { throttle } = await throttled();
    for (let more = 0; more < 5; more += 1) await throttle.count('signInAccount', ANN);
    await assert.rejects(throttle.count('signInAccount', ANN), {
      code: 'TOO_MANY_ATTEMPTS',
      reason: 'Too many attempts. Try again in 1 s.',
      retryAfter: 1,
    });
    for (let more = 0; more < 3; more += 1) await throttle.count('forgotAccount', ANN);
    await assert.rejects(throttle.count('forgotAccount', ANN), { retryAfter: 60 });
  });

  it('counts each account and each network separately, in any spelling', async () => {
    const { throttle } = await throttled();
    const isFree = async (...attempt: Parameters<AttemptLimiter['count']>) =>
      (await retryAfter(throttle.count(...attempt))) === 0;
    for (let more = 0; more < 5; more += 1) await throttle.count('signInAccount', ANN);
    assert.ok(!(await isFree('signInAccount', 'Ann@Shop.Example')));
    assert.ok(await isFree('signInAccount', 'bob@shop.example'));
    assert.ok(await isFree('forgotAccount', ANN));
    for (let last = 1; last <= 20; last += 1) {
      await throttle.count('signInAddress', `2001:db8:1:2::${last.toString(16)}`);
    }
    assert.ok(!(await isFree('signInAddress', '2001:0DB8:1:2:ffff:ffff:ffff:ffff')));
    assert.ok(await isFree('signInAddress', '2001:db8:1:3::1'));
  });

  it('also counts the wide network of an address, with a higher limit and short waits', async () => {
    for (const addressOf of [
      (index: number) => `192.0.2.${index % 256}`,
      (index: number) => `2001:db8:1:${index.toString(16)}::1`,
    ]) {
      const { throttle, clock } = await throttled();
      for (let more = 0; more < 200; more += 1) {
        await throttle.count('signInAddress', addressOf(more));
      }
      assert.equal(await retryAfter(throttle.count('signInAddress', addressOf(201))), 1);
      assert.equal(await retryAfter(throttle.count('signInAddress', '203.0.113.9')), 0);
      await throttle.uncount('signInAddress', addressOf(0));
      await throttle.count('signInAddress', addressOf(202));
      for (let more = 0; more < 12; more += 1) {
        clock.now += 60_000;
        await throttle.count('signInAddress', addressOf(300 + more));
      }
    }
  });

  it('does not count for one network what the other one refuses', async () => {
    const { throttle, store } = await throttled();
    for (let more = 0; more < 20; more += 1) await throttle.count('signInAddress', '192.0.2.7');
    for (let more = 0; more < 5; more += 1) {
      assert.equal(await retryAfter(throttle.count('signInAddress', '192.0.2.7')), 1);
    }
    const rows = await store.accounts.db.selectFrom('attempts').selectAll().execute();
    assert.deepEqual(
      rows.map(({ failures }) => failures),
      [20, 20],
    );
  });

  it('uncounts for an address what its wide network refuses', async () => {
    const { throttle, store } = await throttled();
    for (let address = 0; address < 100; address += 1) {
      await throttle.count('signUpAddress', `192.0.2.${address}`);
    }
    assert.equal(await retryAfter(throttle.count('signUpAddress', '192.0.2.200')), 1);
    const rows = await store.accounts.db
      .selectFrom('attempts')
      .select('failures')
      .where('subject', 'in', ['signUpAddress 192.0.2.200', 'signUpAddress 192.0.2.0/24'])
      .orderBy('failures')
      .execute();
    assert.deepEqual(rows, [{ failures: 0 }, { failures: 100 }]);
  });

  it('forgets after a success, and after a day without an attempt', async () => {
    const { throttle, clock } = await throttled();
    const tryOften = async () => {
      for (let more = 0; more < 5; more += 1) await throttle.count('signInAccount', ANN);
    };
    await tryOften();
    await throttle.forget('signInAccount', ANN);
    await tryOften();
    clock.now += DAY - 1;
    await throttle.count('signInAccount', ANN);
    assert.equal(await retryAfter(throttle.count('signInAccount', ANN)), 2);
    clock.now += DAY;
    await tryOften();
  });

  it('uncounts one attempt that did not fail, and no other', async () => {
    const { throttle } = await throttled();
    for (let more = 0; more < 30; more += 1) {
      await throttle.count('signInAddress', '192.0.2.7');
      await throttle.uncount('signInAddress', '192.0.2.7');
    }
    await throttle.uncount('signInAddress', '192.0.2.7');
    for (let more = 0; more < 20; more += 1) await throttle.count('signInAddress', '192.0.2.7');
    assert.equal(await retryAfter(throttle.count('signInAddress', '192.0.2.7')), 1);
  });

  it('never waits longer because the clock was wrong', async () => {
    const { throttle, clock } = await throttled();
    const now = clock.now;
    clock.now += DAY;
    for (let more = 0; more < 5; more += 1) await throttle.count('signInAccount', ANN);
    clock.now = now;
    await throttle.count('signInAccount', ANN);
    assert.equal(await retryAfter(throttle.count('signInAccount', ANN)), 2);
  });

  it('deletes old attempts, and never stores an e-mail address', async () => {
    const { throttle, clock, store } = await throttled();
    for (let more = 0; more < 4; more += 1) {
      await throttle.count('signInAccount', `old${more}@shop.example`);
    }
    clock.now += DAY + 1;
    for (let more = 0; more < 4; more += 1) {
      await throttle.count('signInAccount', `new${more}@shop.example`);
    }
    const rows = await store.accounts.db.selectFrom('attempts').selectAll().execute();
    assert.equal(rows.length, 4);
    assert.ok(rows.every(({ last_at }) => last_at === clock.now));
    assert.doesNotMatch(JSON.stringify(rows), /shop/);
  });

  it('allows exactly what the rule allows when many try at the same moment', async () => {
    const { store, clock, throttle } = await throttled();
    const throttles = [throttle, new AttemptLimiter(await store.reopen(), clock.read)];
    let subject = 0;
    const rounds = fc.array(
      fc.record({
        pause: fc.integer({ min: 0, max: 70_000 }),
        tries: fc.integer({ min: 1, max: 9 }),
      }),
      { maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(rounds, async (all) => {
        subject += 1;
        const email = `${subject}@shop.example`;
        const rule = new SignInRule();
        for (const { pause, tries } of all) {
          clock.now += pause;
          const allowed = Array.from({ length: tries }, () => rule.allows(clock.now));
          const counts = await Promise.allSettled(
            allowed.map((_, index) => throttles[index % 2]?.count('signInAccount', email)),
          );
          const passed = counts.filter(({ status }) => status === 'fulfilled').length;
          assert.equal(passed, allowed.filter(Boolean).length);
        }
      }),
      { numRuns: label === 'SQLite' ? 60 : 20, endOnFailure: true },
    );
  });
});

describe('a network', () => {
  const networks: [string, string][] = [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:2::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['1::2:3:4:5:6:192.0.2.7', 'unknown'],
    ['1::4:5:6:192.0.2.7', '1:0:0:4::/64'],
    ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
    ['', 'unknown'],
    ['localhost', 'unknown'],
    ['192.0.2.7, 10.0.0.1', 'unknown'],
    ['::ffff:999.0.2.7', 'unknown'],
    ['x'.repeat(10_000), 'unknown'],
  ];
  for (const [address, network] of networks) {
    it(`of ${address.slice(0, 40) || 'nothing'} is ${network}`, () => {
      assert.equal(networkOf(address), network);
    });
  }
});

/** What the rule for an account says of attempts that come one after the other. */
class SignInRule {
  #failures = 0;
  #last = 0;

  allows(now: number): boolean {
    const seconds = this.#failures < 5 ? 0 : Math.min(60, 2 ** (this.#failures - 5));
    if (now < this.#last + seconds * 1000) return false;
    this.#failures += 1;
    this.#last = now;
    return true;
  }
}

/** The seconds that an attempt was told to wait; 0 when it was let through. */
async function retryAfter(attempt: Promise<void>): Promise<number> {
  try {
    await attempt;
    return 0;
  } catch (error) {
    if (error instanceof AccountError && error.retryAfter !== undefined) return error.retryAfter;
    throw error;
  }
}
