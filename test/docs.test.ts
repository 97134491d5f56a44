import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { readRequirements } from '../scripts/docs/asvs.ts';
import { allMetrics } from '../scripts/docs/metrics.ts';
import { builtPages, keptPages, readCommands } from '../scripts/docs.ts';
import { unknownVariables } from '../src/config/config.ts';
import { SETTINGS } from '../src/config/settings.ts';
import { ERRORS } from '../src/domain/errors.ts';

for (const [path, page] of Object.entries(keptPages())) {
  it(`${path} agrees with the code`, () => {
    assert.ok(readFileSync(path, 'utf8') === page, `run npm run docs: ${path} is out of date`);
  });
}

/** A command as the documentation writes it: in backticks, or at the beginning of a line. */
const COMMAND = /(?:^(?:\$ )?|`)cardprice ([a-z]+)/gm;

it('the pages name only commands that exist', async () => {
  const names = (await readCommands()).map(({ name }) => name.split(' ')[1]);
  const known = new Set([...names, 'help']);
  const unknown = globSync(['*.md', 'docs/*.md']).flatMap((path) => {
    const found = [...readFileSync(path, 'utf8').matchAll(COMMAND)];
    return found.filter(([, name]) => !known.has(name)).map(([text]) => `${path}: ${text}`);
  });
  assert.deepEqual(unknown, []);
});

describe('the reference', async () => {
  const pages = { ...keptPages(), ...(await builtPages()) };
  const commands = (await readCommands()).map(({ name }) => name);
  const settings = Object.values(SETTINGS).map(({ variable }) => variable);
  const metrics = allMetrics().map((metric) => (metric as unknown as { name: string }).name);
  const numbers = readRequirements().map(({ number }) => number);
  const documented: Readonly<Record<keyof typeof pages, readonly string[]>> = {
    'docs/errors.md': Object.keys(ERRORS).map((code) => `| \`${code}\` |`),
    'docs/metrics.md': metrics.filter((name) => name.startsWith('cardprice_')),
    'docs/settings.md': settings.map((variable) => `| \`${variable}\``),
    'dist/docs/asvs.md': numbers.map((number) => `| ${number} |`),
    'dist/docs/commands.md': commands.map((name) => `## \`${name}\``),
  };

  for (const [path, page] of Object.entries(pages)) {
    it(`${path} has everything that the program has`, () => {
      const expected = documented[path] ?? [];
      assert.ok(expected.length > 15, path);
      assert.deepEqual(
        expected.filter((text) => !page.includes(text)),
        [],
      );
    });
  }
});

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
    const named = page.match(/\b(?:src|web|test|bench|scripts)\/[\w./-]*[\w/]/g) ?? [];
    assert.ok(named.length > 30, 'the paths were recognised');
    const missing = named.filter((path) => !existsSync(path));
    assert.deepEqual(missing, []);
  });
});

/** Where each kind of reader starts. The last section lists every page for them. */
const START_PAGES = ['docs/calling.md', 'docs/running.md', 'CONTRIBUTING.md'];

it('every page is listed on one of the three start pages', () => {
  const listed = START_PAGES.flatMap((page) => {
    const [, list = ''] = readFileSync(page, 'utf8').split('\n## All pages');
    return [...list.matchAll(/\]\(([^)]+\.md)\)/g)].map(([, to = '']) => join(dirname(page), to));
  });
  const pages = markdownIn('docs').filter((page) => !START_PAGES.includes(page));
  const own = ['CHANGELOG.md', 'SECURITY.md', ...globSync('{bench,data,src}/**/README.md')];
  assert.deepEqual(listed.sort(), [...pages, ...own].sort());
});

describe('the pages written by hand', () => {
  const own = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'bench/README.md'];
  const pages = [...own, ...markdownIn('docs'), ...markdownIn('docs/adr')];

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
  for (const page of globSync('docs/adr/0*.md').sort()) {
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
