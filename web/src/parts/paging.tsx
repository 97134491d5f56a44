import { formatCount } from '../format.ts';

interface Props {
  readonly offset: number;
  readonly shown: number;
  readonly limit: number;
  readonly total: number;
  /** What is counted: `accounts`. */
  readonly what: string;
  /** The address of the page that begins at an offset. */
  addressOf(offset: number): string;
}

/** Where in a long list the reader is, and the ways on and back. */
export function Paging({ offset, shown, limit, total, what, addressOf }: Props) {
  const last = offset + shown;
  return (
    <nav class="paging" aria-label={`Pages of ${what}`}>
      <p role="status">
        {shown === 0
          ? `no ${what}`
          : `${formatCount(offset + 1)} to ${formatCount(last)} of ${formatCount(total)} ${what}`}
      </p>
      {offset > 0 && (
        <a class="button" href={addressOf(Math.max(0, offset - limit))}>
          Back
        </a>
      )}
      {last < total && (
        <a class="button" href={addressOf(offset + limit)}>
          More
        </a>
      )}
    </nav>
  );
}
