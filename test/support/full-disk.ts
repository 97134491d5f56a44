/**
 * Preloaded into a program (`node --import`), keeps its SQLite databases from growing beyond the
 * pages that they need at present. SQLite then reports the same error as on a full disk.
 */
import Sqlite from 'better-sqlite3';

const { pragma } = Sqlite.prototype;

Sqlite.prototype.pragma = function (source, options) {
  // Pages that migrations have freed would be filled first.
  if (!this.inTransaction) this.exec('vacuum');
  pragma.call(this, 'max_page_count = 1');
  return pragma.call(this, source, options);
};
