import { type Day, endOfDay, formatDay, type Millis, startOfDay } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import type { GameSlug } from '../domain/games.ts';
import { addCounts } from '../lib/counts.ts';
import { deleteQuarantinedIn, forgetFilesIn } from '../store/catalogue/rollback.ts';
import { namedPrintings } from '../store/catalogue/series.ts';
import type { Store, Transaction } from '../store/connect.ts';
import { type DamagedHistory, LAST_DAY } from '../store/history/index.ts';
import { openRun } from './import.ts';
import { withLock } from './lock.ts';
import { type RollbackCounts, rollBackPrintings } from './pricing/roll-back.ts';

/** Which days of a source were wrong; what is left out restricts nothing. */
export interface WrongDays {
  /** By its name in the table of sources. */
  readonly source: string;
  /** The first and the last of them. */
  readonly since: Day;
  readonly until?: Day | undefined;
  readonly game?: GameSlug | undefined;
  /** Row ids of sets. */
  readonly sets?: readonly number[] | undefined;
}

export interface RollbackOptions {
  readonly clock: () => Millis;
  /** Whether to find out what would change, and to change nothing. */
  readonly isDryRun?: boolean;
  /** Called with how many printings, of all there are, were looked at. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** What was rolled back. */
export interface RollbackSummary extends RollbackCounts {
  /** How many entries of the quarantine were removed. */
  readonly quarantined: number;
  /** How many files of the source may be imported again. */
  readonly files: number;
  /** Damaged histories: everything of their printings stays as it was. */
  readonly damaged: readonly DamagedHistory[];
}

/**
 * Rolls back days of a source, as if it had never reported them, in one publication. Days whose
 * source was not recorded stay. Stopped on the way, it does the rest when it is called again.
 *
 * @throws OperatorError when an import is running, or when the source has nothing of these days.
 */
export function rollBackDays(
  store: Store,
  wrong: WrongDays,
  options: RollbackOptions,
): Promise<RollbackSummary> {
  const { clock, isDryRun = false } = options;
  return withLock(store, clock, async (lock) => {
    const run = await openRun(store, lock, clock(), { limits: null });
    const days = { source: wrong.source, from: wrong.since, to: wrong.until ?? LAST_DAY };
    const { game, sets } = wrong;
    const filter = { ...(game !== undefined && { game }), ...(sets !== undefined && { sets }) };
    const counts = { ...NOTHING };
    const damaged: DamagedHistory[] = [];
    for await (const page of namedPrintings(store.db, filter)) {
      const ids = page.map(({ id }) => id);
      const done = await inTransaction(store, isDryRun, (transaction) =>
        rollBackPrintings(run, transaction, ids, days),
      );
      addCounts(counts, done.counts);
      damaged.push(...done.damaged);
      options.onProgress?.(ids.at(-1) ?? 0, run.nextIds.printing - 1);
      await lock.renew();
    }
    const rest = await inTransaction(store, isDryRun, (transaction) => {
      return forget(transaction, wrong, days.to);
    });
    if (!isDryRun) await run.publication.finish(clock());
    const summary = { ...counts, ...rest, damaged };
    requireAny(wrong, summary);
    return summary;
  });
}

const NOTHING: RollbackCounts = {
  printings: 0,
  days: 0,
  unknownDays: 0,
  putBack: 0,
  removed: 0,
  pricesChanged: 0,
};

/** Works in a transaction, of which nothing stays in a dry run. */
async function inTransaction<Result>(
  { db }: Store,
  isDryRun: boolean,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const transaction = await db.startTransaction().execute();
  try {
    const result = await work(transaction);
    await (isDryRun ? transaction.rollback() : transaction.commit()).execute();
    return result;
  } catch (error) {
    if (!transaction.isCommitted && !transaction.isRolledBack)
      await transaction.rollback().execute();
    throw error;
  }
}

/** Removes what is quarantined of the days, and forgets that their files were read. */
async function forget(transaction: Transaction, wrong: WrongDays, to: Day) {
  const { source, since, game, sets } = wrong;
  const before = endOfDay(to);
  const span = { source, from: startOfDay(since), before, game, sets };
  const quarantined = await deleteQuarantinedIn(transaction, span);
  return { quarantined, files: await forgetFilesIn(transaction, span) };
}

/** @throws OperatorError when nothing was found. */
function requireAny({ source, since, until }: WrongDays, summary: RollbackSummary): void {
  const { printings, quarantined, files, damaged, unknownDays } = summary;
  if (printings + quarantined + files + damaged.length > 0) return;
  const span = until === undefined ? `since ${formatDay(since)}` : `of these days`;
  const unknown =
    unknownDays === 0 ? '' : ` The source of ${unknownDays} days of printings is not recorded.`;
  throw new OperatorError(`There is nothing of ${source} ${span} to roll back.${unknown}`);
}
