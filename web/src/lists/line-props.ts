import type { Currency } from '../../../src/domain/currencies.ts';
import type { ListRow } from './list.ts';

/** The common properties of a line and the parts that unfold below it. */
export interface LineProps {
  readonly row: ListRow;
  /** The slug of the game for lines that name none; empty for any game. */
  readonly game: string;
  /** The percentage to pay; undefined if nothing is bought. */
  readonly percent: number | undefined;
  readonly currency: Currency;
  onRow(row: ListRow): void;
  /** Called after calls that use lookups. */
  onLookup(): void;
}
