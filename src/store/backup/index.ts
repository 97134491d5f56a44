/** Backups of a database: one form for both engines, so that one can be restored into the other. */
export { type Backup, backUp, newestBackup, pruneBackups } from './backup.ts';
export { openOther } from './other-database.ts';
export { type Restored, restore } from './restore.ts';
