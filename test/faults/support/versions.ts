import assert from 'node:assert/strict';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { temporaryFolder } from '../../support/cli.ts';

/** Versions of this program that differ by migrations: copies of its source, to be run. */

const CATALOGUE = 'src/store/catalogue/migrations.ts';
const ACCOUNTS = 'src/store/accounts/migrations.ts';

/** The newest migration of the catalogue, which only adds. */
const NEWEST =
  / {4}'\d{4}-(?!contract-)[\w-]+': \{\n(?:(?!^ {4}'\d{4}).*\n)*? {4}\},\n(?= {2}\};\n\})/m;

/** The end of the table of migrations. */
const END = /(?<=^ {4}\},\n)(?= {2}\};\n\})/m;

/** The command of a version that does not know the newest migration. */
export function versionBefore(): readonly string[] {
  return versionWith({ [CATALOGUE]: [NEWEST, ''] });
}

/** The command of a version that widens the tables of which every request reads. */
export function versionAfter(): readonly string[] {
  const contents = ['sets', 'cards', 'printings'];
  const copies = contents.map((table) => `superseded_${table}`);
  return versionWith({
    [CATALOGUE]: [END, widening([...contents, ...copies, 'catalog_state', 'publications'])],
    [ACCOUNTS]: [END, widening(['accounts', 'api_keys', 'usage', 'plans'])],
  });
}

/** The source of a migration that adds a column to some tables. */
function widening(tables: readonly string[]): string {
  return `    '9000-wider': {
      async up(db: Kysely<unknown>) {
        for (const table of ${JSON.stringify(tables)}) {
          await db.schema.alterTable(table).addColumn('wider', 'text').execute();
        }
      },
    },
`;
}

/** Copies the source, and replaces a part of some files, each of which must be there. */
function versionWith(
  changes: Readonly<Record<string, readonly [part: RegExp, by: string]>>,
): readonly string[] {
  const folder = temporaryFolder();
  cpSync('src', join(folder, 'src'), { recursive: true });
  for (const name of ['node_modules', 'package.json', 'data', 'web']) {
    symlinkSync(resolve(name), join(folder, name));
  }
  for (const [path, [part, by]] of Object.entries(changes)) {
    const file = join(folder, path);
    const text = readFileSync(file, 'utf8');
    assert.match(text, part);
    writeFileSync(file, text.replace(part, by));
  }
  return [process.execPath, join(folder, 'src/main.ts')];
}
