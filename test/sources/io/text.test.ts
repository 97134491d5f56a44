import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { splitLines } from '../../../src/sources/io/text.ts';

/** Yields a text in chunks of some size. */
function* chunks(text: string, size: number): Generator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

describe('the lines of a text', () => {
  test('are the text between its line breaks, however it is chunked', async () => {
    const text = fc.array(fc.constantFrom('a', 'bc', '\n', ' '), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (parts, size) => {
        const whole = parts.join('');
        const expected = whole.split('\n');
        if (expected.at(-1) === '') expected.pop();
        assert.deepEqual(await Array.fromAsync(splitLines(chunks(whole, size))), expected);
      }),
    );
  });

  test('may be long', async () => {
    const started = performance.now();
    const [line] = await Array.fromAsync(splitLines(chunks('x'.repeat(30_000_000), 65_536)));
    assert.equal(line?.length, 30_000_000);
    assert.ok(performance.now() - started < 5000);
  });

  test('are refused when they are endless', async () => {
    const chunk = 'x'.repeat(1024 * 1024);
    function* endless() {
      for (;;) yield chunk;
    }
    await assert.rejects(Array.fromAsync(splitLines(endless())), /a line of more than/);
  });
});
