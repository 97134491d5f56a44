import { formatCount } from './format.ts';

interface Props {
  /** Items before the ones on this page. */
  readonly offset: number;
  /** Items on this page. */
  readonly shown: number;
  readonly limit: number;
  readonly total: number;
  /** The name of the items: `accounts`. */
  readonly what: string;
  /** The link to the page that begins at an offset. */
  hrefOf(offset: number): string;
}

/** Which items of a long list a page shows, with links to the previous and the next ones. */
export function Paging({ offset, shown, limit, total, what, hrefOf }: Props) {
  const last = offset + shown;
  return (
    <nav class="paging" aria-label={`Pages of ${what}`}>
      <p role="status">
        {shown === 0
          ? `no ${what}`
          : `${formatCount(offset + 1)} to ${formatCount(last)} of ${formatCount(total)} ${what}`}
      </p>
      {offset > 0 && (
        <a class="button" href={hrefOf(Math.max(0, offset - limit))}>
          Back
        </a>
      )}
      {last < total && (
        <a class="button" href={hrefOf(offset + limit)}>
          More
        </a>
      )}
    </nav>
  );
}
