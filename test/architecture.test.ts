import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';

const CONFIG = resolve('.dependency-cruiser.mjs');
type Layers = Readonly<Record<string, readonly string[]>>;

const { LAYERS, WEB_LAYERS } = (await import(CONFIG)) as { LAYERS: Layers; WEB_LAYERS: Layers };

/** Imports that break the order of the layers. */
const FORBIDDEN: readonly (readonly [from: string, to: string])[] = [
  ['src/domain/a.ts', 'src/store/connect.ts'],
  ['src/domain/b.ts', 'node:fs'],
  ['src/lib/a.ts', 'src/domain/day.ts'],
  ['src/history/a.ts', 'src/store/connect.ts'],
  ['src/search/a.ts', 'src/catalog/catalog.ts'],
  ['src/sources/toy/read.ts', 'src/store/connect.ts'],
  ['src/store/a.ts', 'src/catalog/catalog.ts'],
  ['src/catalog/a.ts', 'src/accounts/accounts.ts'],
  ['src/catalog/b.ts', 'src/search/matcher.ts'],
  ['src/accounts/a.ts', 'src/catalog/catalog.ts'],
  ['src/accounts/b.ts', 'src/config/config.ts'],
  ['src/ingest/drivers/a.ts', 'src/sources/toy/raw.ts'],
  ['src/ingest/drivers/b.ts', 'src/sources/kit/schema.ts'],
  ['src/ingest/drivers/c.ts', 'src/ingest/validation/quarantine.ts'],
  ['src/ingest/a.ts', 'src/sync/run.ts'],
  ['src/sync/a.ts', 'src/config/config.ts'],
  ['src/http/v1/a.ts', 'src/ingest/import.ts'],
  ['src/http/a.ts', 'src/commands/serve.ts'],
  ['src/dashboard/a.ts', 'src/ingest/import.ts'],
  ['src/dashboard/b.ts', 'web/src/api/call.ts'],
  ['src/commands/a.ts', 'web/src/api/call.ts'],
  ['src/store/engine/a.ts', 'src/store/catalogue/schema.ts'],
  ['src/store/engine/b.ts', 'src/store/connect.ts'],
  ['src/store/catalogue/a.ts', 'src/store/quarantine/quarantine.ts'],
  ['src/ingest/b.ts', 'node_modules/kysely/index.js'],
  ['src/accounts/c.ts', 'node_modules/kysely/index.js'],
  ['src/commands/b.ts', 'node_modules/better-sqlite3/index.js'],
  ['src/ingest/c.ts', 'src/store/catalogue/schema.ts'],
  ['src/accounts/d.ts', 'src/store/accounts/schema.ts'],
  ['src/catalog/c.ts', 'src/store/catalogue/json-columns.ts'],
  ['src/brand-new/a.ts', 'src/domain/day.ts'],
  ['src/domain/c.ts', 'src/brand-new/b.ts'],
  ['web/src/api/a.ts', 'web/src/ui/form.tsx'],
  ['web/src/ui/a.tsx', 'web/src/cards/picture.tsx'],
  ['web/src/ui/b.tsx', 'web/src/account/session.tsx'],
  ['web/src/charts/a.tsx', 'web/src/cards/card-page.tsx'],
  ['web/src/cards/c.tsx', 'web/src/lists/list-page.tsx'],
  ['web/src/cards/a.tsx', 'web/src/movers/movers-page.tsx'],
  ['web/src/cards/b.tsx', 'web/src/cards-too/b.tsx'],
  ['web/src/movers/a.tsx', 'web/src/sets/set-page.tsx'],
  ['web/src/account/a.tsx', 'web/src/operator/health-page.tsx'],
  ['web/src/operator/a.tsx', 'web/src/app/routes.tsx'],
  ['web/src/home/a.tsx', 'src/store/connect.ts'],
  ['web/src/home/b.tsx', 'node:fs'],
  ['web/src/brand-new/a.tsx', 'web/src/ui/form.tsx'],
  ['web/src/app/a.tsx', 'web/src/brand-new/b.tsx'],
  ['web/src/main.tsx', 'web/src/cards/picture.tsx'],
];

const ALLOWED: readonly (readonly [from: string, to: string])[] = [
  ['src/catalog/fine.ts', 'src/store/connect.ts'],
  ['src/catalog/fine-too.ts', 'src/search/index.ts'],
  ['src/ingest/drivers/fine.ts', 'src/sources/contract/feed.ts'],
  ['src/ingest/pricing/fine.ts', 'src/ingest/validation/index.ts'],
  ['src/sync/fine.ts', 'src/ingest/import.ts'],
  ['src/store/fine.ts', 'node:path'],
  ['src/store/quarantine/fine.ts', 'src/store/history/index.ts'],
  ['src/dashboard/fine.ts', 'src/http/app.ts'],
  ['src/commands/fine.ts', 'src/dashboard/index.ts'],
  ['web/src/ui/fine.tsx', 'web/src/api/call.ts'],
  ['web/src/sets/fine.tsx', 'web/src/movers/movers-page.tsx'],
  ['web/src/operator/fine.tsx', 'web/src/account/session.tsx'],
  ['web/src/cards/fine.ts', 'src/domain/day.ts'],
  ['web/src/server.tsx', 'web/src/app/routes.tsx'],
];

interface Violation {
  readonly from: string;
  readonly to: string;
  readonly rule: { readonly name: string };
}

describe('the import rules', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cardprice-layers-'));
  let violations: readonly Violation[] = [];

  before(() => {
    const targets = [...FORBIDDEN, ...ALLOWED].map(([, to]) => to);
    for (const path of targets) if (!path.startsWith('node:')) write(path, '');
    for (const [from, to] of [...FORBIDDEN, ...ALLOWED]) write(from, `import '${path(from, to)}';`);
    write(
      'src/accounts/keys/fine-sql.ts',
      "import '../../../node_modules/kysely/index.js';\nimport '../../store/accounts/schema.ts';\n",
    );
    write('src/sync/typed.ts', "import type { Row } from '../store/catalogue/schema.ts';\n");
    write('src/store/one.ts', "import type { Two } from './two.ts';\nexport type One = Two;\n");
    write('src/store/two.ts', "import type { One } from './one.ts';\nexport type Two = One;\n");
    write('web/src/ui/one.tsx', "import type { Two } from './two.tsx';\nexport type One = Two;\n");
    write('web/src/ui/two.tsx', "import type { One } from './one.tsx';\nexport type Two = One;\n");
    violations = cruise(folder);
  });

  after(() => rmSync(folder, { recursive: true }));

  for (const [from, to] of FORBIDDEN) {
    it(`refuse an import of ${to} in ${from}`, () => assert.ok(isRefused(from), from));
  }

  it('say what the folder may import, and where that is written', () => {
    const refused = violations.filter(({ from }) => from === 'src/sources/toy/read.ts');
    assert.deepEqual(
      refused.map(({ rule }) => rule.name),
      ['src/sources may import domain, lib (docs/architecture.md#layers)'],
    );
  });

  for (const [from, to] of ALLOWED) {
    it(`allow an import of ${to} in ${from}`, () => assert.ok(!isRefused(from), from));
  }

  it('refuse files that import each other, even if only types: each cycle is reported once', () => {
    const cycles = violations.filter(({ rule }) => rule.name === 'no-cycles');
    assert.deepEqual(
      cycles.map(({ from }) => from),
      ['src/store/one.ts', 'web/src/ui/one.tsx'],
    );
  });

  it('refuse what runs SQL outside of the files that have SQL', () => {
    const refused = violations.filter(({ rule }) => rule.name === 'sql-stays-inside');
    assert.deepEqual(refused.map(({ from }) => from).toSorted(), [
      'src/accounts/c.ts',
      'src/commands/b.ts',
      'src/ingest/b.ts',
    ]);
  });

  it('refuse the types of rows outside of the files that have SQL', () => {
    const refused = violations.filter(({ rule }) => rule.name === 'rows-stay-inside');
    assert.deepEqual(refused.map(({ from }) => from).toSorted(), [
      'src/accounts/d.ts',
      'src/catalog/c.ts',
      'src/ingest/c.ts',
      'src/sync/typed.ts',
    ]);
  });

  function isRefused(file: string): boolean {
    return violations.some(({ from }) => from === file);
  }

  function write(file: string, text: string): void {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
});

describe('docs/architecture.md', () => {
  it('shows the table of who may import whom', () => {
    const page = readFileSync('docs/architecture.md', 'utf8');
    assert.deepEqual(readTable(page, 'folder'), LAYERS);
    assert.deepEqual(readTable(page, 'folder of `web/src/`'), WEB_LAYERS);
  });
});

/** Reads the table whose first column has a title: each layer with what it may import. */
function readTable(page: string, title: string): Layers {
  const [, table = ''] = page.split(`| ${title} | imports |\n|---|---|\n`);
  const [rows = ''] = table.split('\n\n');
  const layers = [...rows.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)];
  return Object.fromEntries(
    layers.map(([, layer = '', others = '']) => {
      const names = others.matchAll(/`(?:src\/)?(\w[\w/]*?)\/?`/g);
      return [layer, [...names].map(([, name = '']) => name)];
    }),
  );
}

/** The files that have SQL. */
const SQL_OWNERS = /^src\/(store\/|accounts\/.*-sql\.ts$)/;

/** What a statement begins with: SQL text, or Kysely's builder. */
const STATEMENT = new RegExp(
  [
    '\\bsql(\\.(raw|lit|id|ref|table|join))?(<[^`;]*>)?[`(]',
    '\\.(selectFrom|selectNoFrom|insertInto|updateTable|deleteFrom|mergeInto|executeQuery)\\b',
    '\\.prepare(Counter)?(<[^;]*?>)?\\(\\s*[`\'"]',
    '[`\'"]\\s*(select\\s[^`]*\\sfrom|insert\\s+into|delete\\s+from|update\\s\\w+\\sset)\\s',
  ].join('|'),
  'i',
);

function filesWithoutSql(): string[] {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' });
  const paths = files.map((file) => join('src', file));
  const others = paths.filter((file) => file.endsWith('.ts') && !SQL_OWNERS.test(file));
  assert.ok(others.length > 300);
  return others;
}

describe('SQL', () => {
  it('is only in the files that own it', () => {
    const found = filesWithoutSql().filter((file) => STATEMENT.test(readFileSync(file, 'utf8')));
    assert.deepEqual(found, []);
  });

  const PLANTED = [
    'await sql`update printings set low = 1`.execute(db);',
    'const { rows } = await sql<{ readonly name: string }>`pragma x`.execute(db);',
    "await sql.raw('vacuum').execute(db);",
    "const rows = await store.db.selectFrom('cards').selectAll().execute();",
    "await db\n    .insertInto('start_settings')",
    "const read = engine.prepare<{ id: number }>('values (1)');",
    "connection.exec('delete from printings where id = 1');",
    'const text = `select id\n from cards`;',
  ];
  for (const code of PLANTED) it(`is found in ${code}`, () => assert.match(code, STATEMENT));
});

/** The import of a type of rows from the store or another file that has SQL. */
const ROW_IMPORT = /\b(import|export)\b[^;]*\b\w*Row\b[^;]*from '[^']*(\/store\/|-sql\.ts')/;

describe('rows', () => {
  it('have no types that files without SQL import', () => {
    const found = filesWithoutSql().filter((file) => ROW_IMPORT.test(readFileSync(file, 'utf8')));
    assert.deepEqual(found, []);
  });

  const PLANTED = [
    "import type { QuarantineRow } from '../store/quarantine/quarantine.ts';",
    "import {\n  readKeys,\n  type KeyRow,\n} from './key-sql.ts';",
    "export type { SetRow } from '../../store/catalogue/records.ts';",
  ];
  for (const code of PLANTED) it(`are found in ${code}`, () => assert.match(code, ROW_IMPORT));

  it('may be of other files', () => {
    assert.doesNotMatch("import type { CsvRow } from '../io/csv.ts';", ROW_IMPORT);
  });
});

describe('sources', () => {
  const files = ['src', 'web/src', 'scripts', 'test', 'bench'].flatMap((folder) => {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => join(folder, file));
  });

  it('have no comment that is longer than a line of code may be', () => {
    const found = files.flatMap((file) => {
      const lines = readFileSync(file, 'utf8').split('\n');
      return lines.flatMap((line, at) => {
        return line.length > 100 && /^\s*(\/\/|\*|\/\*)/.test(line) ? `${file}:${at + 1}` : [];
      });
    });
    assert.deepEqual(found, []);
  });

  it('spread no literal to put several members on one line', () => {
    const found = files.filter((file) => /^\s*\.\.\.\{ /m.test(readFileSync(file, 'utf8')));
    assert.deepEqual(found, []);
  });
});

/** The modules that the pages import at run time; of all others they import types only. */
const SHARED_WITH_PAGES = /^src\/(domain\/|dashboard\/(pages|rendering)\.ts$)/;

it('the pages import only pure modules of the program, apart from types', () => {
  const files = readdirSync('web/src', { recursive: true, encoding: 'utf8' });
  const imported = files.filter((file) => /\.tsx?$/.test(file)).flatMap(valueImports);
  assert.ok(imported.length > 0);
  for (const path of imported) assert.match(path, SHARED_WITH_PAGES);
});

/** The modules of `src` that a file of the pages imports, apart from types. */
function valueImports(file: string): string[] {
  const text = readFileSync(join('web/src', file), 'utf8');
  const imports = text.matchAll(/^(?:import|export)\s+(?!type\b)[^;]*?'(?:\.\.\/)+(src\/[^']+)'/gm);
  return [...imports].flatMap(([, path = '']) => path);
}

/** The specifier by which one file imports another. */
function path(from: string, to: string): string {
  return to.startsWith('node:') ? to : relative(dirname(from), to).replace(/^(?!\.)/, './');
}

/** Returns what dependency-cruiser refuses in a folder, by the rules of this project. */
function cruise(folder: string): readonly Violation[] {
  const options = ['src', 'web/src', '--config', CONFIG, '--output-type', 'json'];
  const depcruise = resolve('node_modules/.bin/depcruise');
  const { stdout } = spawnSync(depcruise, options, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const { summary } = JSON.parse(stdout) as { summary: { violations: Violation[] } };
  return summary.violations;
}
