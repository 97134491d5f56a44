import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_ROWS, nextBatchPath } from '../../../web/src/cards/batches.ts';

const PATH = '/dashboard/v1/search?q=a&limit=60';

function batch(length: number, total: number) {
  return { data: Array.from({ length }, () => ({})), total, offset: 0 };
}

test('the next batch begins after the loaded ones', () => {
  assert.equal(nextBatchPath(PATH, [batch(60, 150)]), `${PATH}&offset=60`);
  assert.equal(nextBatchPath(PATH, [batch(60, 150), batch(60, 150)]), `${PATH}&offset=120`);
});

test('a later page counts from its first row', () => {
  assert.equal(nextBatchPath(`${PATH}&offset=600`, [batch(60, 900)]), `${PATH}&offset=660`);
  assert.equal(nextBatchPath(`${PATH}&offset=600`, [batch(60, 660)]), undefined);
});

test('there is no next batch after the last one', () => {
  assert.equal(nextBatchPath(PATH, []), undefined);
  assert.equal(nextBatchPath(PATH, [batch(60, 60)]), undefined);
  assert.equal(nextBatchPath(PATH, [batch(60, 150), batch(0, 150)]), undefined, 'cards are gone');
});

test('a page has at most 600 rows', () => {
  const full = Array.from({ length: MAX_ROWS / 60 }, () => batch(60, 5000));
  assert.notEqual(nextBatchPath(PATH, full.slice(1)), undefined);
  assert.equal(nextBatchPath(PATH, full), undefined);
});
