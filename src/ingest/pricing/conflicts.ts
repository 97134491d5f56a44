import { withoutAmounts } from '../../domain/observation.ts';
import type { StoredObservation } from '../../store/observations.ts';
import type {
  AcceptedObservation,
  CardObservation,
  Finding,
  ResolvedObservation,
} from '../observation.ts';
import type { ImportRun } from '../run.ts';
import type { Conflict } from '../validation/index.ts';

/** Printings of which a source reports conflicting prices, in one import but several batches. */

/** The finding of an earlier batch of this import for the same printing and marketplace. */
export function findConflict({ conflicts }: ImportRun, resolved: Reported): Finding | undefined {
  return conflicts?.get(conflictKey(resolved));
}

type Reported = Pick<ResolvedObservation, 'card' | 'printing' | 'observation'>;

function conflictKey({ card, printing, observation }: Reported): string {
  return `${card} ${observation.marketplace} ${printing}`;
}

/** Whether what is known comes from an earlier batch of this import, under another external id. */
export function isFromOtherCard(
  { conflicts, startedAt }: ImportRun,
  { externalId }: CardObservation,
  known: StoredObservation,
): boolean {
  const isOther =
    externalId !== null && known.externalId !== null && known.externalId !== externalId;
  return conflicts !== undefined && isOther && known.fetchedAt === startedAt;
}

/**
 * Remembers a conflict. Returns what takes back the price that an earlier batch has written: the
 * one that was known before the import is overwritten by then.
 */
export function retractEarlier(
  { conflicts }: ImportRun,
  { resolved, finding }: Conflict,
): AcceptedObservation[] {
  const isNew = conflicts?.has(conflictKey(resolved)) === false;
  conflicts?.set(conflictKey(resolved), finding);
  const { reportedBefore: earlier } = resolved;
  if (!isNew || !earlier) return [];
  const { currency, observedAt } = earlier;
  const observation = { ...withoutAmounts(resolved.observation), currency, observedAt };
  return [{ resolved: { ...resolved, externalId: earlier.externalId }, observation }];
}
