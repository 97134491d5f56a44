import { type Day, formatDay } from '../../domain/day.ts';
import { RARITY_RANKS } from './names.ts';
import type { NumberTest, Tree } from './tree.ts';

/** Writes a tree as a query that parses to the same tree. */
export function printTree(tree: Tree): string {
  if (tree.kind === 'words') return `"${tree.words}"`;
  if (tree.kind === 'text') return `${tree.field}${tree.operator}${quoted(tree.value)}`;
  if (tree.kind === 'number') return `${tree.field}${tree.operator}${printNumber(tree)}`;
  if (tree.kind === 'not') return `-${printPart(tree.of)}`;
  const parts = tree.of.map((part) => (tree.kind === 'any' ? printTree(part) : printPart(part)));
  return parts.join(tree.kind === 'any' ? ' OR ' : ' ');
}

/** Groups need brackets, except in an `any`: `a b OR c` is `(a b) OR c`. */
function printPart(tree: Tree): string {
  const isGroup = tree.kind === 'all' || tree.kind === 'any';
  return isGroup ? `(${printTree(tree)})` : printTree(tree);
}

function quoted(value: string): string {
  return /^[\w:.-]+$/.test(value) ? value : `"${value}"`;
}

function printNumber({ field, value }: NumberTest): string {
  if (field === 'price') return (value / 100).toFixed(2);
  if (field === 'date') return formatDay(value as Day);
  if (field === 'rarity') return RARITY_RANKS[value] ?? '';
  return field.startsWith('change') ? `${value}%` : String(value);
}
