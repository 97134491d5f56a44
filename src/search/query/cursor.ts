import { foldWords } from '../../domain/text.ts';

/** A position in a text that is being parsed. Patterns must be sticky. */
export class Cursor {
  readonly source: string;
  at = 0;

  constructor(source: string) {
    this.source = source;
  }

  /** Returns the match of a pattern here, without moving. */
  peek(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    return pattern.exec(this.source)?.[0];
  }

  /** Returns the match of a pattern here, and moves past it. */
  take(pattern: RegExp): string | undefined {
    const found = this.peek(pattern);
    this.at += found?.length ?? 0;
    return found;
  }

  /** Returns the folded word before this position. */
  wordBefore(): string | undefined {
    return foldWords(this.source.slice(Math.max(0, this.at - MAX_WORD), this.at)).at(-1);
  }

  /** Returns the first folded word from `skipped` characters after this position up to an end. */
  wordAfter(skipped: number, end: number): string | undefined {
    const from = this.at + skipped;
    return foldWords(this.source.slice(from, Math.min(end, from + MAX_WORD)))[0];
  }
}

/** Longer words are truncated, which bounds the time. */
const MAX_WORD = 60;

/**
 * Returns the closing bracket of each open one. Ignores brackets in texts that match the pattern
 * `literal`.
 */
export function findClosings(source: string, literal: string): Map<number, number> {
  const closings = new Map<number, number>();
  const open: number[] = [];
  for (const { 0: sign, index } of source.matchAll(new RegExp(`${literal}|[()]`, 'g'))) {
    if (sign === '(') open.push(index);
    if (sign === ')') {
      const start = open.pop();
      if (start !== undefined) closings.set(start, index);
    }
  }
  return closings;
}
