import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CLOSED, type ListState, nextListState } from '../../../web/src/ui/list-state.ts';

const open = (active: number): ListState => ({ isOpen: true, active });

test('the arrow keys step through the suggestions, and none follows the last', () => {
  assert.deepEqual(nextListState('ArrowDown', open(-1), 2), open(0));
  assert.deepEqual(nextListState('ArrowDown', open(0), 2), open(1));
  assert.deepEqual(nextListState('ArrowDown', open(1), 2), open(-1));
  assert.deepEqual(nextListState('ArrowUp', open(-1), 2), open(1));
  assert.deepEqual(nextListState('ArrowUp', open(0), 2), open(-1));
});

test('an arrow key opens a closed list; Escape closes an open one and does nothing else', () => {
  assert.deepEqual(nextListState('ArrowDown', CLOSED, 3), open(-1));
  assert.deepEqual(nextListState('Escape', open(2), 3), CLOSED);
  assert.equal(nextListState('Escape', CLOSED, 3), undefined);
});

test('other keys do not change the list', () => {
  for (const key of ['a', 'Home', 'ArrowLeft', 'Tab', 'Enter']) {
    assert.equal(nextListState(key, open(0), 3), undefined, key);
  }
});

test('after any keys, the active suggestion is in the list', () => {
  const keys = fc.array(fc.constantFrom('ArrowDown', 'ArrowUp', 'Escape', 'x'));
  fc.assert(
    fc.property(keys, fc.nat({ max: 6 }), (pressed, count) => {
      let state = CLOSED;
      for (const key of pressed) {
        state = nextListState(key, state, count) ?? state;
        assert.ok(state.active >= -1 && state.active < Math.max(count, 1) && state.active < count);
      }
    }),
  );
});
