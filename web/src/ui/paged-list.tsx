import type { ComponentChildren } from 'preact';
import { useRoute } from 'preact-iso';
import { withQuery } from '../api/links.ts';
import type { PageBody } from '../api/responses.ts';
import { useData } from '../api/use-data.ts';
import { formatCount } from './format.ts';
import { Fetched } from './status.tsx';

interface PagedListProps<Body> {
  /** The path of the call and the address of the page, both with their filters. */
  readonly call: string;
  readonly address: string;
  /** The name of the items: `accounts`. */
  readonly what: string;
  /** The items on a page. */
  readonly limit?: number;
  /** Renders a page of the list. */
  children(body: Body, refetch: () => void): ComponentChildren;
}

/** A long list that is shown page by page. The address has the offset of the page. */
export function PagedList<Body extends PageBody<unknown>>(props: PagedListProps<Body>) {
  const { call, address, what, limit = 50, children } = props;
  const { query } = useRoute();
  const offset = Math.max(0, Number.parseInt(query.offset ?? '', 10) || 0);
  const loaded = useData<Body>(withQuery(call, { limit, offset }), { refetchOnVisible: true });
  return (
    <Fetched of={loaded}>
      {(body) => (
        <div aria-busy={loaded.isLoading}>
          {children(body, loaded.refetch)}
          <Pager
            body={body}
            what={what}
            limit={limit}
            hrefOf={(to) => withQuery(address, { offset: to || undefined })}
          />
        </div>
      )}
    </Fetched>
  );
}

interface PagerProps extends Required<Pick<PagedListProps<unknown>, 'what' | 'limit'>> {
  readonly body: PageBody<unknown>;
  /** Returns the link to the page that begins at an offset. */
  hrefOf(offset: number): string;
}

/**
 * The range of items that a page of a long list shows, with links to the previous and the next
 * ones.
 */
function Pager({ body: { data, offset, total }, what, limit, hrefOf }: PagerProps) {
  const last = offset + data.length;
  return (
    <nav class="paging" aria-label={`Pages of ${what}`}>
      <p role="status">
        {data.length === 0
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
