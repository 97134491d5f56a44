import { channel } from 'node:diagnostics_channel';

/**
 * What is told to whoever listens in this process, such as traces. Nobody listens unless a setting
 * asks for it, so ask `hasSubscribers` before anything is measured.
 */

/** Something that took from a moment (`performance.now()`) until the message. */
interface Timed {
  readonly from: number;
  readonly error?: unknown;
}

/** A statement that the database has answered. Its text has `?` or `$1` in place of values. */
export interface StatementMessage extends Timed {
  readonly text: string;
}

/** A part of a source that an import has written, such as a group, by its name. */
export interface PartMessage extends Timed {
  readonly part: string;
}

export const STATEMENTS = channel('cardprice:statement');
export const PARTS = channel('cardprice:import-part');

/** Runs a statement, and tells of it where somebody listens. */
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
