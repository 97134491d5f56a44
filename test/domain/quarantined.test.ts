import assert from 'node:assert/strict';
import { it } from 'node:test';
import { formatSpan } from '../../src/domain/quarantined.ts';

it('A span of changes has only significant digits, and one end if both are equal', () => {
  assert.equal(formatSpan({ from: 0.25, to: 9.9 }), '0.25× to 9.9×');
  assert.equal(formatSpan({ from: 4, to: 50 }), '4.0× to 50.0×');
  assert.equal(formatSpan({ from: 9.999, to: 99.999 }), '10.0× to 100×');
  assert.equal(formatSpan({ from: 5977.2, to: 5977.4 }), '5977×');
});
