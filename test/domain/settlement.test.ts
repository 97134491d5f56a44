import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Day, dayOf } from '../../src/domain/day.ts';
import type { QuarantinedPrice } from '../../src/domain/quarantined.ts';
import { closedBecause, settlementOf } from '../../src/domain/settlement.ts';

const NOW = Date.UTC(2026, 0, 28, 12);

/** An entry of a set whose prices moved as a whole. */
function entry(parts: Partial<QuarantinedPrice>): QuarantinedPrice {
  const whole = { rule: 'set-shift', decision: null, days: 1, delisted: [], quarantinedAt: NOW };
  return { ...whole, ...parts } as unknown as QuarantinedPrice;
}

/** After how many days an entry closes; null if it does not wait. */
function closesAfter(parts: Partial<QuarantinedPrice>): number | null {
  const { closesOn } = settlementOf(entry(parts));
  return closesOn && ((closesOn - dayOf(NOW)) as Day);
}

describe('an entry of the quarantine', () => {
  it('waits for 30 days, and for 7 if its day has passed', () => {
    assert.equal(closesAfter({ days: 1 }), 30);
    assert.equal(closesAfter({ days: 2 }), 30);
    assert.equal(closesAfter({ days: 0 }), 7);
    assert.equal(closesAfter({ days: 0, delisted: [5] }), 30);
    assert.equal(closesAfter({ decision: 'rejected' }), null);
  });

  it('says what settles it, which is only a decision if its day has passed', () => {
    assert.match(settlementOf(entry({ days: 0 })).by, /^Only a decision settles it/);
    for (const parts of [{ days: 1 }, { days: 0, delisted: [5] }]) {
      const { by } = settlementOf(entry(parts));
      assert.match(by, /^It is settled when the set returns to its earlier prices, or /);
    }
  });

  it('says why it was closed by itself', () => {
    assert.match(closedBecause(entry({ decision: 'closed' })) ?? '', /^Nothing settled it in 30/);
    assert.match(
      closedBecause(entry({ decision: 'closed', days: 0 })) ?? '',
      /^Its day has passed/,
    );
    assert.equal(closedBecause(entry({ decision: 'rejected' })), null);
    assert.equal(closedBecause(entry({})), null);
  });
});
