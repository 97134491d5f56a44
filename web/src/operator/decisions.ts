import type { Decision } from '../api/responses.ts';
import { formatCount } from '../ui/format.ts';

/** The decisions of an operator on quarantined prices. */

export type Action = 'approve' | 'reject' | 'undo';

export const ACTION_NAMES: Readonly<Record<Action, string>> = {
  approve: 'Approve',
  reject: 'Reject',
  undo: 'Undo',
};

/** Filters of prices; an empty text restricts nothing. `set` is a row id, or 0 for no set. */
export type Choice = {
  readonly source?: string;
  readonly rule?: string;
  readonly set?: string;
};

/** The paths that decide on single entries. For groups, they end in `-group`. */
export const ACTION_PATHS: Readonly<Record<Action, string>> = {
  approve: '/dashboard/operator/quarantine/approve',
  reject: '/dashboard/operator/quarantine/reject',
  undo: '/dashboard/operator/quarantine/undo',
};

/** Returns the body that decides on all prices of a choice up to the last listed one. */
export function groupBody({ source, rule, set, upTo }: Choice & { readonly upTo: number }): object {
  return {
    ...(source && { source }),
    ...(rule && { rule }),
    ...(set && { set: Number(set) }),
    upTo,
  };
}

/** Returns the moment of a decision that can be undone, which is one that had an effect. */
export function undoableOf({ decided, decidedAt }: Decision): string | undefined {
  return decided > 0 ? (decidedAt ?? undefined) : undefined;
}

/** Describes the outcome of a decision. */
export function describeDecision(action: Action, decision: Decision): string {
  if (action === 'undo') return describeUndone(decision);
  const { decided, pricesChanged, refused } = decision;
  if (action === 'reject') return `Rejected ${formatCount(decided)}.`;
  const served = `${formatCount(pricesChanged)} of them are now served.`;
  const approved = `Approved ${formatCount(decided)}. ${served}`;
  if (refused === 0) return approved;
  return `${approved} ${formatCount(refused)} stay quarantined because these prices are impossible.`;
}

function describeUndone({ decided, refused }: Decision): string {
  const undone = `Undid ${formatCount(decided)}. They wait for a decision again.`;
  if (refused === 0) return undone;
  return `${undone} ${formatCount(refused)} stay decided because their source has reported them again.`;
}
