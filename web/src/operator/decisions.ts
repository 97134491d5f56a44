import type { Decision } from '../api/responses.ts';
import { formatCount } from '../ui/format.ts';

/** The decisions of an operator on quarantined prices. */

export type Action = 'approve' | 'reject' | 'undo';

export const ACTION_NAMES: Readonly<Record<Action, string>> = {
  approve: 'Approve',
  reject: 'Reject',
  undo: 'Undo',
};

/** Which prices are meant; an empty text restricts nothing. `set` is a row id, 0 for no set. */
export type Choice = {
  readonly source?: string;
  readonly rule?: string;
  readonly set?: string;
};

/** Where decisions on some entries are posted to; those on a group end in `-group`. */
export const ACTION_PATHS: Readonly<Record<Action, string>> = {
  approve: '/dashboard/operator/quarantine/approve',
  reject: '/dashboard/operator/quarantine/reject',
  undo: '/dashboard/operator/quarantine/undo',
};

/** A decision as it is named to take it back. */
export interface Undoable {
  readonly decision: 'approved' | 'rejected';
  readonly decidedAt: string;
}

/** The body that means all prices of a choice that were there when they were listed. */
export function groupBody({ source, rule, set, upTo }: Choice & { readonly upTo: number }): object {
  return {
    ...(source && { source }),
    ...(rule && { rule }),
    ...(set && { set: Number(set) }),
    upTo,
  };
}

/** Returns how a decision is taken back; undefined for one that decided nothing, or undid. */
export function undoableOf(action: Action, { decided, decidedAt }: Decision): Undoable | undefined {
  if (action === 'undo' || decidedAt === null || decided === 0) return undefined;
  return { decision: action === 'approve' ? 'approved' : 'rejected', decidedAt };
}

/** Describes what a decision did. */
export function describeDecision(action: Action, decision: Decision): string {
  if (action === 'undo') return describeUndone(decision);
  const { decided, pricesChanged, refused } = decision;
  if (action === 'reject') return `Rejected ${formatCount(decided)}.`;
  const approved = `Approved ${formatCount(decided)}; ${formatCount(pricesChanged)} of them are served now.`;
  if (refused === 0) return approved;
  return `${approved} ${formatCount(refused)} stay quarantined: no price can be what they say.`;
}

function describeUndone({ decided, refused }: Decision): string {
  const undone = `Took back ${formatCount(decided)}: they wait for a decision again.`;
  if (refused === 0) return undone;
  return `${undone} ${formatCount(refused)} stay: their source has reported them anew.`;
}
