/**
 * The notation of a query language for the elements that all of them share. Patterns are sticky,
 * except `literal`, the source of a pattern.
 */
export interface Dialect {
  /** Separates alternatives. */
  readonly or: RegExp;
  /** Joins conditions, which are also joined without it. */
  readonly and: RegExp;
  /** A sign or word in front of an excluded part. */
  readonly not: RegExp;
  /** Text in which a bracket is only a character. */
  readonly literal: string;
  /** `!name:`: a mark for exact values, the name of a field, and a comparison or a colon. */
  readonly field: RegExp;
  /** `[10 TO *}`: a bracket, the lower end, the upper end, and a bracket. */
  readonly range: RegExp;
  /** A value in quotation marks, with its text. */
  readonly quoted: RegExp;
  /** A value without quotation marks. */
  readonly plain: RegExp;
  /** The deepest nesting of brackets. */
  readonly maxDepth: number;
}

/** The search's own language (docs/search.md), in which plain words come first. */
export const SEARCH_DIALECT: Dialect = {
  or: /(?:or|\|\|)(?=[\s(])/iy,
  and: /(?:AND|&&)\s+(?=[-!("“]|[A-Za-z][\w.]*[:=<>])/y,
  // `-030/092` is a number that follows a name.
  not: /[-−](?=[\p{L}"“(])|(?:not|without|except|excluding)\s+(?=\S)/iuy,
  literal: '["“„][^"“”„]*["”]',
  field: /(!?)([A-Za-z][\w.]*)(?::?(>=|<=|!=|=|<|>)|(:))/y,
  range: /([[{])\s*(\S{1,12}) TO (\S{1,12}?)\s*([\]}])/y,
  quoted: /["“]([^"“”]*)["”]/y,
  plain: /[^\s()"“”]+/y,
  maxDepth: 16,
};

/** The language of Lucene, as the Pokémon TCG API accepts it. A backslash escapes a sign. */
export const LUCENE_DIALECT: Dialect = {
  or: /(?:OR|\|\|)(?=\s*\(|\s+[^\s)])/y,
  and: /(?:AND|&&)(?=\s*\(|\s+[^\s)])/y,
  not: /-(?=[^\s-])|NOT\s+(?=\S)/y,
  literal: String.raw`"(?:[^"\\]|\\.)*"|\\.`,
  field: /(!?)([A-Za-z\d][\w.]*)(?::(>=|<=|<|>)|(:))/y,
  range: /([[{])\s*([^\s()"[\]{}]{1,40})\s+TO\s+([^\s()"[\]{}]{1,40})\s*([\]}])/y,
  quoted: /"((?:[^"\\]|\\.)*)"/y,
  plain: /(?:[^\s()"[\]{}\\]|\\.)+/y,
  maxDepth: 16,
};
