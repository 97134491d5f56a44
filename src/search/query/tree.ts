import type { Conversion } from '../../domain/conversion.ts';
import { NUMBER_FACT_NAMES, WORD_FACT_NAMES } from '../../domain/searched-facts.ts';

/**
 * A condition on cards as a tree. docs/search.md has its grammar. {@link printTree} writes it as a
 * query that parses to the same tree. Other dialects have other leaves.
 */
export type Tree<Leaf = Words | Test> = Leaf | Not<Leaf> | Group<Leaf>;

/** A card contains these words, adjacent, in its name, set, rarity or number. */
export interface Words {
  readonly kind: 'words';
  /** Folded, separated by spaces. */
  readonly words: string;
}

/** A comparison of a card's field with a value. */
export type Test = TextTest | NumberTest;

export interface TextTest {
  readonly kind: 'text';
  readonly field: TextField;
  /** `:` for a part of the field, `=` for the whole field, `!=` for any other printing. */
  readonly operator: ':' | '=' | '!=';
  /** As typed, with single spaces and without quotes. */
  readonly value: string;
}

export interface NumberTest {
  readonly kind: 'number';
  readonly field: NumberField;
  readonly operator: Comparison;
  /**
   * Cents, a year, a day, percent, digits of a collector number, the rank of a rarity, or a fact.
   */
  readonly value: number;
  /** How a price was converted from the currency in which it was typed. */
  readonly conversion?: Conversion;
}

export interface Not<Leaf = Words | Test> {
  readonly kind: 'not';
  readonly of: Tree<Leaf>;
}

/**
 * All of several conditions, or any of them. A group has at least two members, none of its own
 * kind.
 */
export interface Group<Leaf = Words | Test> {
  readonly kind: 'all' | 'any';
  readonly of: readonly Tree<Leaf>[];
}

/** The property that distinguishes a leaf from the rest of a tree. */
export interface AnyLeaf {
  readonly kind: string;
}

export const TEXT_FIELDS = [
  'name',
  'set',
  'code',
  'rarity',
  'number',
  'game',
  'printing',
  'lang',
  'is',
  'id',
  'artist',
  ...WORD_FACT_NAMES,
] as const;
export type TextField = (typeof TEXT_FIELDS)[number];

export const NUMBER_FIELDS = [
  'price',
  'year',
  'date',
  'number',
  'rarity',
  'change1d',
  'change7d',
  'change30d',
  ...NUMBER_FACT_NAMES,
] as const;
export type NumberField = (typeof NUMBER_FIELDS)[number];

export const COMPARISONS = ['=', '<', '<=', '>', '>='] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** Returns the conversions of amounts in a condition, one for each currency. */
export function conversionsIn(tree: Tree): readonly Conversion[] {
  const byCurrency = new Map(allConversions(tree).map((one) => [one.from, one]));
  return [...byCurrency.values()];
}

function allConversions(tree: Tree): readonly Conversion[] {
  if (tree.kind === 'not') return allConversions(tree.of);
  if (tree.kind === 'all' || tree.kind === 'any') return tree.of.flatMap(allConversions);
  return tree.kind === 'number' && tree.conversion ? [tree.conversion] : [];
}

/** Joins conditions into a group, unless there is only one; undefined if there are none. */
export function joinTrees<Leaf extends AnyLeaf = Words | Test>(
  kind: Group['kind'],
  trees: readonly Tree<Leaf>[],
): Tree<Leaf> | undefined {
  const [first, ...others] = trees.flatMap((tree) => (isGroup(tree, kind) ? tree.of : [tree]));
  return first && others.length > 0 ? { kind, of: [first, ...others] } : first;
}

function isGroup<Leaf extends AnyLeaf>(tree: Tree<Leaf>, kind: Group['kind']): tree is Group<Leaf> {
  return tree.kind === kind;
}

/** Returns the negation of a tree. Two negations cancel each other. */
export function negated<Leaf extends AnyLeaf>(tree: Tree<Leaf>): Tree<Leaf> {
  return isNot(tree) ? tree.of : { kind: 'not', of: tree };
}

function isNot<Leaf extends AnyLeaf>(tree: Tree<Leaf>): tree is Not<Leaf> {
  return tree.kind === 'not';
}

/**
 * Compiles a tree into a test of subjects. `compileLeaf` compiles its leaves, whose kinds must not
 * be `not`, `all` or `any`.
 */
export function compileTree<Leaf extends AnyLeaf, Subject>(
  tree: Tree<Leaf>,
  compileLeaf: (leaf: Leaf) => (subject: Subject) => boolean,
): (subject: Subject) => boolean {
  if (isNot(tree)) {
    const test = compileTree(tree.of, compileLeaf);
    return (subject) => !test(subject);
  }
  if (isGroup(tree, 'all') || isGroup(tree, 'any')) {
    const tests = tree.of.map((part) => compileTree(part, compileLeaf));
    return tree.kind === 'all'
      ? (subject) => tests.every((test) => test(subject))
      : (subject) => tests.some((test) => test(subject));
  }
  return compileLeaf(tree as Leaf);
}

/** Compares two numbers. */
export function compare(left: number, operator: Comparison, right: number): boolean {
  if (operator === '=') return left === right;
  if (operator === '<') return left < right;
  if (operator === '<=') return left <= right;
  return operator === '>' ? left > right : left >= right;
}
