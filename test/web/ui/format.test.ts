import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';

/**
 * The module reads the time zone when it is loaded, so the zone is set before. The query loads the
 * module once more, should another test of this process have loaded it in its own zone.
 */
const zone = process.env.TZ;
process.env.TZ = 'America/New_York';
const MODULE = '../../../web/src/ui/format.ts?zone=new-york';
const format = (await import(MODULE)) as typeof import('../../../web/src/ui/format.ts');
after(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
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
  });
});
