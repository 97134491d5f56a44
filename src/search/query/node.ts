import type { SearchSort } from '../results.ts';
import type { Test, Tree, Words } from './tree.ts';

/** A part of the syntax tree. */
export interface Node<Leaf = Words | Test> {
  readonly from: number;
  readonly to: number;
  /** Undefined for words without letters, orders, and parts that have a problem. */
  readonly tree?: Tree<Leaf> | undefined;
  /** Plain words, which the search also reads. */
  readonly isWord?: boolean;
  /** A phrase, whose words the search also reads. */
  readonly isPhrase?: boolean;
  /** The words of a test that the search also reads. */
  readonly words?: string | undefined;
  readonly sort?: SearchSort | undefined;
  /** The parts of a group that must all be true. */
  readonly of?: readonly Node<Leaf>[];
}
