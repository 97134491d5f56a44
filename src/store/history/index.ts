/** SQL of the price history of all printings, specified in `docs/history-format.md`. */

/** The newest day that the history can hold. */
export { LAST_DAY } from '../../history/codec.ts';
export { pastPricesReader } from './as-of.ts';
export { DamagedHistory } from './blocks.ts';
export { type SourceDays, takeReplacedDays } from './corrections.ts';
export { knownHistoriesReader } from './known.ts';
export {
  type Compaction,
  type CompactOptions,
  checkHistory,
  compactHistory,
  type Damage,
} from './maintain.ts';
export { type DayMove, movesOfDay } from './moves.ts';
export {
  lastDaysBefore,
  type MarketTrail,
  marketTrails,
  newestDays,
} from './newest-days.ts';
export {
  type ExportFilter,
  exportHistory,
  historiesReader,
  historyReader,
  newestHistoryDays,
  type PrintingHistory,
} from './read.ts';
export { type PrintingDay, type Recorded, recordHistory } from './record.ts';
export {
  type Repair,
  type RepairOptions,
  type Replacement,
  repairHistory,
} from './repair.ts';
export {
  type RemovedDays,
  removeSourceDays,
  type WantedDay,
} from './rollback.ts';
export {
  type CopyDay,
  type HistorySeries,
  seriesById,
  seriesOf,
  seriesReader,
  withSeries,
} from './series.ts';
