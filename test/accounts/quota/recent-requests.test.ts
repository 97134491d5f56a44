import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { RecentRequests } from '../../../src/accounts/quota/usage-recorder.ts';

describe('recent requests', () => {
  it('are the last ones of each account, within the limits', () => {
    const accounts = fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 60 });
    fc.assert(
      fc.property(accounts, fc.nat(5), fc.nat(20), (asking, ofAccount, inAll) => {
        const recent = new RecentRequests<number>({ ofAccount, inAll });
        for (const [index, account] of asking.entries()) recent.add(account, index);
        const taken = Map.groupBy(recent.take(), ([account]) => account);
        const total = [...taken.values()].flat().length;
        assert.ok(total <= inAll);
        for (const [account, requests] of taken) {
          const own = [...asking.entries()].filter(([, other]) => other === account);
          const last = own.slice(-requests.length).map(([index]) => index);
          assert.ok(requests.length <= ofAccount);
          assert.deepEqual(
            requests.map(([, index]) => index).toSorted((a, b) => a - b),
            last,
          );
        }
        const wanted = Map.groupBy(asking, (account) => account);
        const all = [...wanted.values()].map(({ length }) => Math.min(length, ofAccount));
        assert.equal(
          total,
          Math.min(
            inAll,
            all.reduce((sum, count) => sum + count, 0),
          ),
        );
        assert.deepEqual(recent.take(), []);
        for (const [index, account] of asking.entries()) recent.add(account, index);
        assert.equal(recent.take().length, total, 'as many fit again');
      }),
    );
  });
});
