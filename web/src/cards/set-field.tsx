import type { TargetedInputEvent, TargetedKeyboardEvent } from 'preact';
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { CardName } from './card-name.tsx';
import type { SetBody } from './responses.ts';
import { findSets, setName } from './sets.ts';
import { CLOSED, nextListState } from './suggestion-keys.ts';

/** The most sets in the list: whoever looks for another one types more. */
const MAX_OPTIONS = 60;

interface SetFieldProps {
  /** The setId of the selected set, or a name or code from an address; empty for all sets. */
  readonly value: string;
  /** All sets of the game; undefined until they are loaded. */
  readonly sets: readonly SetBody[] | undefined;
  /** Called with the setId of the selected set, or an empty text for all sets. */
  onChange(set: string): void;
}

/**
 * Selects a set by a part of its name or its code. Only a set of the list can be selected: what is
 * typed changes nothing until then, and is dropped when the reader leaves the box.
 */
export function SetField({ value, sets = [], onChange }: SetFieldProps) {
  const id = useId();
  const listId = `${id}-list`;
  /** What the reader is typing; undefined while the box shows the selected set. */
  const [typed, setTyped] = useState<string>();
  const [list, setList] = useState(CLOSED);
  const found = useMemo(() => {
    return list.isOpen ? findSets(sets, typed ?? '').slice(0, MAX_OPTIONS) : [];
  }, [sets, typed, list.isOpen]);
  const active = found[list.active];
  const close = () => {
    setList(CLOSED);
    setTyped(undefined);
  };
  const select = (set: string) => {
    close();
    if (set !== value) onChange(set);
  };
  const type = ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) => {
    const text = currentTarget.value;
    setTyped(text);
    setList({ isOpen: true, active: text.trim() === '' ? -1 : 0 });
  };
  const press = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    if (event.isComposing) return;
    if (event.key === 'Enter') {
      if (active) select(active.setId);
      else if (typed?.trim() === '') select('');
      return;
    }
    if (event.key === 'Escape') return close();
    const next = nextListState(event.key, list, found.length);
    if (!next) return;
    event.preventDefault();
    setList(next);
  };
  const leave = () => {
    if (typed?.trim() === '') select('');
    else close();
  };
  return (
    <div class="field set-field">
      <label for={id}>Set</label>
      <input
        id={id}
        type="text"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={list.isOpen && found.length > 0}
        aria-controls={listId}
        aria-activedescendant={active && `${listId}-${list.active}`}
        autocomplete="off"
        spellcheck={false}
        placeholder="All sets"
        dir="auto"
        value={typed ?? setName(value, sets)}
        onInput={type}
        onClick={() => setList({ isOpen: true, active: -1 })}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onKeyDown={press}
        onBlur={leave}
      />
      <Options id={listId} sets={found} active={list.active} onSelect={select} />
      <div role="status">
        {list.isOpen && typed && found.length === 0 && (
          <div class="options">
            <p>No set has this name or code.</p>
          </div>
        )}
      </div>
    </div>
  );
}

interface OptionsProps {
  readonly id: string;
  readonly sets: readonly SetBody[];
  /** The index of the set that Enter selects; -1 for none. */
  readonly active: number;
  onSelect(set: string): void;
}

/** The list below the box. It never has the focus: the box handles its keys. */
function Options({ id, sets, active, onSelect }: OptionsProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div
      ref={list}
      id={id}
      class="options"
      role="listbox"
      aria-label="Sets"
      hidden={sets.length === 0}
    >
      {sets.map(({ setId, code, name, releaseDate }, index) => (
        <button
          key={setId}
          type="button"
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          // Without its default a press leaves the focus in the box.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onSelect(setId)}
        >
          <CardName name={name} />{' '}
          <span class="quiet">
            <bdi>{code}</bdi> {releaseDate?.slice(0, 4)}
          </span>
        </button>
      ))}
    </div>
  );
}
