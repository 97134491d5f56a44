import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import {
  apiKeyHint,
  createApiKey,
  hashApiKey,
  isApiKey,
} from '../../../src/accounts/keys/api-key.ts';

it('makes unique keys that it recognises', () => {
  const keys = Array.from({ length: 100 }, createApiKey);
  for (const key of keys) {
    assert.match(key, /^cp_live_[\w-]{49}$/);
    assert.ok(isApiKey(key));
  }
  assert.equal(new Set(keys).size, keys.length);
});

it('rejects a key with any one character changed', () => {
  const key = createApiKey();
  fc.assert(
    fc.property(
      fc.nat(key.length - 1),
      fc.oneof(fc.string({ minLength: 1, maxLength: 1 }), fc.string({ unit: 'grapheme' })),
      (at, other) => {
        fc.pre(other !== key[at]);
        assert.equal(isApiKey(key.slice(0, at) + other + key.slice(at + 1)), false);
      },
    ),
    { numRuns: 2000 },
  );
});

it('rejects texts that are not keys, of any length', () => {
  const key = createApiKey();
  const others = ['', 'cp_live_', ` ${key}`, `${key} `, key.slice(1), key.toUpperCase(), key + key];
  for (const text of [...others, 'x'.repeat(1_000_000), `cp_live_${'\0'.repeat(49)}`]) {
    assert.equal(isApiKey(text), false);
  }
});

it('hashes a key the same in every process, and hints at its last characters', () => {
  const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  assert.equal(hashApiKey('abc'), digest);
  assert.equal(apiKeyHint('cp_live_abcdef'), 'cdef');
});
