import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { displayLocation } from '../../src/domain/location.ts';

const SHOWN = [
  ['cards.db', 'cards.db'],
  ['/var/lib/a:b@c/cards.db', '/var/lib/a:b@c/cards.db'],
  ['postgres://ann@db/cards', 'postgres://ann@db/cards'],
  ['postgres://ann:secret@db:5433/cards', 'postgres://ann:***@db:5433/cards'],
  [
    'postgresql://ann:secret@db/cards?sslmode=require',
    'postgresql://ann:***@db/cards?sslmode=require',
  ],
  ['postgres://db/cards?user=ann&password=secret', 'postgres://db/cards?***'],
  ['postgres://ann:se/cret@db/cards', 'postgres://***'],
  ['postgres://ann:12/34@db/cards', 'postgres://***'],
  ['postgres://ann:se@cret@db/cards', 'postgres://***'],
  ['postgres://ann:se#cret@db/cards', 'postgres://***'],
  ['postgres://ann:se?cret@db/cards', 'postgres://***'],
  ['postgres://ann:%zz@db:x/cards', 'postgres://***'],
] as const;

for (const [location, shown] of SHOWN) {
  it(`shows ${location} as ${shown}`, () => assert.equal(displayLocation(location), shown));
}

it('never shows a password, whatever is in it and however it is given', () => {
  const password = fc
    .string({ unit: 'grapheme-ascii', minLength: 1 })
    .map((text) => `S3CRET${text}S3CRET`);
  fc.assert(
    fc.property(password, fc.boolean(), fc.boolean(), (text, isEscaped, isParameter) => {
      const written = isEscaped ? encodeURIComponent(text) : text;
      const location = isParameter
        ? `postgres://ann@db/cards?sslmode=require&password=${written}`
        : `postgres://ann:${written}@db/cards`;
      return !displayLocation(location).includes('S3CRET');
    }),
    { numRuns: 2000 },
  );
});
