import type { Dialect } from './dialects.ts';

/** A field as typed. */
export interface TypedField extends TypedHead, TypedValue {}

/** The part of a field before its value. */
export interface TypedHead {
  readonly name: string;
  /** Whether a mark requires the whole value. */
  readonly isExact: boolean;
  /** `:` or a comparison. */
  readonly operator: string;
}

export interface TypedValue {
  readonly value: string;
  readonly isQuoted: boolean;
  /** The ends of a range, `[10 TO *]`. */
  readonly range: Range | undefined;
}

export interface Range {
  readonly low: string;
  readonly high: string;
  /** Whether an end is excluded from the range. */
  readonly isLowOpen: boolean;
  readonly isHighOpen: boolean;
}

/** Reads the head of a field at a position in a text, and its end; undefined if there is none. */
export function readHead(
  source: string,
  at: number,
  { field }: Dialect,
): (TypedHead & { readonly to: number }) | undefined {
  const [text, exact, name = '', comparison] = matchAt(field, source, at) ?? [];
  if (text === undefined) return undefined;
  return { name, isExact: exact === '!', operator: comparison ?? ':', to: at + text.length };
}

/** Reads the value at a position in a text; empty if there is none. */
export function readValue(
  source: string,
  at: number,
  dialect: Dialect,
): TypedValue & { readonly to: number } {
  const [range, open, low = '', high = '', close] = matchAt(dialect.range, source, at) ?? [];
  if (range !== undefined) {
    const ends = { low, high, isLowOpen: open === '{', isHighOpen: close === '}' };
    return { value: range, isQuoted: false, range: ends, to: at + range.length };
  }
  const [quotation, quoted] = matchAt(dialect.quoted, source, at) ?? [];
  if (quotation !== undefined && quoted !== undefined) {
    const value = quoted.trim().replace(/\s+/g, ' ');
    return { value, isQuoted: true, range: undefined, to: at + quotation.length };
  }
  const [value = ''] = matchAt(dialect.plain, source, at) ?? [];
  return { value, isQuoted: false, range: undefined, to: at + value.length };
}

function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}
