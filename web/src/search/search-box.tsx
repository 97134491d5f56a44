import type { RefObject, TargetedInputEvent, TargetedKeyboardEvent } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { autocompleteApiPath, dashboardPath } from '../api/links.ts';
import { useData } from '../api/use-data.ts';
import { MAX_TEXT_LENGTH } from '../cards/filters.ts';
import { CLOSED, nextListState } from '../ui/combobox.ts';

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
  const isOpen = list.isOpen && names.length > 0;
  const active = isOpen ? names[list.active] : undefined;
  const listId = `${id}-list`;

  const type = ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) => {
    setList({ isOpen: true, active: -1 });
    onText(currentTarget.value);
  };
  const select = (name: string) => {
    setList(CLOSED);
    onSelect(name);
  };
  const press = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    if (event.isComposing) return;
    if (event.key === 'Enter') {
      setList(CLOSED);
      if (active === undefined) onCommit();
      else onSelect(active);
      return;
    }
    const next = nextListState(event.key, { ...list, isOpen }, names.length);
    if (!next) return;
    event.preventDefault();
    setList(next);
  };
  const leave = () => {
    setList(CLOSED);
    onCommit();
  };
  return (
    <div class="suggest">
      <label for={id}>Card name, set, number, grade …</label>
      <input
        ref={input}
        id={id}
        type="text"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-activedescendant={active === undefined ? undefined : optionId(listId, list.active)}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        enterkeyhint="search"
        maxLength={MAX_TEXT_LENGTH}
        dir="auto"
        data-search
        value={text}
        onInput={type}
        onKeyDown={press}
        onBlur={leave}
      />
      <Suggestions
        id={listId}
        names={names}
        isOpen={isOpen}
        active={list.active}
        onSelect={select}
      />
    </div>
  );
}

interface SuggestionsProps {
  readonly id: string;
  readonly names: readonly string[];
  readonly isOpen: boolean;
  /** The index of the suggestion that Enter selects; -1 for none. */
  readonly active: number;
  onSelect(name: string): void;
}

/** The list below the box. It never has the focus, because the box handles its keys. */
function Suggestions({ id, names, isOpen, active, onSelect }: SuggestionsProps) {
  return (
    <div id={id} class="suggestions" role="listbox" aria-label="Names of cards" hidden={!isOpen}>
      {names.map((name, index) => (
        <button
          key={name}
          type="button"
          id={optionId(id, index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          // Preventing the default keeps the focus in the box.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onSelect(name)}
        >
          <bdi>{name}</bdi>
        </button>
      ))}
    </div>
  );
}

function optionId(listId: string, index: number): string {
  return `${listId}-${index}`;
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
