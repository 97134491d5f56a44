import { foldText } from '../../src/domain/text.ts';
import type { Matched, Resolution, Undecided } from '../../src/resolve/item.ts';
import type { KnownLine } from './line.ts';

/**
 * What an answer is worth. `told` is an answer of `ambiguous` where nothing in the item decides
 * between the card and others, and its candidates are these: nobody could say more.
 */
export type Verdict = 'right' | 'told' | 'wrong' | 'ambiguous' | 'unknown';

/** Judges the answer for a line that means a card: the card has to be the same, and the printing. */
export function judge(line: KnownLine, answer: Resolution): Verdict {
  if (answer.status === 'matched') return isRight(line, answer) ? 'right' : 'wrong';
  return isTold(line, answer) ? 'told' : answer.status;
}

/** Where more cards are alike than an answer has candidates, the meant one may not be among them. */
function isTold({ card, rivals }: KnownLine, { status, candidates }: Undecided): boolean {
  if (status !== 'ambiguous' || rivals.length === 0) return false;
  const alike = new Set([card, ...rivals].map(({ id }) => id));
  const found = candidates.map((candidate) => candidate.card.id);
  return found.includes(card.id) || (found.length > 0 && found.every((id) => alike.has(id)));
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
