import type { Millis } from '../../domain/day.ts';
import type { Rates } from '../../domain/rates.ts';
import type { Remote, SourceEntry } from './source.ts';

/** Sources of exchange rates. They have no cards and no prices. */

/** A file of exchange rates. */
export interface PublishedRates {
  /** The name of the source in the registry. */
  readonly source: string;
  /** The start of the newest day (UTC) with a rate. */
  readonly observedAt: Millis;
  /** At most one for each day and currency. */
  readonly rates: Rates;
}

/** A source that `cardprice import <name>` reads as exchange rates. */
export interface RatesSource extends SourceEntry {
  /** The address from which `cardprice sync` downloads a file. */
  readonly remote: Remote;
  /** A sentence about the readable files. */
  readonly takes: string;
  /**
   * Reads the bytes of a file, packed or not.
   *
   * @throws OperatorError if it is not a file of the source, or any of its rates cannot be read.
   */
  read(name: string, bytes: Uint8Array): PublishedRates;
}
