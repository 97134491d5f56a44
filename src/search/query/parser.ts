import { foldWords } from '../../domain/text.ts';
import { findPhrases } from '../lexicon/index.ts';
import type { Part, Problem } from '../lexicon/phrase.ts';
import { Cursor, findClosings } from './cursor.ts';
import { type FieldContext, readField } from './field.ts';
import { MONEY } from './money.ts';
import type { Node } from './node.ts';
import { joinTrees, type Tree } from './tree.ts';
import { readWording, type Wording } from './wordings.ts';

/** Brackets within more brackets than this are ignored. */
const MAX_DEPTH = 16;

/** More parts than this that are not words are read as words. */
const MAX_PARTS = 16;

const SPACE = /\s*/y;
const WORD = /[^\s()]+/y;
const QUOTED = /!?["“„][^"“”„]*["”]/y;
const OR = /(?:or|\|\|)(?=[\s(])/iy;
const AND = /(?:AND|&&)\s+(?=[-!("“]|[A-Za-z][\w.]*[:=<>])/y;
/** `-030/092` is a number that follows a name. */
const MINUS = /[-−](?=[\p{L}"“(])/uy;
const NEGATION = /(?:not|without|except|excluding)\s+(?=\S)/iy;
/** `-Holo-` decorates a title. */
const DECORATION = /-[^\s-][^-"]*(?<=\S)-(?!\S)/y;

export interface ParserContext extends FieldContext {
  /** Whether a name of a card or set has these folded words next to each other. */
  isInText(words: readonly string[]): boolean;
  /** Whether the name of a card has this text in quotation marks. */
  isQuoted(text: string): boolean;
}

/** Parses a query by the grammar of docs/search.md. Reports problems instead of throwing. */
export class QueryParser {
  readonly problems: Problem[] = [];
  /** Brackets without a partner, which are a problem only next to other syntax. */
  readonly looseBrackets: Problem[] = [];
  /** Wordings for prices, changes and orders, which apply to the whole query. */
  readonly wordings: Node[] = [];
  readonly #cursor: Cursor;
  readonly #context: ParserContext;
  /** Where each open bracket is closed. */
  readonly #closings: ReadonlyMap<number, number>;
  #depth = 0;
  #negations = 0;
  #parts = 0;

  constructor(source: string, context: ParserContext) {
    this.#cursor = new Cursor(source);
    this.#context = context;
    this.#closings = findClosings(source);
  }

  parse(): Node {
    return this.#parseAny(this.#cursor.source.length);
  }

  /** Parses alternatives up to an end. */
  #parseAny(end: number): Node {
    const from = this.#cursor.at;
    const alternatives = [this.#parseAll(end)];
    while (this.#cursor.at < end) {
      this.#cursor.take(OR);
      this.#parts++;
      alternatives.push(this.#parseAll(end));
    }
    const [only] = alternatives;
    if (alternatives.length === 1 && only) return only;
    const trees = alternatives.flatMap(({ tree }) => tree ?? []);
    return { from, to: end, tree: joinTrees('any', trees) };
  }

  /** Parses conditions of which all must be true, up to an `OR` or an end. */
  #parseAll(end: number): Node {
    const from = this.#cursor.at;
    const of: Node[] = [];
    for (this.#cursor.take(SPACE); this.#cursor.at < end; this.#cursor.take(SPACE)) {
      if (of.length > 0 && this.#isOr(end)) break;
      const start = this.#cursor.at;
      if (this.#cursor.take(AND)) of.push({ from: start, to: this.#cursor.at });
      else of.push(this.#parseItem(end));
    }
    const tree = joinTrees(
      'all',
      of.flatMap((node) => node.tree ?? []),
    );
    return { from, to: this.#cursor.at, tree, of };
  }

  /** Whether an `or` comes next that is not part of a name, such as `Trick or Treat`. */
  #isOr(end: number): boolean {
    const word = this.#cursor.peek(OR);
    if (word === undefined || this.#parts >= MAX_PARTS) return false;
    const next = this.#cursor.wordAfter(word.length, end);
    if (next === undefined) return false;
    return !this.#isNamed([this.#cursor.wordBefore(), 'or', next], word === 'OR');
  }

  /** Whether words, or two of them, are next to each other in a name. */
  #isNamed(words: readonly (string | undefined)[], onlyAll = false): boolean {
    const known = words.filter((word) => word !== undefined);
    if (onlyAll || known.length < 3) return known.length > 1 && this.#context.isInText(known);
    return this.#context.isInText(known.slice(0, 2)) || this.#context.isInText(known.slice(1));
  }

  #parseItem(end: number): Node {
    const from = this.#cursor.at;
    if (this.#parts >= MAX_PARTS) return this.#parseWord();
    if (this.#cursor.source[from] === '(') return this.#parseGroup();
    return (
      this.#parseNegation(end) ??
      this.#parsePhrase() ??
      this.#parseField() ??
      this.#parseWording() ??
      this.#parseWord()
    );
  }

  /** Parses a group in brackets. Brackets without a partner are ignored. */
  #parseGroup(): Node {
    const from = this.#cursor.at;
    const end = this.#closings.get(from);
    this.#cursor.at++;
    if (end === undefined || this.#depth === MAX_DEPTH) {
      const message = end === undefined ? 'This bracket is not closed.' : 'Too many brackets.';
      const problem = { typed: '(', from, to: from + 1, message };
      if (this.looseBrackets.length < MAX_PROBLEMS) this.looseBrackets.push(problem);
      return { from, to: from + 1, isWord: true };
    }
    this.#depth++;
    const node = this.#parseAny(end);
    this.#depth--;
    this.#cursor.at = Math.max(this.#cursor.at, end + 1);
    return { ...node, from, to: this.#cursor.at };
  }

  #parseNegation(end: number): Node | undefined {
    const from = this.#cursor.at;
    const isDecoration = this.#cursor.peek(DECORATION) !== undefined;
    const isMinus = !isDecoration && this.#cursor.peek(MINUS) !== undefined;
    const word = isMinus ? '-' : this.#cursor.peek(NEGATION);
    if (word === undefined) return undefined;
    if (!isMinus && this.#isNamedNegation(word, end)) return undefined;
    this.#cursor.at += word.length;
    this.#parts++;
    const excluded = this.#parseExcludedWords(isMinus);
    if (excluded) return { ...excluded, from };
    this.#negations++;
    const { to, tree } = this.#parseItem(end);
    this.#negations--;
    return { from, to, tree: tree && negated(tree) };
  }

  /** Whether a `not` is part of a name, such as `Not of This World`. */
  #isNamedNegation(word: string, end: number): boolean {
    const next = this.#cursor.wordAfter(word.length, end);
    const own = foldWords(word);
    return this.#isNamed([...own, next]) || this.#isNamed([this.#cursor.wordBefore(), ...own]);
  }

  /** Parses what `not` excludes: the longest phrase of the tables, otherwise one word. */
  #parseExcludedWords(isOneWord: boolean): Node | undefined {
    const from = this.#cursor.at;
    if (/["“(]/.test(this.#cursor.source[from] ?? '') || this.#peekField()) return undefined;
    if (!isOneWord && this.#readWording()) return undefined;
    const chunks = this.#chunksAhead(isOneWord ? 1 : MAX_EXCLUDED);
    const words = chunks.flatMap(({ words }) => words);
    if (chunks[0]?.words.length !== 1) return undefined;
    const phrases = findPhrases(words).filter((one) => one.from === 0 && NARROWING.has(one.as));
    const length = Math.max(1, ...phrases.map(({ to }) => to));
    this.#cursor.at = chunks[length - 1]?.to ?? from;
    const value = words.slice(0, length).join(' ');
    const whole = phrases.filter(({ to }) => to === length);
    const isPrinting = value.length > 1 && whole.some(({ fitsPrinting }) => fitsPrinting);
    const tree: Tree = isPrinting
      ? { kind: 'text', field: 'printing', operator: '!=', value }
      : { kind: 'not', of: { kind: 'words', words: value } };
    return { from, to: this.#cursor.at, tree };
  }

  /** Returns the next words, without moving. */
  #chunksAhead(most: number): { to: number; words: string[] }[] {
    const start = this.#cursor.at;
    const chunks: { to: number; words: string[] }[] = [];
    while (chunks.length < most) {
      const chunk = this.#cursor.take(WORD);
      if (chunk === undefined) break;
      const words = foldWords(chunk);
      if (words.length !== 1 && chunks.length > 0) break;
      chunks.push({ to: this.#cursor.at, words });
      this.#cursor.take(SPACE);
    }
    this.#cursor.at = start;
    return chunks;
  }

  #parsePhrase(): Node | undefined {
    const from = this.#cursor.at;
    const quoted = this.#cursor.take(QUOTED);
    if (quoted !== undefined) {
      this.#parts++;
      const words = foldWords(quoted).join(' ');
      const span = { from, to: this.#cursor.at };
      if (quoted.startsWith('!') && words !== '') {
        const value = quoted.slice(2, -1).trim().replace(/\s+/g, ' ');
        return {
          ...span,
          tree: { kind: 'text', field: 'name', operator: '=', value },
          words: value,
        };
      }
      const tree: Tree | undefined = words === '' ? undefined : { kind: 'words', words };
      const isWord = this.#context.isQuoted(quoted.slice(1, -1));
      return { ...span, tree, isWord, isPhrase: true };
    }
    if (/["“„]/.test(this.#cursor.source[from] ?? '')) {
      const rest = this.#cursor.source.slice(from + 1).trim();
      this.#report({ from, to: from + 1 }, 'This quotation mark is not closed.', `"${rest}"`);
    }
    return undefined;
  }

  #peekField(): boolean {
    return readField(this.#cursor.source, this.#cursor.at, this.#context)?.node !== undefined;
  }

  #parseField(): Node | undefined {
    const read = readField(this.#cursor.source, this.#cursor.at, this.#context);
    if (read?.problem) this.#report(read, read.problem.message, read.problem.suggestion);
    if (!read?.node) return undefined;
    this.#parts++;
    this.#cursor.at = read.to;
    return { from: read.from, to: read.to, ...read.node };
  }

  #readWording(): Wording | undefined {
    return readWording(this.#cursor.source, this.#cursor.at, this.#context.local);
  }

  #parseWording(): Node | undefined {
    const from = this.#cursor.at;
    const wording = this.#readWording();
    if (!wording) return undefined;
    const { to, tree, sort, problem } = wording;
    if (this.#isNamedWording(this.#cursor.source.slice(from, to))) return undefined;
    this.#parts++;
    this.#cursor.at = to;
    const span = { from, to };
    if (problem !== undefined) this.#report(span, problem);
    else if (this.#negations > 0) return { ...span, tree };
    else this.wordings.push({ ...span, tree, sort });
    return span;
  }

  /** Whether a wording is part of a name, such as `Sink Below`. */
  #isNamedWording(typed: string): boolean {
    const words = foldWords(typed);
    const end = this.#cursor.source.length;
    const next = words.length === 1 ? this.#cursor.wordAfter(typed.length, end) : undefined;
    if (this.#isNamed([...words, next], true)) return true;
    return !MONEY.test(typed) && this.#isNamed([this.#cursor.wordBefore(), words[0]]);
  }

  #parseWord(): Node {
    const from = this.#cursor.at;
    const typed = this.#cursor.take(WORD);
    if (typed === undefined) this.#cursor.at++; // a closing bracket without a partner
    const words = foldWords(typed ?? '').join(' ');
    const tree: Tree | undefined = words === '' ? undefined : { kind: 'words', words };
    return { from, to: this.#cursor.at, tree, isWord: true };
  }

  #report({ from, to }: Pick<Part, 'from' | 'to'>, message: string, suggestion?: string): void {
    if (this.problems.length === MAX_PROBLEMS) return;
    const typed = this.#cursor.source.slice(from, to);
    this.problems.push({ typed, from, to, message, ...(suggestion && { suggestion }) });
  }
}

/** At most this many words after a `not` are one phrase. */
const MAX_EXCLUDED = 4;

/** More problems than this help nobody. */
const MAX_PROBLEMS = 8;

/** The kinds of phrases that may be excluded as a whole. */
const NARROWING: ReadonlySet<string> = new Set(['rarity', 'printing', 'treatment', 'set']);

/** Returns what excludes a tree. Two negations cancel each other. */
function negated(tree: Tree): Tree {
  return tree.kind === 'not' ? tree.of : { kind: 'not', of: tree };
}
