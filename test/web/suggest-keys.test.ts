import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { afterKey, CLOSED, type ListState } from '../../web/src/parts/suggest-keys.ts';

const open = (active: number): ListState => ({ isOpen: true, active });

test('the arrows walk through the suggestions and back to the text', () => {
  assert.deepEqual(afterKey('ArrowDown', open(-1), 2), open(0));
  assert.deepEqual(afterKey('ArrowDown', open(0), 2), open(1));
  assert.deepEqual(afterKey('ArrowDown', open(1), 2), open(-1));
  assert.deepEqual(afterKey('ArrowUp', open(-1), 2), open(1));
  assert.deepEqual(afterKey('ArrowUp', open(0), 2), open(-1));
});

test('an arrow opens a closed list; Escape closes it, and is left alone where there is none', () => {
  assert.deepEqual(afterKey('ArrowDown', CLOSED, 3), open(-1));
  assert.deepEqual(afterKey('Escape', open(2), 3), CLOSED);
  assert.equal(afterKey('Escape', CLOSED, 3), undefined);
});

test('other keys are for the text', () => {
  for (const key of ['a', 'Home', 'ArrowLeft', 'Tab', 'Enter']) {
    assert.equal(afterKey(key, open(0), 3), undefined, key);
  }
});

test('whatever is pressed, the chosen suggestion is one that is shown', () => {
  const keys = fc.array(fc.constantFrom('ArrowDown', 'ArrowUp', 'Escape', 'x'));
  fc.assert(
    fc.property(keys, fc.nat({ max: 6 }), (pressed, count) => {
      let state = CLOSED;
      for (const key of pressed) {
        state = afterKey(key, state, count) ?? state;
        assert.ok(state.active >= -1 && state.active < Math.max(count, 1) && state.active < count);
      }
    }),
  );
});
