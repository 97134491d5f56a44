/**
 * Writes the code of a recipe with another name: `npm run new game digimon`, `npm run new endpoint
 * decades`, `npm run new source tradehall`. Recipes are Markdown, and their code blocks begin with
 * a path. Creates a missing file from its block. For an existing file, the block is an entry of a
 * list there, and is added to it with the import that it needs.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';

interface Recipe {
  readonly document: string;
  /** The heading of the recipe. */
  readonly heading: string;
  /** The spellings of the example's name. */
  readonly example: readonly string[];
}

const RECIPES: Readonly<Record<string, Recipe>> = {
  endpoint: {
    document: 'docs/recipes.md',
    heading: '## Add an endpoint',
    example: ['decades', 'Decades'],
  },
  game: {
    document: 'docs/recipes.md',
    heading: '## Add a game',
    example: ['digimon', 'Digimon', 'DIGIMON'],
  },
  source: {
    document: 'src/sources/README.md',
    heading: '## Add a source',
    example: ['tradehall', 'TradeHall', 'TRADE_HALL', 'Trade Hall'],
  },
};

/** The lists that get an entry: their beginning and end. */
const LISTS: Readonly<Record<string, readonly [begin: string, end: string]>> = {
  'src/domain/games.ts': ['const ALL = [', '] as const;'],
  'src/domain/sources.ts': ['PRICE_SOURCES: readonly PriceSource[] = [', '];'],
  'src/http/v1/routes.ts': ['ENDPOINTS: readonly Endpoint[] = [', '];'],
  'src/sources/registry.ts': [
    'SOURCES: readonly (SourceEntry | FeedSource | RatesSource)[] = [',
    '];',
  ],
  'test/http/openapi.test.ts': ['const PATHS', '};'],
  'test/sources/contract.test.ts': ['const FIXTURES', '};'],
};

interface Block {
  readonly file: string;
  readonly code: string;
}

const [kind = '', name = ''] = process.argv.slice(2);
const recipe = RECIPES[kind];
if (!recipe || !/^[a-z][a-z0-9]*$/.test(name)) {
  console.error('Usage: npm run new game|endpoint|source NAME, where NAME is one lowercase word.');
  process.exit(1);
}
const blocks = readBlocks(recipe, name);
const files = blocks.filter(({ file }) => !existsSync(file));
if (!files.some(({ file }) => file.startsWith('src/'))) {
  console.error(`The ${kind} ${name} exists already.`);
  process.exit(1);
}
for (const { file, code } of files) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, code);
}
const entries = blocks.filter((block) => !files.includes(block));
for (const entry of entries) addEntry(entry);
if (kind === 'endpoint') nameSchemas();
const written = blocks.map(({ file }) => file);
spawnSync('npx', ['biome', 'check', '--write', ...written], { stdio: 'inherit' });
console.log(`Wrote ${written.join(', ')}.`);
console.log(`Now adapt it, and continue with ${recipe.document}, "${recipe.heading.slice(3)}".`);

/** Returns the code blocks of a recipe, with the new name in place of the example's. */
function readBlocks({ document, heading, example }: Recipe, own: string): Block[] {
  const [, section = ''] = readFileSync(document, 'utf8').split(`\n${heading}\n`);
  const text = section.split(/^## /m)[0] ?? '';
  const found = text.matchAll(/^```(?:ts|json) (\S+)\n(.*?)^```$/gms);
  return [...found].map(([, file = '', code = '']) => {
    return { file: rename(file, example, own), code: rename(code, example, own) };
  });
}

/** Replaces each spelling of the example with the same spelling of the new name. */
function rename(text: string, example: readonly string[], own: string): string {
  const capitalised = own.charAt(0).toUpperCase() + own.slice(1);
  return example.reduce((renamed, spelling) => {
    const isUpper = spelling === spelling.toUpperCase();
    const isLower = spelling === spelling.toLowerCase();
    return renamed.replaceAll(spelling, isUpper ? own.toUpperCase() : isLower ? own : capitalised);
  }, text);
}

/** Adds an entry to the list in its file, with an import of the new files' export for it. */
function addEntry({ file, code }: Block): void {
  const [begin, end] = LISTS[file] ?? [];
  const source = readFileSync(file, 'utf8');
  const from = begin === undefined ? -1 : source.indexOf(begin);
  if (from === -1 || end === undefined) throw new Error(`${file} has no list for ${code}`);
  const to = source.indexOf(end, from + (begin?.length ?? 0));
  const before = source.slice(0, to).trimEnd();
  const comma = /[,[{]$|,\s*\/\/[^\n]*$/.test(before) ? '' : ',';
  writeFileSync(file, `${importFor({ file, code })}${before}${comma}\n${code}${source.slice(to)}`);
}

function importFor({ file, code }: Block): string {
  for (const { file: path, code: text } of files) {
    for (const [, exported = ''] of text.matchAll(/^export const (\w+)/gm)) {
      if (path.includes('.test.') || !new RegExp(`^${exported}\\b`).test(code)) continue;
      const from = relative(dirname(file), path);
      return `import { ${exported} } from '${from.startsWith('.') ? from : `./${from}`}';\n`;
    }
  }
  return '';
}

/** Adds the ids of new schemas to the list in the test of the OpenAPI document. */
function nameSchemas(): void {
  const ids = files.flatMap(({ code }) => [...code.matchAll(/\$id: '(\w+)'/g)].map(([, id]) => id));
  const file = 'test/http/openapi.test.ts';
  const source = readFileSync(file, 'utf8');
  const rows = ids.map((id) => `  '${id}',\n`).join('');
  const begin = 'const SCHEMAS: readonly string[] = [\n';
  writeFileSync(
    file,
    source.replace(begin, () => begin + rows),
  );
}
