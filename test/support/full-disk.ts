/**
 * Preload this into a program (`node --import`) to keep its SQLite databases from growing. SQLite
 * then reports the same error as on a full disk.
 */
import Sqlite from 'better-sqlite3';

const { pragma } = Sqlite.prototype;

Sqlite.prototype.pragma = function (source, options) {
  // Otherwise SQLite would first fill pages freed by migrations.
  if (!this.inTransaction) this.exec('vacuum');
  pragma.call(this, 'max_page_count = 1');
  return pragma.call(this, source, options);
};
