import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { GZIP_HEADER, GzipEnd, type Packed, packed } from '../../src/commands/bulk/gzip.ts';

function fileOf(parts: readonly Packed[]): Buffer {
  const end = new GzipEnd();
  for (const { text } of parts) end.add(text);
  return Buffer.concat([GZIP_HEADER, ...parts.map(({ deflated }) => deflated), end.bytes()]);
}

/** Reads a gzip file as browsers do, which refuse anything after its first member. */
async function readInBrowser(file: Buffer): Promise<string> {
  const stream = new Blob([new Uint8Array(file)]).stream();
  return new Response(stream.pipeThrough(new DecompressionStream('gzip'))).text();
}

function packedText(text: string): Promise<Packed> {
  return packed(Buffer.from(text));
}

describe('packed texts', () => {
  const texts = fc.array(fc.string({ unit: 'grapheme', size: 'large' }), { maxLength: 8 });

  it('are in one gzip file what they are one after the other', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (all) => {
        const file = fileOf(await Promise.all(all.map(packedText)));
        assert.equal(gunzipSync(file).toString(), all.join(''));
        assert.equal(await readInBrowser(file), all.join(''));
      }),
    );
  });

  it('can be in several files, in any order', async () => {
    const [head, ours, theirs] = await Promise.all(['id\n', 'a,1\n', 'b,2\n'].map(packedText));
    assert.ok(head && ours && theirs);
    assert.equal(gunzipSync(fileOf([head, theirs])).toString(), 'id\nb,2\n');
    assert.equal(gunzipSync(fileOf([head, ours, theirs])).toString(), 'id\na,1\nb,2\n');
  });
});
