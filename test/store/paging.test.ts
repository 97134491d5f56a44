import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queryInChunks, readPages, writeInChunks } from '../../src/store/engine/paging.ts';

const NUMBERS = Array.from({ length: 12_345 }, (_, index) => index);

test('queries many ids in chunks, and returns the rows of all of them in order', async () => {
  const sizes: number[] = [];
  const rows = await queryInChunks(NUMBERS, async (chunk) => {
    sizes.push(chunk.length);
    return chunk;
  });
  assert.deepEqual(rows, NUMBERS);
  assert.ok(sizes.length > 1 && Math.max(...sizes) <= 32_766);
});

test('queries nothing for no ids', async () => {
  assert.deepEqual(await queryInChunks([], () => assert.fail()), []);
});

test('writes many rows in chunks', async () => {
  const written: number[] = [];
  await writeInChunks(NUMBERS, async (chunk) => written.push(...chunk));
  assert.deepEqual(written, NUMBERS);
});

test('reads all pages of a table, including the first row, without an empty page', async () => {
  const pages: number[][] = [];
  const read = async (above: number) => NUMBERS.filter((id) => id > above).slice(0, 5000);
  for await (const page of readPages(read, (id) => id)) pages.push(page);
  assert.deepEqual(pages.flat(), NUMBERS);
  assert.deepEqual(
    pages.map((page) => page.length),
    [5000, 5000, 2345],
  );
});
