import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';

/** The module reads the time zone when it is loaded, so the zone is set before. */
let format: typeof import('../../../web/src/ui/format.ts');
before(async () => {
  process.env.TZ = 'America/New_York';
  format = await import('../../../web/src/ui/format.ts');
});

describe('the pages', () => {
  it('format amounts in dollars, and a missing amount as a text', () => {
    assert.equal(format.formatMoney(1234.5), '$1,234.50');
    assert.equal(format.formatMoney(0), '$0.00');
    assert.equal(format.formatMoney(null), 'no price');
    assert.equal(format.formatMoney(undefined), 'no price');
  });

  it('format counts with separators', () => {
    assert.equal(format.formatCount(100_000), '100,000');
  });

  it('format a day as the same day in every time zone', () => {
    assert.equal(format.formatDay('2026-01-28'), 'Jan 28, 2026');
  });

  it("format moments in the reader's time zone", () => {
    assert.equal(format.formatMoment('2026-01-28T03:05:00.000Z'), 'Jan 27, 2026, 22:05');
    assert.equal(format.formatDate('2026-01-28T03:05:00.000Z'), 'Jan 27, 2026');
    assert.equal(format.formatClock('2026-01-28T05:00:00.000Z'), '00:00 EST');
    assert.equal(format.formatClock('2026-07-28T04:30:00.000Z'), '00:30 EDT');
  });
});

describe('an age', () => {
  const NOW = Date.parse('2026-01-28T12:00:00Z');
  const ages: [string, string][] = [
    ['2026-01-28T11:59:31Z', 'just now'],
    ['2026-01-28T12:00:20Z', 'just now'],
    ['2026-01-28T11:59:00Z', '1 minute ago'],
    ['2026-01-28T11:00:01Z', '59 minutes ago'],
    ['2026-01-28T10:30:00Z', '1 hour ago'],
    ['2026-01-28T09:00:00Z', '3 hours ago'],
    ['2026-01-27T12:00:00Z', '24 hours ago'],
    ['2026-01-25T12:00:00Z', '3 days ago'],
    ['2025-11-20T12:00:00Z', '2 months ago'],
    ['2024-01-20T12:00:00Z', '2 years ago'],
    ['2026-01-28T15:00:00Z', 'in 3 hours'],
  ];
  for (const [moment, age] of ages) {
    it(`of ${moment} is "${age}"`, () => assert.equal(format.formatAge(moment, NOW), age));
  }
});

describe('a countdown', () => {
  it('has seconds, and minutes and hours only from one on', () => {
    assert.equal(format.formatRemaining(25_509_000), '7 h 05 min 09 s');
    assert.equal(format.formatRemaining(65_000), '1 min 05 s');
    assert.equal(format.formatRemaining(44_100), '45 s');
  });

  it('ends at zero', () => {
    assert.equal(format.formatRemaining(-5), '0 s');
  });
});
