import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { displayLocation, isLocation } from '../../src/domain/location.ts';

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
  ['Postgres://ann:secret@db/cards', '***'],
  ['POSTGRES://ann:secret@db/cards', '***'],
  [' postgres://ann:secret@db/cards', '***'],
  ['postgres:/ann:secret@db/cards', '***'],
  ['mysql://ann:secret@db/cards', '***'],
  ['host=db user=ann password=secret', '***'],
] as const;

for (const [location, shown] of SHOWN) {
  it(`shows ${location} as ${shown}`, () => assert.equal(displayLocation(location), shown));
}

const PASSWORD = fc
  .string({ unit: 'grapheme-ascii', minLength: 1 })
  .map((text) => `S3CRET${text}S3CRET`);

it('never shows a password, in any form and with any characters', () => {
  fc.assert(
    fc.property(PASSWORD, fc.boolean(), fc.boolean(), (text, isEscaped, isParameter) => {
      const written = isEscaped ? encodeURIComponent(text) : text;
      const location = isParameter
        ? `postgres://ann@db/cards?sslmode=require&password=${written}`
        : `postgres://ann:${written}@db/cards`;
      return !displayLocation(location).includes('S3CRET');
    }),
    { numRuns: 2000 },
  );
});

/** URLs of any scheme, with slips, and lists of parameters: with a password each. */
const NO_LOCATION = fc.oneof(
  fc
    .record({
      before: fc.constantFrom('', ' ', '\t', '"', "'", '\ufeff'),
      scheme: fc
        .oneof(
          fc.constantFrom('Postgres', 'POSTGRES', 'postgressql', 'mysql', 'jdbc:postgresql'),
          fc.stringMatching(/^[A-Za-z][A-Za-z\d+.-]{1,10}$/),
        )
        .filter((name) => !/^postgres(ql)?$/.test(name)),
      slashes: fc.constantFrom('', '/', '//', '///'),
      password: PASSWORD,
    })
    .map(({ before, scheme, slashes, password }) => {
      return `${before}${scheme}:${slashes}ann:${password}@db/cards`;
    }),
  fc
    .record({
      before: fc.constantFrom('', ' ', '"', 'host=db ', 'Server=db;', 'cards.db?'),
      name: fc.constantFrom('password', 'PASSWORD', 'sslpassword', 'passwd', 'Pwd', 'PGPASSWORD'),
      equals: fc.constantFrom('=', ' = ', "='"),
      password: PASSWORD,
    })
    .map(({ before, name, equals, password }) => `${before}${name}${equals}${password}`),
  fc
    .record({
      before: fc.constantFrom(' ', '"'),
      slashes: fc.constantFrom('', '/'),
      password: PASSWORD,
    })
    .map(({ before, slashes, password }) => `${before}postgres:${slashes}ann:${password}@db/cards`),
);

it('takes nothing that may have a password for the path of a file, and shows none of it', () => {
  fc.assert(
    fc.property(NO_LOCATION, (location) => {
      assert.ok(!isLocation(location));
      assert.equal(displayLocation(location), '***');
    }),
    { numRuns: 2000 },
  );
});

const FILES = [
  'cards.db',
  './a b.db',
  '/srv/a:b@c/cards.db',
  'C:\\cards.db',
  'C:/cards.db',
  'a=b.db',
];
for (const file of FILES) {
  it(`takes ${file} for the path of a file`, () => assert.ok(isLocation(file)));
}
