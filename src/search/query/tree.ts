import type { Conversion } from '../../domain/conversion.ts';
import { NUMBER_FACT_NAMES, WORD_FACT_NAMES } from '../../domain/searched-facts.ts';

/**
 * A condition on cards as a tree. docs/search.md has its grammar. {@link printTree} writes it as a
 * query that is read as the same tree. Other dialects have other leaves.
 */
export type Tree<Leaf = Words | Test> = Leaf | Not<Leaf> | Group<Leaf>;

/** A card mentions the words, next to each other: in its name, set, rarity or number. */
export interface Words {
  readonly kind: 'words';
  /** Folded, separated by spaces. */
  readonly words: string;
}

/** A field of a card compares in this way with a value. */
export type Test = TextTest | NumberTest;

export interface TextTest {
  readonly kind: 'text';
  readonly field: TextField;
  /** `:` for a part of the field, `=` for all of it, `!=` for a printing other than this. */
  readonly operator: ':' | '=' | '!=';
  /** As typed, with single spaces and without quotes. */
  readonly value: string;
}

export interface NumberTest {
  readonly kind: 'number';
  readonly field: NumberField;
  readonly operator: Comparison;
  /** Cents, a year, a day, percent, digits of a collector number, the rank of a rarity, or a fact. */
  readonly value: number;
  /** How a price was converted from the currency in which it was typed. */
  readonly conversion?: Conversion;
}

export interface Not<Leaf = Words | Test> {
  readonly kind: 'not';
  readonly of: Tree<Leaf>;
}

/** All of several conditions, or any of them. A group has at least two, and none of its kind. */
export interface Group<Leaf = Words | Test> {
  readonly kind: 'all' | 'any';
  readonly of: readonly Tree<Leaf>[];
}

/** What a leaf must have to be told from the rest of a tree. */
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

/** Returns how amounts in a condition were converted, once for each currency. */
export function conversionsIn(tree: Tree): readonly Conversion[] {
  const byCurrency = new Map(allConversions(tree).map((one) => [one.from, one]));
  return [...byCurrency.values()];
}

function allConversions(tree: Tree): readonly Conversion[] {
  if (tree.kind === 'not') return allConversions(tree.of);
  if (tree.kind === 'all' || tree.kind === 'any') return tree.of.flatMap(allConversions);
  return tree.kind === 'number' && tree.conversion ? [tree.conversion] : [];
}

/** Joins conditions into a group, unless there is only one; undefined if there is none. */
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

/** Returns what excludes a tree. Two negations cancel each other. */
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
