import { Cursor, findClosings } from './cursor.ts';
import type { Dialect } from './dialects.ts';
import type { Node } from './node.ts';
import { type AnyLeaf, joinTrees, negated } from './tree.ts';

/**
 * The grammar of all dialects: alternatives of conditions, groups in brackets and negations. Each
 * dialect has its own notation for these, and reads the operands between them.
 */
export abstract class Grammar<Leaf extends AnyLeaf> {
  protected readonly cursor: Cursor;
  /** The number of negations around the current position. */
  protected negations = 0;
  readonly #dialect: Dialect;
  /** The closing position of each open bracket. */
  readonly #closings: ReadonlyMap<number, number>;
  #depth = 0;

  constructor(source: string, dialect: Dialect) {
    this.cursor = new Cursor(source);
    this.#dialect = dialect;
    this.#closings = findClosings(source, dialect.literal);
  }

  parse(): Node<Leaf> {
    return this.#parseAny(this.cursor.source.length);
  }

  /** Parses an operand: anything but a group or a negation. */
  protected abstract parseOperand(): Node<Leaf>;

  /** Parses a bracket that opens no group. */
  protected abstract looseBracket(message: string): Node<Leaf>;

  /** Whether the dialect's word between alternatives really is one here. */
  protected isOr(_word: string, _end: number): boolean {
    return true;
  }

  /** Whether the dialect's sign or word of exclusion really is one here. */
  protected isNegation(_word: string, _end: number): boolean {
    return true;
  }

  /** Parses the excluded part, if it is less than an item. */
  protected parseExcluded(_word: string): Node<Leaf> | undefined {
    return undefined;
  }

  /** Parses a group, a negation or an operand. */
  protected parseItem(end: number): Node<Leaf> {
    if (this.cursor.source[this.cursor.at] === '(') return this.parseGroup();
    return this.#parseNegation(end) ?? this.parseOperand();
  }

  protected parseGroup(): Node<Leaf> {
    const from = this.cursor.at;
    const end = this.#closings.get(from);
    if (end === undefined) return this.looseBracket('This bracket is not closed.');
    if (this.#depth === this.#dialect.maxDepth) return this.looseBracket('Too many brackets.');
    this.cursor.at++;
    this.#depth++;
    const node = this.#parseAny(end);
    this.#depth--;
    this.cursor.at = Math.max(this.cursor.at, end + 1);
    return { ...node, from, to: this.cursor.at };
  }

  /** Parses alternatives up to an end. */
  #parseAny(end: number): Node<Leaf> {
    const from = this.cursor.at;
    const alternatives = [this.#parseAll(end)];
    while (this.cursor.at < end) {
      this.cursor.take(this.#dialect.or);
      alternatives.push(this.#parseAll(end));
    }
    const [only] = alternatives;
    if (alternatives.length === 1 && only) return only;
    const trees = alternatives.flatMap(({ tree }) => tree ?? []);
    return { from, to: end, tree: joinTrees('any', trees) };
  }

  /** Parses conditions that must all be true, up to an `OR` or an end. */
  #parseAll(end: number): Node<Leaf> {
    const from = this.cursor.at;
    const of: Node<Leaf>[] = [];
    for (this.cursor.take(SPACE); this.cursor.at < end; this.cursor.take(SPACE)) {
      const start = this.cursor.at;
      const or = of.length > 0 ? this.cursor.peek(this.#dialect.or) : undefined;
      if (or !== undefined && this.isOr(or, end)) break;
      if (this.cursor.take(this.#dialect.and)) of.push({ from: start, to: this.cursor.at });
      else of.push(this.parseItem(end));
    }
    const tree = joinTrees(
      'all',
      of.flatMap((node) => node.tree ?? []),
    );
    return { from, to: this.cursor.at, tree, of };
  }

  #parseNegation(end: number): Node<Leaf> | undefined {
    const from = this.cursor.at;
    const word = this.cursor.peek(this.#dialect.not);
    if (word === undefined || !this.isNegation(word, end)) return undefined;
    this.cursor.at += word.length;
    const excluded = this.parseExcluded(word);
    if (excluded) return { ...excluded, from };
    this.negations++;
    const { to, tree } = this.parseItem(end);
    this.negations--;
    return { from, to, tree: tree && negated(tree) };
  }
}

const SPACE = /\s*/y;
