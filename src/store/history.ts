/** SQL of the packed history: every day of every printing. See `docs/history-format.md`. */
export { DamagedHistory } from './history/blocks.ts';
export {
  type Check,
  type Compaction,
  type CompactOptions,
  checkHistory,
  compactHistory,
  type Damage,
  type Progress,
} from './history/maintain.ts';
export {
  type ExportFilter,
  exportHistory,
  historyReader,
  newestHistoryDays,
  type PrintingHistory,
} from './history/read.ts';
export { type PrintingDay, type Recorded, recordHistory } from './history/record.ts';
