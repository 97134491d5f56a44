import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseEmail } from '../../src/domain/email.ts';

test('an e-mail address is stored in lower case', () => {
  for (const [text, email] of [
    ['Ann@Shop.Example', 'ann@shop.example'],
    ["o'neil+cards_1@sub.shop.example", "o'neil+cards_1@sub.shop.example"],
    ['ünï@exämple.example', 'ünï@exämple.example'],
  ] as const) {
    assert.equal(parseEmail(text), email);
  }
});

test('what mail programs read as another address, or as several, is none', () => {
  // Each would be an account of its own whose mail gets to ann@shop.example.
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
