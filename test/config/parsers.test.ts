import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isWebhookSecret } from '../../src/config/parsers.ts';

it('A secret of webhooks has 24 to 64 bytes', () => {
  const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;
  const lengths = Array.from({ length: 80 }, (_, bytes) => bytes);
  const allowed = lengths.filter((bytes) => isWebhookSecret(secretOf(bytes)));
  assert.deepEqual(
    allowed,
    lengths.filter((bytes) => bytes >= 24 && bytes <= 64),
  );
});
