import type {
  ComponentChildren,
  PartialInputHTMLAttributes,
  Ref,
  TargetedKeyboardEvent,
} from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { CLOSED, type ListState, nextListState } from './list-state.ts';

type BoxAttributes = { readonly ref?: Ref<HTMLInputElement> } & Omit<
  PartialInputHTMLAttributes<HTMLInputElement>,
  'type' | 'role' | 'onInput' | 'onKeyDown' | 'onBlur'
>;

interface ComboboxProps<Item> {
  /** The attributes of the box, such as its id and its text. */
  readonly box: BoxAttributes;
  /** The state of the list. It is open only while there are items. */
  readonly list: ListState;
  onList(list: ListState): void;
  readonly items: readonly Item[];
  keyOf(item: Item): string;
  /** Renders an item in the list. */
  render(item: Item): ComponentChildren;
  /** The name of the list, for screen readers, and its class. */
  readonly label: string;
  readonly look: string;
  /** Called with the typed text, once the list is open. */
  onText(text: string): void;
  /** Called with the item that is clicked, or active when Enter is pressed. */
  onSelect(item: Item): void;
  /** Called when Enter is pressed and no item is active. */
  onEnter?(): void;
  onEscape?(): void;
  onLeave?(): void;
}

/** A text box with a list of suggestions. The focus stays in the box, which handles all keys. */
export function Combobox<Item>(props: ComboboxProps<Item>) {
  const { box, list, onList, items, onText, onSelect, onEnter, onEscape, onLeave } = props;
  const listId = useId();
  const isOpen = list.isOpen && items.length > 0;
  const active = isOpen ? items[list.active] : undefined;
  const select = (item: Item) => {
    onList(CLOSED);
    onSelect(item);
  };
  const press = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    const { key, isComposing } = event;
    if (isComposing) return;
    if (key === 'Escape') onEscape?.();
    if (key === 'Enter') {
      if (active === undefined) return onEnter?.();
      event.preventDefault(); // otherwise a form around the box would be submitted
      return select(active);
    }
    const next = nextListState(key, { ...list, isOpen }, items.length);
    if (!next) return;
    event.preventDefault();
    onList(next);
  };
  return (
    <>
      <input
        type="text"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-activedescendant={active && optionId(listId, list.active)}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        dir="auto"
        {...box}
        onInput={({ currentTarget }) => {
          onList({ isOpen: true, active: -1 });
          onText(currentTarget.value);
        }}
        onKeyDown={press}
        onBlur={() => {
          onList(CLOSED);
          onLeave?.();
        }}
      />
      <Options {...props} id={listId} isOpen={isOpen} onSelect={select} />
    </>
  );
}

type OptionsProps<Item> = Omit<ComboboxProps<Item>, 'onText'> & {
  readonly id: string;
  readonly isOpen: boolean;
};

function Options<Item>(props: OptionsProps<Item>) {
  const { id, isOpen, list, items, keyOf, render, label, look, onSelect } = props;
  const area = useRef<HTMLDivElement>(null);
  useEffect(() => {
    area.current?.children[list.active]?.scrollIntoView({ block: 'nearest' });
  }, [list.active]);
  return (
    <div
      ref={area}
      id={id}
      class={look}
      role="listbox"
      aria-label={label}
      hidden={!isOpen}
      // Preventing the default keeps the focus in the box.
      onMouseDown={(event) => event.preventDefault()}
    >
      {items.map((item, index) => (
        <button
          key={keyOf(item)}
          type="button"
          id={optionId(id, index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === list.active}
          onClick={() => onSelect(item)}
        >
          {render(item)}
        </button>
      ))}
    </div>
  );
}

function optionId(listId: string, index: number): string {
  return `${listId}-${index}`;
}
