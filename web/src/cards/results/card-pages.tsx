import { useMemo, useRef } from 'preact/hooks';
import type { CardSummaryBody, PageBody } from '../responses.ts';
import { CardList } from './card-list.tsx';
import { type Column, columnsOf } from './columns.ts';
import { LoadMore } from './load-more.tsx';
import type { Pages } from './use-pages.ts';
import type { View } from './views.ts';

const NONE: readonly Column[] = [];

interface Props {
  readonly pages: Pages<PageBody<CardSummaryBody>>;
  readonly view: View;
  readonly label: string;
  /** Columns that are left out although the cards have something for them. */
  readonly without?: readonly Column[];
  /** The link to the page whose first row is at an offset. */
  hrefOf(offset: number): string;
}

/** A long list of cards, with what loads more of them. */
export function CardPages({ pages, view, label, without = NONE, hrefOf }: Props) {
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
