import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Type } from 'typebox';
import { jsonColumn } from '../../src/lib/json-column.ts';

const COLUMN = jsonColumn<{ readonly count: number }>(
  'things.content',
  Type.Object({ count: Type.Integer() }),
);

it('writes a value and reads it back, with members that the schema does not list', () => {
  const value = { count: 2, more: ['a'] };
  assert.equal(COLUMN.write(value), '{"count":2,"more":["a"]}');
  assert.deepEqual(COLUMN.read(COLUMN.write(value)), value);
});

it('writes null as null and reads it back', () => {
  assert.equal(COLUMN.write(null), null);
  assert.equal(COLUMN.read(null), null);
});

for (const stored of ['{"cou', '[]', '{}', '{"count":"2"}', '']) {
  it(`refuses ${stored || 'an empty text'}, with the name of the column`, () => {
    const message = `The column things.content holds damaged JSON: ${stored}`;
    assert.throws(() => COLUMN.read(stored), { message });
  });
}

it('shows only the beginning of a long text', () => {
  const stored = JSON.stringify('x'.repeat(500));
  assert.throws(
    () => COLUMN.read(stored),
    ({ message }: Error) => message.length < 150,
  );
});
