import { useState } from 'preact/hooks';
import { useAccount } from '../api/session.ts';
import type { List } from './list.ts';

/** The list that a page keeps. The pages of cards add to it, and do not load the rest of lists. */

const EMPTY: List = { text: '', game: '' };

/** The list of an account, kept for when the reader comes back from another page. */
let last: { readonly email: string; readonly list: List } | undefined;

/** Returns the list of the account, and a function that changes it. */
export function useList(): [List, (change: Partial<List>) => void] {
  const { email } = useAccount();
  const [list, setList] = useState(last?.email === email ? last.list : EMPTY);
  const change = (changed: Partial<List>) => {
    setList((before) => {
      last = { email, list: { ...before, ...changed } };
      return last.list;
    });
  };
  return [list, change];
}

/** Adds a line to the list of the account, before its page is opened. */
export function addToList(email: string, line: string): void {
  const { text, game } = last?.email === email ? last.list : EMPTY;
  last = { email, list: { text: text === '' ? line : `${text.trimEnd()}\n${line}`, game } };
}
