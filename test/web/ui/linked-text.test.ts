import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { partsOfText } from '../../../web/src/ui/linked-text.ts';

const linksIn = (text: string) => {
  return partsOfText(text).flatMap(({ text: shown, href }) => (href ? [[shown, href]] : []));
};

describe('A text of the operator', () => {
  it('links to the web and mail addresses in it, without the punctuation after them', () => {
    const text = 'Order at https://shop.example/plans?p=1, or write to sales@shop.example.';
    assert.deepEqual(linksIn(text), [
      ['https://shop.example/plans?p=1', 'https://shop.example/plans?p=1'],
      ['sales@shop.example', 'mailto:sales@shop.example'],
    ]);
    assert.equal(
      partsOfText(text)
        .map((part) => part.text)
        .join(''),
      text,
    );
  });

  it('links to nothing else', () => {
    for (const text of [
      '',
      'Ask us.',
      'javascript:alert(1)',
      'a@b',
      'data:text/html,x',
      'ftp://x.y',
    ]) {
      assert.deepEqual(linksIn(text), [], text);
    }
  });
});
