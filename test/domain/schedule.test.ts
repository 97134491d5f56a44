import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  formatAge,
  nextTime,
  parseDuration,
  parseTimeOfDay,
  type TimeOfDay,
} from '../../src/domain/sync.ts';

const HOUR = 3_600_000;

describe('a time of the day', () => {
  it('is hours and minutes', () => {
    assert.equal(parseTimeOfDay('00:00'), 0);
    assert.equal(parseTimeOfDay('21:30'), 1290);
    for (const text of ['24:00', '9:30', '21:60', '21.30', ' 21:30', '']) {
      assert.equal(parseTimeOfDay(text), undefined, text);
    }
  });

  it('comes today or tomorrow, and never just now', () => {
    const times = [21 * 60 + 30, 9 * 60] as TimeOfDay[];
    for (const [now, next] of [
      ['2027-01-28T08:59:59Z', '2027-01-28T09:00:00Z'],
      ['2027-01-28T09:00:00Z', '2027-01-28T21:30:00Z'],
      ['2027-01-31T21:30:00Z', '2027-02-01T09:00:00Z'],
    ] as const) {
      assert.equal(nextTime(times, Date.parse(now)), Date.parse(next));
    }
  });
});

describe('a duration', () => {
  it('is minutes, hours or days', () => {
    assert.equal(parseDuration('90m'), 1.5 * HOUR);
    assert.equal(parseDuration('60h'), 60 * HOUR);
    assert.equal(parseDuration('3d'), 72 * HOUR);
    for (const text of ['0h', '60', 'h', '1.5h', '-1h', '1w', '', '123456h']) {
      assert.equal(parseDuration(text), undefined, text);
    }
  });

  it('is shown in the unit that people would use', () => {
    assert.equal(formatAge(59 * 60_000), '59 min');
    assert.equal(formatAge(1.9 * HOUR), '1 h');
    assert.equal(formatAge(47 * HOUR), '47 h');
    assert.equal(formatAge(60 * HOUR), '2.5 d');
  });
});
