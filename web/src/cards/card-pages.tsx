import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { CardSummaryBody, PageBody } from '../api/responses.ts';
import { formatCount } from '../ui/format.ts';
import { MAX_ROWS, type Pages } from './batches.ts';
import { CardList } from './card-list.tsx';
import { type Column, columnsOf, type View } from './views.ts';

const NONE: readonly Column[] = [];

interface CardPagesProps {
  readonly pages: Pages<PageBody<CardSummaryBody>>;
  readonly view: View;
  readonly label: string;
  /** Columns to omit although the cards have values for them. */
  readonly without?: readonly Column[];
  /** The link to the page whose first row is at an offset. */
  hrefOf(offset: number): string;
}

/** A long list of cards, with its controls for loading more. */
export function CardPages({ pages, view, label, without = NONE, hrefOf }: CardPagesProps) {
  const { batches } = pages;
  const list = useRef<HTMLDivElement>(null);
  const cards = useMemo(() => batches.flatMap(({ data }) => data), batches);
  const rows = useMemo(() => {
    const columns = columnsOf(cards, without);
    return <CardList cards={cards} columns={columns} view={view} label={label} />;
  }, [cards, view, label, without]);
  const [first] = batches;
  if (!first || cards.length === 0) return null;
  return (
    <div ref={list}>
      {rows}
      <LoadMore
        pages={pages}
        list={list}
        shown={cards.length}
        offset={first.offset}
        total={first.total}
        hrefOf={hrefOf}
      />
    </div>
  );
}

interface LoadMoreProps {
  readonly pages: Pages<unknown>;
  /** The element with the rows. Each row has one link. */
  readonly list: RefObject<HTMLElement | null>;
  /** The rows that are shown, and the rows on earlier pages. */
  readonly shown: number;
  readonly offset: number;
  readonly total: number;
  /** The link to the page that begins at an offset. */
  hrefOf(offset: number): string;
}

/** The distance below the window at which the end of a list triggers loading. */
const MARGIN = '900px';

/**
 * The end of a long list. More rows are loaded when the reader comes near or presses the button. A
 * full page ends with a link to the next page.
 */
export function LoadMore({ pages, list, shown, offset, total, hrefOf }: LoadMoreProps) {
  const { hasMore, loadMore } = pages;
  const end = offset + shown;
  const button = useRef<HTMLButtonElement>(null);
  /** The index, in the whole list, of the row that takes the focus once it is loaded. */
  const awaited = useRef<number | undefined>(undefined);
  useNearEnd(button, hasMore, loadMore);
  useLayoutEffect(() => {
    const index = (awaited.current ?? -1) - offset;
    if (index < 0 || index >= shown) return;
    list.current?.querySelectorAll('a')[index]?.focus();
    awaited.current = undefined;
  }, [offset, shown]);
  const press = () => {
    awaited.current = end;
    loadMore();
  };
  const pageLink = (rel: string, from: number, to: number) => (
    <a class="button" rel={rel} href={hrefOf(from)} onClick={() => (awaited.current = from)}>
      {rangeOf(from, to)}
    </a>
  );
  return (
    <div class="load-more">
      {hasMore && (
        <button type="button" ref={button} onClick={press}>
          Show more
        </button>
      )}
      {(hasMore || offset > 0 || end < total) && (
        <span class="quiet">{`${rangeOf(offset, end)} of ${formatCount(total)}`}</span>
      )}
      {offset > 0 && pageLink('prev', Math.max(0, offset - MAX_ROWS), offset)}
      {!hasMore && end < total && pageLink('next', end, Math.min(total, end + MAX_ROWS))}
    </div>
  );
}

/** Calls `loadMore` whenever the button comes near the window. */
function useNearEnd(
  button: RefObject<HTMLButtonElement | null>,
  hasMore: boolean,
  loadMore: () => void,
): void {
  useEffect(() => {
    if (!hasMore || !button.current) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && loadMore(),
      { rootMargin: MARGIN },
    );
    observer.observe(button.current);
    return () => observer.disconnect();
  }, [hasMore, loadMore]);
}

/** The rows after `from` up to `to`: `601 to 1,200`. */
function rangeOf(from: number, to: number): string {
  return `${formatCount(from + 1)} to ${formatCount(to)}`;
}
