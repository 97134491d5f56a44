import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { readRequirements } from '../scripts/docs/asvs.ts';

/**
 * The levels of all requirements of OWASP ASVS 5.0.0 by section: the first digit is the level of
 * the first requirement, and so on.
 */
const LEVELS: Readonly<Record<string, string>> = {
  '1.1': '22',
  '1.2': '1111122223',
  '1.3': '112222222223',
  '1.4': '222',
  '1.5': '123',
  '2.1': '122',
  '2.2': '112',
  '2.3': '12223',
  '2.4': '23',
  '3.1': '3',
  '3.2': '113',
  '3.3': '12223',
  '3.4': '11222233',
  '3.5': '11122333',
  '3.6': '3',
  '3.7': '22333',
  '4.1': '12233',
  '4.2': '23333',
  '4.3': '22',
  '4.4': '1222',
  '5.1': '2',
  '5.2': '112333',
  '5.3': '113',
  '5.4': '222',
  '6.1': '122',
  '6.2': '111111112222',
  '6.3': '11223333',
  '6.4': '112233',
  '6.5': '22222333',
  '6.6': '2223',
  '6.7': '33',
  '6.8': '2222',
  '7.1': '222',
  '7.2': '1111',
  '7.3': '22',
  '7.4': '11222',
  '7.5': '223',
  '7.6': '22',
  '8.1': '1233',
  '8.2': '1123',
  '8.3': '133',
  '8.4': '23',
  '9.1': '111',
  '9.2': '1222',
  '10.1': '22',
  '10.2': '223',
  '10.3': '22223',
  '10.4': '1111122222233333',
  '10.5': '22222',
  '10.6': '22',
  '10.7': '222',
  '11.1': '2233',
  '11.2': '22233',
  '11.3': '11233',
  '11.4': '1222',
  '11.5': '23',
  '11.6': '23',
  '11.7': '33',
  '12.1': '12233',
  '12.2': '11',
  '12.3': '22223',
  '13.1': '2333',
  '13.2': '222223',
  '13.3': '2233',
  '13.4': '1222233',
  '14.1': '22',
  '14.2': '12223333',
  '14.3': '122',
  '15.1': '12233',
  '15.2': '12233',
  '15.3': '1222222',
  '15.4': '3333',
  '16.1': '2',
  '16.2': '22222',
  '16.3': '2222',
  '16.4': '222',
  '16.5': '2223',
  '17.1': '23',
  '17.2': '22223333',
  '17.3': '22',
};

/** Every number of the standard with its level. */
const EXPECTED = Object.entries(LEVELS).flatMap(([section, levels]) =>
  Array.from(levels, (level, index) => [`${section}.${index + 1}`, Number(level)] as const),
);

const requirements = readRequirements();
const page = readFileSync('docs/security.md', 'utf8');

describe('The requirements of ASVS', () => {
  it('are those of levels 1 and 2, each once and in order', () => {
    const expected = EXPECTED.filter(([, level]) => level <= 2);
    assert.equal(EXPECTED.length, 345);
    assert.equal(expected.length, 253);
    assert.deepEqual(
      requirements.map(({ number, level }) => [number, level]),
      expected,
    );
  });

  it('say what they are about, and how they are met or why not', () => {
    for (const { number, requirement, how } of requirements) {
      assert.ok(requirement.length > 3, number);
      assert.ok(how.length > 10 && !how.includes('|'), number);
    }
  });

  it('name tests that exist if they hold', () => {
    for (const { number, verdict, tests } of requirements) {
      if (verdict.startsWith('holds')) assert.ok(tests.length > 0, number);
      for (const path of tests) {
        assert.ok(path.endsWith('.test.ts') && existsSync(path), `${number}: ${path}`);
      }
    }
  });

  it('fail three times at most, each with a reason and an alternative', () => {
    const failing = requirements.filter(({ verdict }) => verdict === 'fails');
    assert.ok(failing.length <= 3, failing.map(({ number }) => number).join(' '));
    for (const { number, how } of failing) assert.ok(how.length > 150, number);
  });

  it('are counted in docs/security.md', () => {
    const counts = [...page.matchAll(/^- \*\*(\d+)\*\* /gm)].map(([, count]) => Number(count));
    const verdicts = requirements.map(({ verdict }) => verdict);
    const kinds = ['holds', 'holds with the operator', 'fails', 'not applicable'];
    assert.deepEqual(
      counts,
      kinds.map((kind) => verdicts.filter((verdict) => verdict === kind).length),
    );
  });

  it('link only to sections of docs/security.md that exist', () => {
    const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
    const texts = [page, ...requirements.map(({ how }) => how)].join('\n');
    const anchors = [...texts.matchAll(/\]\(#([\w-]+)\)/g)].map(([, anchor = '']) => anchor);
    assert.ok(anchors.length > 10);
    assert.deepEqual(
      anchors.filter((anchor) => !headings.includes(anchor)),
      [],
    );
  });
});

describe('The source', () => {
  const code = globSync('src/**/*.ts').map((file) => [file, readFileSync(file, 'utf8')] as const);

  it('uses cryptography only where the inventory in docs/security.md says', () => {
    const library = /from '(?:node:crypto|@node-rs\/argon2|@simplewebauthn\/server)'/;
    const typesOnly = /import type [^;]*from '(?:node:crypto|@simplewebauthn\/server)';/g;
    const found = code.filter(([, text]) => library.test(text.replace(typesOnly, '')));
    assert.ok(found.length > 10, 'the imports were recognised');
    const unnamed = found.map(([file]) => file).filter((file) => !page.includes(`\`${file}\``));
    assert.deepEqual(unnamed, [], 'add them to "Cryptography" in docs/security.md');
  });

  it('uses no broken hash, and SHA-1 only where the inventory says', () => {
    const weak = code.filter(([, text]) => /'(?:md4|md5|ripemd\w*|sha1)'/i.test(text));
    assert.deepEqual(weak.map(([file]) => file).sort(), [
      'src/accounts/sign-in/codes.ts',
      'src/http/response-cache.ts',
    ]);
  });

  it('draws no secrets from Math.random', () => {
    const random = code.filter(([, text]) => /Math\.random\b/.test(text));
    assert.deepEqual(
      random.map(([file]) => file).filter((file) => file.startsWith('src/accounts/')),
      [],
    );
  });

  it('checks certificates wherever it sends or reads anything else', () => {
    const without = code.filter(([, text]) => /rejectUnauthorized|TLS_REJECT/.test(text));
    assert.deepEqual(
      without.map(([file]) => file),
      ['src/commands/doctor/certificates.ts'],
    );
  });

  it('of the pages stores only settings of their readers in browsers, and never turns text into HTML', () => {
    const storing = [
      'web/src/api/currency.ts',
      'web/src/cards/views.ts',
      'web/src/operator/entry-keys.ts',
      'web/src/reference/samples.ts',
    ];
    for (const file of globSync('web/src/**/*.{ts,tsx}')) {
      const text = readFileSync(file, 'utf8');
      if (/\b(?:localStorage|sessionStorage|indexedDB)\b/.test(text)) {
        assert.ok(storing.includes(file), file);
      }
      assert.doesNotMatch(text, /document\.cookie|innerHTML|insertAdjacentHTML|outerHTML/, file);
    }
  });
});
