import './quick-search.css';
import type { TargetedInputEvent, TargetedKeyboardEvent } from 'preact';
import { useId, useLayoutEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { cardHref, dashboardPath, withQuery } from '../api/links.ts';
import type { CardSummaryBody, SearchPageBody } from '../api/responses.ts';
import { useData } from '../api/use-data.ts';
import { MAX_TEXT_LENGTH } from '../cards/filters.ts';
import { ListedPrice } from '../cards/parts.tsx';
import { CardPicture } from '../cards/picture.tsx';
import { CLOSED, nextListState } from '../ui/combobox.ts';
import { searchHref } from './search-query.ts';

/** Cards that are suggested. */
const MAX_SUGGESTIONS = 6;

/** The least text for which cards are suggested, in characters. */
const LEAST_TEXT = 2;

/** A box that suggests cards while the reader types, and leads to them or to all results. */
export function QuickSearch({ label }: { label: string }) {
  const id = useId();
  const { route } = useLocation();
  const [text, setText] = useState('');
  const [list, setList] = useState(CLOSED);
  const q = text.trim();
  const cards = useSuggestions(list.isOpen && q.length >= LEAST_TEXT ? q : '');
  const isOpen = list.isOpen && cards.length > 0;
  const listId = `${id}-list`;
  const active = isOpen && list.active !== -1 ? optionId(listId, list.active) : undefined;

  const leave = (href: string) => {
    setList(CLOSED);
    route(href);
  };
  const type = ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) => {
    setList({ isOpen: true, active: -1 });
    setText(currentTarget.value);
  };
  const press = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    if (event.isComposing) return;
    const next = nextListState(event.key, { ...list, isOpen }, cards.length);
    if (!next) return;
    event.preventDefault();
    setList(next);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    const chosen = isOpen ? cards[list.active] : undefined;
    if (chosen) leave(cardHref(chosen.id));
    else if (q !== '') leave(searchHref({ q }));
  };
  return (
    <search class="quick-search">
      <form action={searchHref({})} onSubmit={submit}>
        <label class="sr-only" for={id}>
          {label}
        </label>
        <input
          id={id}
          name="q"
          type="text"
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={listId}
          aria-activedescendant={active}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          enterkeyhint="search"
          maxLength={MAX_TEXT_LENGTH}
          dir="auto"
          placeholder="Charizard 4/102, Black Lotus …"
          data-search
          value={text}
          onInput={type}
          onKeyDown={press}
          onFocus={() => setList({ isOpen: true, active: -1 })}
          onBlur={() => setList(CLOSED)}
        />
      </form>
      <div
        id={listId}
        class="quick-results"
        role="listbox"
        aria-label="Cards"
        hidden={!isOpen}
        // Preventing the default keeps the focus in the box.
        onMouseDown={(event) => event.preventDefault()}
      >
        {cards.map((card, index) => (
          <Suggestion
            key={card.id}
            id={optionId(listId, index)}
            card={card}
            isActive={index === list.active}
            onSelect={() => leave(cardHref(card.id))}
          />
        ))}
      </div>
    </search>
  );
}

interface SuggestionProps {
  readonly id: string;
  readonly card: CardSummaryBody;
  /** Whether Enter leads to the card. */
  readonly isActive: boolean;
  onSelect(): void;
}

function Suggestion({ id, card, isActive, onSelect }: SuggestionProps) {
  const { name, set, number, prices } = card;
  return (
    <button
      type="button"
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      onClick={onSelect}
    >
      <CardPicture card={card} size="thumb" />
      <span class="quick-name">
        <bdi>{name}</bdi>
        <span class="quiet">
          <bdi>{set}</bdi>
          {number !== null && (
            <>
              {' '}
              <bdi>{number}</bdi>
            </>
          )}
        </span>
      </span>
      <span class="quick-price">
        <ListedPrice prices={prices} />
      </span>
    </button>
  );
}

function optionId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

/**
 * Returns the best cards for a text, and those for the previous text while they load. Only one call
 * runs at a time: a text typed in the meantime is fetched afterwards.
 */
function useSuggestions(q: string): readonly CardSummaryBody[] {
  const [asked, ask] = useState('');
  const path = asked === '' ? null : withQuery('/v1/search', { q: asked, limit: MAX_SUGGESTIONS });
  const { body, isLoading } = useData<SearchPageBody>(path && dashboardPath(path));
  useLayoutEffect(() => {
    if (!isLoading) ask(q);
  }, [q, isLoading]);
  return q === '' || asked === '' ? [] : (body?.data ?? []);
}
