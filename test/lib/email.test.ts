import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { emailSpellings, parseEmail } from '../../src/lib/email.ts';

test('an e-mail address is stored in lower case', () => {
  for (const [text, email] of [
    ['Ann@Shop.Example', 'ann@shop.example'],
    ["o'neil+cards_1@sub.shop.example", "o'neil+cards_1@sub.shop.example"],
    ['Ünï@shop.example', 'ünï@shop.example'],
  ] as const) {
    assert.equal(parseEmail(text), email);
  }
});

test('what mail programs read as another address, or as several, is none', () => {
  // Each would be a separate account whose mail gets to ann@shop.example.
  for (const text of [
    '<ann@shop.example>',
    'x<ann@shop.example>',
    'x,ann@shop.example',
    'x;ann@shop.example',
    'group:ann@shop.example;',
    '(note)ann@shop.example',
    'ann@shop.example(note)',
    '"ann"@shop.example',
    '\\ann@shop.example',
    'ann@[192.0.2.1]',
  ]) {
    assert.equal(parseEmail(text), undefined, text);
  }
});

test('a domain is stored as in the DNS', () => {
  for (const [text, email] of [
    ['a@bücher.example', 'a@xn--bcher-kva.example'],
    ['A@BÜCHER.Example', 'a@xn--bcher-kva.example'],
    ['a@bu\u0308cher.example', 'a@xn--bcher-kva.example'],
    ['a@XN--BCHER-KVA.example', 'a@xn--bcher-kva.example'],
    ['a@faß.example', 'a@xn--fa-hia.example'],
    ['a@fass.example', 'a@fass.example'],
    ['a@日本語.jp', 'a@xn--wgv71a119e.jp'],
    ['a@例え。jp', 'a@xn--r8jz45g.jp'],
  ] as const) {
    assert.equal(parseEmail(text), email, text);
  }
});

test('a domain that the DNS cannot have stays as it is', () => {
  for (const email of [
    'a@1.2',
    'a@b/ü.example',
    'a@ü?x.example',
    'a@ü%41.example',
    'a@ü.1.2',
    'a@b_c.example',
    'a@\u2474.example',
    `a@${'ü'.repeat(240)}.example`,
  ]) {
    assert.equal(parseEmail(email), email);
    assert.deepEqual(emailSpellings(email), [email]);
  }
});

test('an address has the spelling that was typed, the stored one, and that of older accounts', () => {
  const [ascii, unicode] = ['a@xn--bcher-kva.example', 'a@bücher.example'];
  for (const [text, spellings] of [
    ['A@shop.example', ['a@shop.example']],
    ['a@Bücher.example', [unicode, ascii]],
    [ascii, [ascii, unicode]],
    ['a@bu\u0308cher.example', ['a@bu\u0308cher.example', ascii, unicode]],
    ['a@xn--a.1.2', ['a@xn--a.1.2']],
    ['deleted account #7', []],
    ['a\u0000@shop.example', []],
  ] as const) {
    assert.deepEqual(emailSpellings(text), spellings, text);
  }
});

test('a stored address is read as itself', () => {
  const domain = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 });
  const address = fc.tuple(fc.string({ minLength: 1, maxLength: 10 }), domain);
  fc.assert(
    fc.property(address, ([local, rest]) => {
      const email = parseEmail(`${local}@${rest}`);
      if (email !== undefined) assert.equal(parseEmail(email), email);
    }),
  );
});
