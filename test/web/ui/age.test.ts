import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatAge } from '../../../web/src/ui/age.ts';

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
    it(`of ${moment} is "${age}"`, () => assert.equal(formatAge(moment, NOW), age));
  }
});
