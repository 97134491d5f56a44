import type { Millis } from '../domain/day.ts';
import type { Rates } from '../domain/rates.ts';
import type { NextRowIds } from '../store/catalogue/catalogue.ts';
import type { Store } from '../store/connect.ts';
import type { ImportLock } from './lock.ts';
import type { NextPublication } from './publication.ts';
import type { ValidationLimits } from './validation/index.ts';

/** What every part of an import works with. */
export interface ImportRun {
  readonly store: Store;
  readonly lock: ImportLock;
  readonly startedAt: Millis;
  /** Row ids that are free; whoever uses one counts it up. */
  readonly nextIds: NextRowIds;
  readonly publication: NextPublication;
  /** The exchange rates by which prices become dollars. */
  readonly rates: Rates;
  /** The limits of validation; null accepts everything. */
  readonly limits: ValidationLimits | null;
}
