import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isZip } from '../../../src/sources/io/zip.ts';

it('A zip archive begins with the four bytes of its first entry', () => {
  const begin = [0x50, 0x4b, 3, 4];
  assert.equal(isZip(new Uint8Array([...begin, 20, 0])), true);
  for (const [at, byte] of begin.entries()) {
    assert.equal(isZip(new Uint8Array(begin.with(at, byte + 1))), false, `byte ${at}`);
  }
  assert.equal(isZip(new TextEncoder().encode('PK,price\n')), false);
  assert.equal(isZip(new Uint8Array()), false);
});
