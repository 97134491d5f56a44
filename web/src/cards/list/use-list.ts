import { useState } from 'preact/hooks';
import { useAccount } from '../../account/session.tsx';
import type { ListRow } from './rows.ts';

/** A list as pasted, and its answers once it has been sent. */
export interface List {
  readonly text: string;
  /** The slug of the game of all lines that say none; empty for any. */
  readonly game: string;
  readonly rows?: readonly ListRow[] | undefined;
}

const EMPTY: List = { text: '', game: '' };

/** The list of an account, for when its reader comes back from the page of a card. */
let last: { readonly email: string; readonly list: List } | undefined;

/** Returns the list of the account, and what changes it. */
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
