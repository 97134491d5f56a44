import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';

/** The module reads the time zone when it is loaded, so the zone is set before. */
let quotaTime: typeof import('../../../web/src/account/quota-time.ts');
before(async () => {
  process.env.TZ = 'America/New_York';
  quotaTime = await import('../../../web/src/account/quota-time.ts');
});

it("the time of day is in the reader's time zone", () => {
  assert.equal(quotaTime.formatClock('2026-01-28T05:00:00.000Z'), '00:00 EST');
  assert.equal(quotaTime.formatClock('2026-07-28T04:30:00.000Z'), '00:30 EDT');
});

describe('a countdown', () => {
  it('has seconds, and minutes and hours only from one on', () => {
    assert.equal(quotaTime.formatRemaining(25_509_000), '7 h 05 min 09 s');
    assert.equal(quotaTime.formatRemaining(65_000), '1 min 05 s');
    assert.equal(quotaTime.formatRemaining(44_100), '45 s');
  });

  it('ends at zero', () => {
    assert.equal(quotaTime.formatRemaining(-5), '0 s');
  });
});
