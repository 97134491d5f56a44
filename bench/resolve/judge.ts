import { foldText } from '../../src/domain/text.ts';
import type { Matched, Resolution } from '../../src/resolve/types.ts';
import type { KnownLine } from './line.ts';

/**
 * What an answer is worth. `told` is an answer of `ambiguous` with the card among its candidates,
 * where nothing in the item decides between this card and others: nobody could say more.
 */
export type Verdict = 'right' | 'told' | 'wrong' | 'ambiguous' | 'unknown';

/** Judges the answer for a line that means a card: the card has to be the same, and the printing. */
export function judge(line: KnownLine, answer: Resolution): Verdict {
  if (answer.status === 'matched') return isRight(line, answer) ? 'right' : 'wrong';
  const isCandidate = answer.candidates.some(({ card }) => card.id === line.card.id);
  const isTold = answer.status === 'ambiguous' && isCandidate && line.rivals.length > 0;
  return isTold ? 'told' : answer.status;
}

function isRight({ card, printing }: KnownLine, answer: Matched): boolean {
  return (
    answer.card.id === card.id && (printing === undefined || answer.printing?.name === printing)
  );
}

/** What of a line a right answer does not repeat: its quantity, condition or grade. */
export function misreadDetails(line: KnownLine, answer: Matched): string[] {
  const misread: string[] = [];
  if (answer.quantity !== (line.quantity ?? 1)) misread.push('quantity');
  if (answer.condition !== (line.condition ?? null)) misread.push('condition');
  if (foldText(answer.grade ?? '') !== foldText(line.grade ?? '')) misread.push('grade');
  return misread;
}
