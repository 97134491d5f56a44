/** SQL of the price history of all printings, as `docs/history-format.md` specifies it. */

/** The newest day that the history can hold. */
export { LAST_DAY } from '../history/codec.ts';
export { DamagedHistory } from './history/blocks.ts';
export { type SourceDays, takeReplacedDays } from './history/corrections.ts';
export { lastDaysBefore } from './history/last-days.ts';
export {
  type Check,
  type Compaction,
  type CompactOptions,
  checkHistory,
  compactHistory,
  type Damage,
  type Progress,
} from './history/maintain.ts';
export { type DayMove, movesOfDay } from './history/moves.ts';
export { newestDays } from './history/newest-days.ts';
export {
  type ExportFilter,
  exportHistory,
  historyReader,
  newestHistoryDays,
  type PrintingHistory,
} from './history/read.ts';
export { type PrintingDay, type Recorded, recordHistory } from './history/record.ts';
export {
  type Repair,
  type RepairOptions,
  type Replacement,
  repairHistory,
} from './history/repair.ts';
export { type OtherDatabase, openOther } from './history/replacement.ts';
export {
  type RemovedDays,
  removeSourceDays,
  type WantedDay,
} from './history/roll-back.ts';
