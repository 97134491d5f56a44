import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languageOf } from '../../../web/src/cards/language.ts';

test('names in Japanese scripts are Japanese, wholly or in part', () => {
  for (const name of ['リザードン', 'ひとかげ', '拡張パック', 'メガリザードンX ex']) {
    assert.equal(languageOf(name), 'ja');
  }
  for (const name of ['Charizard', 'Flabébé', '\u05d3\u05e8\u05e7\u05d5\u05df', '👩‍👩‍👧‍👦', '']) {
    assert.equal(languageOf(name), undefined);
  }
});
