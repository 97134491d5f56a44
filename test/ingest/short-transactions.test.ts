import assert from 'node:assert/strict';
import { it } from 'node:test';
import Sqlite from 'better-sqlite3';
import { PARTS, STATEMENTS, type StatementMessage } from '../../src/lib/channels.ts';
import { openFolder } from '../../src/sources/io/tree.ts';
import { openStore } from '../../src/store/connect.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createDatabase } from '../support/engines.ts';
import { FIXTURE, importTree, readTree } from '../support/tcgcsv.ts';

it('an import has the file locked for one batch of groups at a time, so that others can write between', async () => {
  const { location, remove } = await createDatabase('SQLite');
  cleanUp(remove);
  const store = await openStore(location);
  const other = new Sqlite(location, { timeout: 0 });
  let commits = 0;
  const between: number[] = [];
  const onStatement = (message: unknown) => {
    if ((message as StatementMessage).text === 'commit') commits += 1;
  };
  const onPart = () => {
    // It would throw at once, because this connection does not wait.
    other.exec('begin immediate; rollback');
    between.push(commits);
  };
  STATEMENTS.subscribe(onStatement);
  PARTS.subscribe(onPart);
  await importTree(store, FIXTURE, { itemsAtOnce: 1 });
  STATEMENTS.unsubscribe(onStatement);
  PARTS.unsubscribe(onPart);
  assert.equal(between.length, (await readTree(await openFolder(FIXTURE))).length);
  const [first = 0] = between;
  assert.deepEqual(
    between,
    between.map((_, index) => first + index),
    'a transaction a batch',
  );
  other.close();
  await store.close();
});
