import { foldWords } from '../../domain/text.ts';
import { findPhrases } from '../lexicon/index.ts';
import type { Part, Problem } from '../lexicon/phrase.ts';
import { SEARCH_DIALECT } from './dialects.ts';
import { type FieldContext, readField } from './field.ts';
import { Grammar } from './grammar.ts';
import { MONEY } from './money.ts';
import type { Node } from './node.ts';
import type { Test, Tree, Words } from './tree.ts';
import { readWording, type Wording } from './wordings.ts';

/** Further parts that are not words are read as words. */
const MAX_PARTS = 16;

const SPACE = /\s*/y;
const WORD = /[^\s()]+/y;
const QUOTED = /!?["“„][^"“”„]*["”]/y;
/** `-Holo-` decorates a title. */
const DECORATION = /-[^\s-][^-"]*(?<=\S)-(?!\S)/y;

export interface ParserContext extends FieldContext {
  /** Whether a name of a card or set has these folded words next to each other. */
  isInText(words: readonly string[]): boolean;
  /** Whether the name of a card has this text in quotation marks. */
  isQuoted(text: string): boolean;
}

/** Parses a query by the grammar of docs/search.md. Reports problems instead of throwing. */
export class QueryParser extends Grammar<Words | Test> {
  readonly problems: Problem[] = [];
  /** Unmatched brackets, which are a problem only next to other syntax. */
  readonly looseBrackets: Problem[] = [];
  /** Wordings for prices, changes and orders, which apply to the whole query. */
  readonly wordings: Node[] = [];
  readonly #context: ParserContext;
  #parts = 0;

  constructor(source: string, context: ParserContext) {
    super(source, SEARCH_DIALECT);
    this.#context = context;
  }

  /** Whether an `or` follows that is not part of a name, such as `Trick or Treat`. */
  protected override isOr(word: string, end: number): boolean {
    if (this.#parts >= MAX_PARTS) return false;
    const next = this.cursor.wordAfter(word.length, end);
    if (next === undefined) return false;
    if (this.#isNamed([this.cursor.wordBefore(), 'or', next], word === 'OR')) return false;
    this.#parts++;
    return true;
  }

  /** Whether words, or two of them, are adjacent in a name. */
  #isNamed(words: readonly (string | undefined)[], onlyAll = false): boolean {
    const known = words.filter((word) => word !== undefined);
    if (onlyAll || known.length < 3) return known.length > 1 && this.#context.isInText(known);
    return this.#context.isInText(known.slice(0, 2)) || this.#context.isInText(known.slice(1));
  }

  protected override parseItem(end: number): Node {
    return this.#parts >= MAX_PARTS ? this.#parseWord() : super.parseItem(end);
  }

  protected override parseOperand(): Node {
    return this.#parsePhrase() ?? this.#parseField() ?? this.#parseWording() ?? this.#parseWord();
  }

  /** Ignores unmatched brackets, and those nested too deeply. */
  protected override looseBracket(message: string): Node {
    const from = this.cursor.at++;
    const problem = { typed: '(', from, to: from + 1, message };
    if (this.looseBrackets.length < MAX_PROBLEMS) this.looseBrackets.push(problem);
    return { from, to: from + 1, isWord: true };
  }

  protected override isNegation(word: string, end: number): boolean {
    const isMinus = isSign(word);
    const isText = isMinus
      ? this.cursor.peek(DECORATION) !== undefined
      : this.#isNamedNegation(word, end);
    if (!isText) this.#parts++;
    return !isText;
  }

  /** Whether a `not` is part of a name, such as `Not of This World`. */
  #isNamedNegation(word: string, end: number): boolean {
    const next = this.cursor.wordAfter(word.length, end);
    const own = foldWords(word);
    return this.#isNamed([...own, next]) || this.#isNamed([this.cursor.wordBefore(), ...own]);
  }

  /** Parses the part that `not` excludes: the longest phrase of the tables, otherwise one word. */
  protected override parseExcluded(word: string): Node | undefined {
    const isOneWord = isSign(word);
    const from = this.cursor.at;
    if (/["“(]/.test(this.cursor.source[from] ?? '') || this.#peekField()) return undefined;
    if (!isOneWord && this.#readWording()) return undefined;
    const chunks = this.#chunksAhead(isOneWord ? 1 : MAX_EXCLUDED);
    const words = chunks.flatMap(({ words }) => words);
    if (chunks[0]?.words.length !== 1) return undefined;
    const phrases = findPhrases(words).filter((one) => one.from === 0 && NARROWING.has(one.as));
    const length = Math.max(1, ...phrases.map(({ to }) => to));
    this.cursor.at = chunks[length - 1]?.to ?? from;
    const value = words.slice(0, length).join(' ');
    const whole = phrases.filter(({ to }) => to === length);
    const isPrinting = value.length > 1 && whole.some(({ fitsPrinting }) => fitsPrinting);
    const tree: Tree = isPrinting
      ? { kind: 'text', field: 'printing', operator: '!=', value }
      : { kind: 'not', of: { kind: 'words', words: value } };
    return { from, to: this.cursor.at, tree };
  }

  /** Returns the next words, without moving. */
  #chunksAhead(most: number): { to: number; words: string[] }[] {
    const start = this.cursor.at;
    const chunks: { to: number; words: string[] }[] = [];
    while (chunks.length < most) {
      const chunk = this.cursor.take(WORD);
      if (chunk === undefined) break;
      const words = foldWords(chunk);
      if (words.length !== 1 && chunks.length > 0) break;
      chunks.push({ to: this.cursor.at, words });
      this.cursor.take(SPACE);
    }
    this.cursor.at = start;
    return chunks;
  }

  #parsePhrase(): Node | undefined {
    const from = this.cursor.at;
    const quoted = this.cursor.take(QUOTED);
    if (quoted !== undefined) {
      this.#parts++;
      const words = foldWords(quoted).join(' ');
      const span = { from, to: this.cursor.at };
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
    if (/["“„]/.test(this.cursor.source[from] ?? '')) {
      const rest = this.cursor.source.slice(from + 1).trim();
      this.#report({ from, to: from + 1 }, 'This quotation mark is not closed.', `"${rest}"`);
    }
    return undefined;
  }

  #peekField(): boolean {
    return readField(this.cursor.source, this.cursor.at, this.#context)?.node !== undefined;
  }

  #parseField(): Node | undefined {
    const read = readField(this.cursor.source, this.cursor.at, this.#context);
    if (read?.problem) this.#report(read, read.problem.message, read.problem.suggestion);
    if (!read?.node) return undefined;
    this.#parts++;
    this.cursor.at = read.to;
    return { from: read.from, to: read.to, ...read.node };
  }

  #readWording(): Wording | undefined {
    return readWording(this.cursor.source, this.cursor.at, this.#context.local);
  }

  #parseWording(): Node | undefined {
    const from = this.cursor.at;
    const wording = this.#readWording();
    if (!wording) return undefined;
    const { to, tree, sort, problem } = wording;
    if (this.#isNamedWording(this.cursor.source.slice(from, to))) return undefined;
    this.#parts++;
    this.cursor.at = to;
    const span = { from, to };
    if (problem !== undefined) this.#report(span, problem);
    else if (this.negations > 0) return { ...span, tree };
    else this.wordings.push({ ...span, tree, sort });
    return span;
  }

  /** Whether a wording is part of a name, such as `Sink Below`. */
  #isNamedWording(typed: string): boolean {
    const words = foldWords(typed);
    const end = this.cursor.source.length;
    const next = words.length === 1 ? this.cursor.wordAfter(typed.length, end) : undefined;
    if (this.#isNamed([...words, next], true)) return true;
    return !MONEY.test(typed) && this.#isNamed([this.cursor.wordBefore(), words[0]]);
  }

  #parseWord(): Node {
    const from = this.cursor.at;
    const typed = this.cursor.take(WORD);
    if (typed === undefined) this.cursor.at++; // an unmatched closing bracket
    const words = foldWords(typed ?? '').join(' ');
    const tree: Tree | undefined = words === '' ? undefined : { kind: 'words', words };
    return { from, to: this.cursor.at, tree, isWord: true };
  }

  #report({ from, to }: Pick<Part, 'from' | 'to'>, message: string, suggestion?: string): void {
    if (this.problems.length === MAX_PROBLEMS) return;
    const typed = this.cursor.source.slice(from, to);
    this.problems.push({ typed, from, to, message, ...(suggestion && { suggestion }) });
  }
}

/** At most this many words after a `not` are one phrase. */
const MAX_EXCLUDED = 4;

/** More problems than this do not help anyone. */
const MAX_PROBLEMS = 8;

/** The kinds of phrases that may be excluded as a whole. */
const NARROWING: ReadonlySet<string> = new Set(['rarity', 'printing', 'treatment', 'set']);

/** Whether a negation is a sign, which excludes only the word after it. */
function isSign(negation: string): boolean {
  return negation.length === 1;
}
