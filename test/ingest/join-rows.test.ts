import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinRows } from '../../src/ingest/pricing/resolve.ts';
import { type Reported, resolved } from '../support/resolved.ts';

const PLAYED: Reported = { is: { lightly_played: 8 } };

/** Joins a near mint row with another row of the same printing. */
function join(other: Reported) {
  const rows = [resolved({ is: { near_mint: 10 } }), resolved(other)];
  return joinRows(rows).map(({ observation }) => observation.conditions);
}

describe('rows of one printing', () => {
  it('are joined when they agree', () => {
    assert.deepEqual(join(PLAYED), [{ near_mint: 1000, lightly_played: 800 }]);
  });

  const APART: [how: string, other: Reported][] = [
    ['currency', { ...PLAYED, currency: 'EUR' }],
    ['day', { ...PLAYED, on: '2026-01-27' }],
    ['marketplace', { ...PLAYED, marketplace: 'cardmarket' }],
    ['source', { ...PLAYED, source: 'justtcg' }],
    ['printing', { ...PLAYED, printing: 'Normal' }],
    ['card', { ...PLAYED, card: 2 }],
  ];
  for (const [how, other] of APART) {
    it(`stay apart when they differ in their ${how}`, () => {
      assert.deepEqual(join(other), [{ near_mint: 1000 }, { lightly_played: 800 }]);
    });
  }

  it('stay apart when they contradict each other', () => {
    const left = join({ is: { near_mint: 12, lightly_played: 8 } });
    assert.deepEqual(left, [{ near_mint: 1000 }, { near_mint: 1200, lightly_played: 800 }]);
  });
});
