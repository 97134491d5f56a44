import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { generatedPages, readCommands } from '../scripts/docs.ts';

for (const [name, page] of Object.entries(await generatedPages())) {
  it(`docs/${name} says what the code says`, () => {
    const written = readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8');
    assert.equal(written, page, 'write it anew: node scripts/docs.ts');
  });
}

it('the help of every command has an example', async () => {
  for (const { name, help } of await readCommands()) {
    assert.match(help, new RegExp(`\nExamples?:\n  ${name}`), name);
  }
});
