import type { TargetedFocusEvent, TargetedInputEvent, TargetedKeyboardEvent } from 'preact';
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { dashboardPath, gameSetsApiPath, setApiPath } from '../api/links.ts';
import type { SetBody } from '../api/responses.ts';
import { useData } from '../api/use-data.ts';
import { CardName } from '../cards/parts.tsx';
import { CLOSED, nextListState } from '../ui/combobox.ts';
import { findSets } from './search-query.ts';

/** The most sets in the list. To find others, the reader types more. */
const MAX_OPTIONS = 60;

interface SetFieldProps {
  /** The setId of the selected set, or a name or code from an address; empty for all sets. */
  readonly value: string;
  /** The slug of the game; empty where a set is selected, but no game. */
  readonly game: string;
  /** Called with the setId of the selected set, or an empty text for all sets. */
  onChange(set: string): void;
}

/**
 * Selects a set by a part of its name or code. The typed text itself selects nothing and is dropped
 * when the reader leaves the box.
 */
export function SetField({ value, game, onChange }: SetFieldProps) {
  const id = useId();
  const [wasEntered, setEntered] = useState(false);
  const sets = useSets(wasEntered ? game : '');
  const name = useSetName(value, sets);
  const listId = `${id}-list`;
  /** What the reader is typing; undefined while the box shows the selected set. */
  const [typed, setTyped] = useState<string>();
  const [list, setList] = useState(CLOSED);
  const found = useMemo(() => {
    return sets && list.isOpen ? findSets(sets, typed ?? '').slice(0, MAX_OPTIONS) : [];
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
  const enter = ({ currentTarget }: TargetedFocusEvent<HTMLInputElement>) => {
    setEntered(true);
    currentTarget.select();
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
        value={typed ?? name}
        onInput={type}
        onClick={() => setList({ isOpen: true, active: -1 })}
        onFocus={enter}
        onKeyDown={press}
        onBlur={leave}
      />
      <Options id={listId} sets={found} active={list.active} onSelect={select} />
      <div role="status">
        {sets && list.isOpen && typed && found.length === 0 && (
          <div class="options">
            <p>No set has this name or code.</p>
          </div>
        )}
      </div>
    </div>
  );
}

/** Returns the sets of a game. They are fetched on demand, because a game can have a thousand. */
function useSets(game: string): readonly SetBody[] | undefined {
  const wanted = game === '' ? null : dashboardPath(gameSetsApiPath(game));
  const { body, path } = useData<{ data: SetBody[] }>(wanted);
  return path === wanted ? body?.data : undefined;
}

/** Returns the name of a set, from `sets` or fetched. An unknown setId is returned as it is. */
function useSetName(set: string, sets: readonly SetBody[] = []): string {
  const known = sets.find(({ setId }) => setId === set);
  const wanted = set === '' || known ? null : dashboardPath(setApiPath(set));
  const { body, path } = useData<{ data: SetBody }>(wanted);
  const fetched = path === wanted ? body?.data : undefined;
  return (known ?? fetched)?.name ?? set;
}

interface OptionsProps {
  readonly id: string;
  readonly sets: readonly SetBody[];
  /** The index of the set that Enter selects; -1 for none. */
  readonly active: number;
  onSelect(set: string): void;
}

/** The list below the box. It never has the focus, because the box handles its keys. */
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
          // Preventing the default keeps the focus in the box.
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
