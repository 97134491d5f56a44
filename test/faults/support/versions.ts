import assert from 'node:assert/strict';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from '../../../scripts/cluster/services.ts';
import { temporaryFolder } from '../../support/cli.ts';

/** Versions of this program that differ by migrations: copies of its source that tests run. */

const CATALOGUE = 'src/store/catalogue/migrations.ts';
const ACCOUNTS = 'src/store/accounts/migrations.ts';

/** The end of a list of migrations. */
const END = /(?<=^ {4}'\d{4}-[^\n]*\n)(?= {2}\}\),\n)/m;

/** The command of a version that widens the tables that every request reads. */
export function versionAfter(): Command {
  const contents = ['sets', 'cards', 'printings'];
  const copies = contents.map((table) => `superseded_${table}`);
  return versionWith({
    [CATALOGUE]: [END, widening([...contents, ...copies, 'catalog_state', 'publications'])],
    [ACCOUNTS]: [END, widening(['accounts', 'api_keys', 'usage', 'plans'])],
  });
}

/** The command of a version that has one more table. */
export function versionWithTable(): Command {
  const migration = `    '9000-notes': {
      up: (db) => db.schema.createTable('notes').addColumn('id', 'integer').execute(),
    },
`;
  return versionWith({ [CATALOGUE]: [END, migration] });
}

/** The source of a migration that adds a column to some tables. */
function widening(tables: readonly string[]): string {
  return `    '9000-wider': {
      async up(db) {
        for (const table of ${JSON.stringify(tables)}) {
          await db.schema.alterTable(table).addColumn('wider', 'text').execute();
        }
      },
    },
`;
}

/** Copies the source and replaces parts of some files; each part must exist. */
function versionWith(
  changes: Readonly<Record<string, readonly [part: RegExp, by: string]>>,
): Command {
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
