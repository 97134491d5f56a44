/** Backups have one format for both engines, so either engine can restore them. */
export { type Backup, backUp, newestBackup, pruneBackups } from './backup.ts';
export { openOther } from './other-database.ts';
export { type Restored, restore } from './restore.ts';
