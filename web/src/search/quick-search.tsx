import './quick-search.css';
import { useId, useLayoutEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { useLocalCall } from '../api/currency.ts';
import { cardHref, MAX_TEXT_LENGTH, searchTextHref, viewOfCopy, withQuery } from '../api/links.ts';
import type { CardSummaryBody, SearchPageBody } from '../api/responses.ts';
import { useData } from '../api/use-data.ts';
import { ListedPrice } from '../cards/parts.tsx';
import { CardPicture } from '../cards/picture.tsx';
import { Combobox } from '../ui/combobox.tsx';
import { CLOSED } from '../ui/list-state.ts';
import { Money } from '../ui/parts.tsx';

/** The attributes that the boxes for searches share. The key `/` finds them by `data-search`. */
export const SEARCH_BOX = {
  enterkeyhint: 'search',
  maxLength: MAX_TEXT_LENGTH,
  'data-search': true,
} as const;

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
  const submit = (event: Event) => {
    event.preventDefault();
    if (q === '') return;
    setList(CLOSED);
    route(searchTextHref(q));
  };
  return (
    <search class="quick-search">
      <form action={PAGES.search} onSubmit={submit}>
        <label class="sr-only" for={id}>
          {label}
        </label>
        <Combobox
          box={{
            ...SEARCH_BOX,
            id,
            name: 'q',
            placeholder: 'Charizard 4/102, Elsa enchanted …',
            value: text,
            onFocus: () => setList({ isOpen: true, active: -1 }),
          }}
          list={list}
          onList={setList}
          items={cards}
          keyOf={({ id: cardId }) => cardId}
          render={suggestionOf}
          label="Cards"
          look="quick-results"
          onText={setText}
          onSelect={({ id: found, copy }) => route(cardHref(found, copy && viewOfCopy(copy)))}
        />
      </form>
    </search>
  );
}

function suggestionOf(card: CardSummaryBody) {
  const { name, set, number, prices, copy } = card;
  return (
    <>
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
        {copy ? (
          <>
            <span class="quiet">{copy.name}</span>{' '}
            <Money amount={copy.price} currency={prices.currency} />
          </>
        ) : (
          <ListedPrice prices={prices} />
        )}
      </span>
    </>
  );
}

/**
 * Returns the best cards for a text, and the cards for the previous text while they load. Only one
 * call runs at a time: a text typed in the meantime is fetched afterwards.
 */
function useSuggestions(q: string): readonly CardSummaryBody[] {
  const [asked, ask] = useState('');
  const path = useLocalCall(withQuery('/v1/search', { q: asked, limit: MAX_SUGGESTIONS }));
  const { body, isLoading } = useData<SearchPageBody>(asked === '' ? null : path);
  useLayoutEffect(() => {
    if (!isLoading) ask(q);
  }, [q, isLoading]);
  return q === '' || asked === '' ? [] : (body?.data ?? []);
}
