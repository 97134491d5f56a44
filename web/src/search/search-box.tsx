import type { RefObject } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { autocompleteApiPath, dashboardPath } from '../api/links.ts';
import { useData } from '../api/use-data.ts';
import { Combobox } from '../ui/combobox.tsx';
import { CLOSED } from '../ui/list-state.ts';
import { SEARCH_BOX } from './quick-search.tsx';

interface Props {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly text: string;
  /** Slug of the game whose names are suggested; empty for all games. */
  readonly game: string;
  onText(text: string): void;
  /** Called when a suggested name is selected. */
  onSelect(name: string): void;
  /** Called when Enter is pressed or the box loses the focus. */
  onCommit(): void;
}

/** The search box, which suggests names while the reader types. */
export function SearchBox({ input, text, game, onText, onSelect, onCommit }: Props) {
  const id = useId();
  const [list, setList] = useState(CLOSED);
  const names = useSuggestions(list.isOpen ? text.trim() : '', game).filter(
    (name) => name !== text,
  );
  return (
    <div class="suggest">
      <label for={id}>Card name, set, number, grade …</label>
      <Combobox
        box={{ ...SEARCH_BOX, id, ref: input, value: text }}
        list={list}
        onList={setList}
        items={names}
        keyOf={(name) => name}
        render={(name) => <bdi>{name}</bdi>}
        label="Card names"
        look="suggestions"
        onText={onText}
        onSelect={onSelect}
        onEnter={() => {
          setList(CLOSED);
          onCommit();
        }}
        onLeave={onCommit}
      />
    </div>
  );
}

const MAX_SUGGESTIONS = 6;

/** The time from the last keystroke until names are fetched: the results come first. */
const DELAY_MS = 80;

function useSuggestions(typed: string, game: string): readonly string[] {
  const q = useDebounced(typed, DELAY_MS);
  const { body } = useData<{ data: string[] }>(
    q === '' ? null : dashboardPath(autocompleteApiPath(q, game, MAX_SUGGESTIONS)),
  );
  return typed === '' || q === '' ? [] : (body?.data ?? []);
}

/**
 * Returns `value` once it has not changed for `ms` milliseconds, and the earlier value until then.
 */
function useDebounced<Value>(value: Value, ms: number): Value {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return debounced;
}
