/**
 * Preloaded into a program (`node --import`), lets no SQLite database of it grow beyond the pages
 * that it has: SQLite then says what it says when the disk is full.
 */
import Sqlite from 'better-sqlite3';

const { pragma } = Sqlite.prototype;

Sqlite.prototype.pragma = function (source, options) {
  pragma.call(this, 'max_page_count = 1');
  return pragma.call(this, source, options);
};
