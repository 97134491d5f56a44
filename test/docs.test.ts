import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { generatedPages, readCommands } from '../scripts/docs.ts';
import { unknownVariables } from '../src/config/config.ts';

for (const [name, page] of Object.entries(await generatedPages())) {
  it(`docs/${name} agrees with the code`, () => {
    const written = readFileSync(`docs/${name}`, 'utf8');
    assert.ok(written === page, `docs/${name} does not agree with the code: run npm run docs`);
  });
}

it('the help of every command has an example', async () => {
  for (const { name, help } of await readCommands()) {
    assert.match(help, new RegExp(`\nExamples?:\n  ${name}`), name);
  }
});

describe('docs/architecture.md', () => {
  const page = readFileSync('docs/architecture.md', 'utf8');

  it('names every folder of the source', () => {
    const files = globSync('src/*/**/*.ts');
    const folders = [...new Set(files.map((file) => `${dirname(file)}/`))];
    const unnamed = folders.filter((folder) => !page.includes(`\`${folder}\``));
    assert.deepEqual(unnamed, []);
  });

  it('names only paths that exist', () => {
    const named = [...page.matchAll(/`((?:\w+\/)+[\w./-]*)`/g)].map(([, path = '']) => path);
    assert.ok(named.length > 30, 'the paths were recognised');
    const missing = named.filter((path) => !existsSync(path));
    assert.deepEqual(missing, []);
  });
});

describe('the pages written by hand', () => {
  const pages = ['README.md', ...markdownIn('docs'), ...markdownIn('docs/adr')];

  for (const page of pages) {
    const text = readFileSync(page, 'utf8');

    it(`${page} links only to files that exist`, () => {
      const targets = [...text.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)];
      const paths = targets.map(([, target = '']) => join(dirname(page), target));
      const missing = paths.filter((path) => !existsSync(path));
      assert.deepEqual(missing, []);
    });

    it(`${page} names only settings that exist`, () => {
      const named = text.match(/CARDPRICE_\w+/g) ?? [];
      const environment = Object.fromEntries(named.map((variable) => [variable, 'set']));
      assert.deepEqual(unknownVariables(environment), []);
    });
  }
});

it('docs/glossary.md has every term that the code links to', () => {
  const page = readFileSync('docs/glossary.md', 'utf8');
  const headings = [...page.matchAll(/^## (.*)$/gm)].map(([, heading = '']) => {
    return heading.toLowerCase().replaceAll(' ', '-');
  });
  const terms = [...page.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id);
  const code = globSync('src/**/*.ts').map((file) => readFileSync(file, 'utf8'));
  const links = code.flatMap((text) => [...text.matchAll(/docs\/glossary\.md#([\w-]+)/g)]);
  const linked = links.map(([, anchor = '']) => anchor);
  assert.ok(linked.length > 5, 'links were found');
  const missing = linked.filter((anchor) => ![...terms, ...headings].includes(anchor));
  assert.deepEqual(missing, []);
});

describe('docs/adr/', () => {
  for (const page of markdownIn('docs/adr')) {
    it(`${page} has a context, a decision and consequences`, () => {
      const text = readFileSync(page, 'utf8');
      const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
      assert.deepEqual(headings, ['Context', 'Decision', 'Consequences']);
      assert.match(text, /^Status: (accepted|superseded by \d{4})$/m);
    });
  }
});

/** The pages in a folder. */
function markdownIn(folder: string): string[] {
  return globSync(`${folder}/*.md`).sort();
}
