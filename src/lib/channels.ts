import { channel } from 'node:diagnostics_channel';

/**
 * Messages to other parts of this process, such as the traces. They have subscribers only if a
 * setting turns them on, so check `hasSubscribers` before you measure anything.
 */

/** An event that began at `from` (`performance.now()`) and ended with the message. */
interface Timed {
  readonly from: number;
  readonly error?: unknown;
}

/** A finished SQL statement. Its text has `?` or `$1` in place of values. */
export interface StatementMessage extends Timed {
  readonly text: string;
}

/** A part of a source that an import has written, named after its last set or its file. */
export interface PartMessage extends Timed {
  readonly part: string;
}

export const STATEMENTS = channel('cardprice:statement');
export const PARTS = channel('cardprice:import-part');

/** Runs a statement, and publishes it if there are subscribers. */
export function tellStatement<Result>(text: string, run: () => Promise<Result>): Promise<Result> {
  return STATEMENTS.hasSubscribers ? timed(text, run) : run();
}

async function timed<Result>(text: string, run: () => Promise<Result>): Promise<Result> {
  const from = performance.now();
  try {
    const result = await run();
    STATEMENTS.publish({ text, from } satisfies StatementMessage);
    return result;
  } catch (error) {
    STATEMENTS.publish({ text, from, error } satisfies StatementMessage);
    throw error;
  }
}
