import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Sqlite from 'better-sqlite3';
import { keepingStatements } from '../../src/store/engine/sqlite-driver.ts';
import { cleanUp } from '../support/cleanup.ts';

const READ = 'select * from numbers';

/** A connection to a table with the numbers 1, 2 and 3. */
function open() {
  const connection = new Sqlite(':memory:');
  cleanUp(() => connection.close());
  connection.exec('create table numbers (number); insert into numbers values (1), (2), (3)');
  return { connection, database: keepingStatements(connection) };
}

describe('A connection of SQLite', () => {
  it('prepares a short statement once, and a long one each time', () => {
    const { database } = open();
    assert.equal(database.prepare(READ), database.prepare(READ));
    const long = `${READ} where number in (${'0, '.repeat(1000)}0)`;
    assert.notEqual(database.prepare(long), database.prepare(long));
  });

  it('keeps the statements that ran last', () => {
    const { database } = open();
    const [first, second] = [database.prepare(READ), database.prepare(`${READ} limit 1`)];
    for (let offset = 0; offset < 49; offset++) {
      database.prepare(`${READ} limit 1 offset ${offset}`);
      assert.equal(database.prepare(READ), first);
    }
    assert.notEqual(database.prepare(`${READ} limit 1`), second);
  });

  it('reads a table again while somebody is still reading it', () => {
    const { database } = open();
    const rows = database.prepare(READ).iterate([]);
    assert.deepEqual(rows.next().value, { number: 1 });
    assert.equal(database.prepare(READ).all([]).length, 3);
    assert.deepEqual([...rows], [{ number: 2 }, { number: 3 }]);
  });

  it('sees columns that were added later', () => {
    const { connection, database } = open();
    assert.deepEqual(database.prepare(READ).all([])[0], { number: 1 });
    connection.exec('alter table numbers add column name');
    assert.deepEqual(database.prepare(READ).all([])[0], { number: 1, name: null });
  });
});
