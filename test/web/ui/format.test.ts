import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';

/**
 * The module reads the time zone when it loads, so the test sets the zone first. The query in the
 * specifier loads a second copy in case another test of this process has loaded the module.
 */
const zone = process.env.TZ;
process.env.TZ = 'America/New_York';
const MODULE = '../../../web/src/ui/format.ts?zone=new-york';
const format = (await import(MODULE)) as typeof import('../../../web/src/ui/format.ts');
after(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

/** The functions, each with arguments and the text it returns. */
const FORMATTED: readonly (readonly [
  formatted: string | undefined,
  expected: string | undefined,
])[] = [
  [format.formatMoney(1234.5), '$1,234.50'],
  [format.formatMoney(0), '$0.00'],
  [format.formatMoney(null), 'no price'],
  [format.formatMoney(undefined), 'no price'],
  [format.formatCount(100_000), '100,000'],
  [format.formatShare(1234, 2000), '1,234 of 2,000 (61.7%)'],
  [format.formatShare(0, 0), '0 of 0'],
  [format.formatBytes(0), '0 B'],
  [format.formatBytes(1023), '1,023 B'],
  [format.formatBytes(1024), '1 KB'],
  [format.formatBytes(1.5 * 1024 ** 3), '1.5 GB'],
  [format.formatBytes(5000 * 1024 ** 3), '5,000 GB'],
];

describe('the pages', () => {
  for (const [formatted, expected] of FORMATTED) {
    it(`show ${expected}`, () => assert.equal(formatted, expected));
  }

  it('show the same day in every time zone', () => {
    assert.equal(format.formatDay('2026-01-28'), 'Jan 28, 2026');
  });

  it("show moments in the reader's time zone, or in UTC on request", () => {
    const moment = '2026-01-28T03:05:00.000Z';
    assert.equal(format.formatMoment(moment), 'Jan 27, 2026, 22:05');
    assert.equal(format.formatDate(moment), 'Jan 27, 2026');
    assert.equal(format.formatMoment(moment, 'UTC'), 'Jan 28, 2026, 03:05');
    assert.equal(format.formatDate(moment, 'UTC'), 'Jan 28, 2026');
    assert.equal(format.formatClock('2026-01-28T05:00:00.000Z'), '00:00 EST');
    assert.equal(format.formatClock('2026-07-28T04:30:00.000Z'), '00:30 EDT');
  });

  it('show a change with its sign in dollars and percent', () => {
    for (const [amount, percent, ...formatted] of [
      [12.1, 2.74, '+$12.10', '+2.7%'],
      [-1043.2, -8.71, '-$1,043.20', '-8.7%'],
      [0.01, 0.001, '+$0.01', '0%'],
      [0, 0, '$0.00', '0%'],
    ] as const) {
      const change = { amount, percent };
      assert.deepEqual([format.formatChange(change), format.formatPercent(change)], formatted);
    }
  });

  it('count down in seconds, minutes and hours, and stop at zero', () => {
    for (const [ms, text] of [
      [25_509_000, '7 h 05 min 09 s'],
      [3_600_000, '1 h 00 min 00 s'],
      [65_000, '1 min 05 s'],
      [60_000, '1 min 00 s'],
      [44_100, '45 s'],
      [-5, '0 s'],
    ] as const) {
      assert.equal(format.formatRemaining(ms), text);
    }
  });
});

describe('an age', () => {
  const NOW = Date.parse('2026-01-28T12:00:00Z');
  const ages: [moment: string, age: string][] = [
    ['2026-01-28T11:59:31Z', 'just now'],
    ['2026-01-28T12:00:20Z', 'just now'],
    ['2026-01-28T11:59:00Z', '1 minute ago'],
    ['2026-01-28T11:00:01Z', '59 minutes ago'],
    ['2026-01-28T11:00:00Z', '1 hour ago'],
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

describe('the language of a name', () => {
  it('is Japanese if any of the name is in a Japanese script', () => {
    for (const name of ['リザードン', 'ひとかげ', '拡張パック', 'メガリザードンX ex']) {
      assert.equal(format.languageOf(name), 'ja');
    }
    for (const name of ['Charizard', 'Flabébé', '\u05d3\u05e8\u05e7\u05d5\u05df', '👩‍👩‍👧‍👦', '']) {
      assert.equal(format.languageOf(name), undefined);
    }
  });
});
