import type { TargetedInputEvent, TargetedKeyboardEvent } from 'preact';
import { useId, useState } from 'preact/hooks';
import { useData } from '../data.ts';
import { completionCall, own } from './card-paths.ts';
import { MAX_TEXT } from './filters-address.ts';
import { afterKey, CLOSED } from './suggest-keys.ts';
import { useLater } from './suggest-text.ts';

interface Props {
  readonly text: string;
  /** Slug of the game whose names are suggested; empty for all. */
  readonly game: string;
  onText(text: string): void;
  /** A suggested name was chosen. */
  onChoose(name: string): void;
  /** Enter was pressed, or the reader goes elsewhere. */
  onDone(): void;
}

/** The box for the name of a card, with names to choose from as one types. */
export function Suggest({ text, game, onText, onChoose, onDone }: Props) {
  const id = useId();
  const [list, setList] = useState(CLOSED);
  const names = useNames(list.isOpen ? text.trim() : '', game).filter((name) => name !== text);
  const isOpen = list.isOpen && names.length > 0;
  const active = isOpen ? names[list.active] : undefined;
  const optionId = (index: number) => `${id}-${index}`;

  const type = ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) => {
    setList({ isOpen: true, active: -1 });
    onText(currentTarget.value);
  };
  const choose = (name: string) => {
    setList(CLOSED);
    onChoose(name);
  };
  const press = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    if (event.isComposing) return;
    if (event.key === 'Enter') {
      setList(CLOSED);
      if (active === undefined) onDone();
      else onChoose(active);
      return;
    }
    const next = afterKey(event.key, { ...list, isOpen }, names.length);
    if (!next) return;
    event.preventDefault();
    setList(next);
  };
  const leave = () => {
    setList(CLOSED);
    onDone();
  };
  return (
    <div class="suggest">
      <label for={id}>Card name, number or set code</label>
      <input
        id={id}
        type="text"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-activedescendant={active === undefined ? undefined : optionId(list.active)}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        enterkeyhint="search"
        maxLength={MAX_TEXT}
        dir="auto"
        value={text}
        onInput={type}
        onKeyDown={press}
        onBlur={leave}
      />
      <div
        id={`${id}-list`}
        class="suggestions"
        role="listbox"
        aria-label="Names of cards"
        hidden={!isOpen}
      >
        {names.map((name, index) => (
          <button
            key={name}
            type="button"
            id={optionId(index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === list.active}
            // The box keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(name)}
          >
            <bdi>{name}</bdi>
          </button>
        ))}
      </div>
    </div>
  );
}

const MOST_NAMES = 6;

/** Names are suggested so many milliseconds after the last key: the results come first. */
const PAUSE_MS = 80;

function useNames(typed: string, game: string): readonly string[] {
  const q = useLater(typed, PAUSE_MS);
  const { body } = useData<{ data: string[] }>(
    q === '' ? null : own(completionCall(q, game, MOST_NAMES)),
  );
  return typed === '' || q === '' ? [] : (body?.data ?? []);
}
