import { formatCount } from '../format.ts';

interface Props {
  readonly page: number;
  readonly pages: number;
  addressOf(page: number): string;
  /** The reader turns to another page. */
  onTurn(): void;
}

/** Links to the page before and the one after. */
export function Pager({ page, pages, addressOf, onTurn }: Props) {
  if (pages < 2) return null;
  return (
    <nav class="row pager" aria-label="Pages of results">
      {page > 1 && (
        <a class="button" rel="prev" href={addressOf(page - 1)} onClick={onTurn}>
          Previous
        </a>
      )}
      <span>
        Page {formatCount(page)} of {formatCount(pages)}
      </span>
      {page < pages && (
        <a class="button" rel="next" href={addressOf(page + 1)} onClick={onTurn}>
          Next
        </a>
      )}
    </nav>
  );
}
