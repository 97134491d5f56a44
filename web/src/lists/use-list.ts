import { useCallback, useState } from 'preact/hooks';
import { takeLines } from '../api/added-lines.ts';
import { useSession } from '../api/session.ts';
import { type List, withLine } from './list.ts';

/** The list that the page keeps until the reader closes the tab. */

const EMPTY: List = { text: '', game: '', percent: '' };

/** The last list, for the reader's return from another page. */
let last: { readonly owner: string; readonly list: List } = { owner: '', list: EMPTY };

export type ChangeList = (change: (before: List) => List) => void;

/**
 * Returns the reader's list, including lines added on other pages, and functions that change it.
 */
export function useList(): [List, ChangeList] {
  const { account } = useSession();
  const owner = account?.email ?? '';
  const [list, setList] = useState(() => takeLines(owner).reduce(withLine, keptList(owner)));
  const changeList = useCallback<ChangeList>(
    (change) => {
      setList((before) => {
        last = { owner, list: change(before) };
        return last.list;
      });
    },
    [owner],
  );
  return [list, changeList];
}

/** A visitor who signs in keeps their list. */
function keptList(owner: string): List {
  return last.owner === owner || last.owner === '' ? last.list : EMPTY;
}
