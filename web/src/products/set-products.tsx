import { useState } from 'preact/hooks';
import { useLocalCall } from '../api/currency.ts';
import { productsApiPath } from '../api/links.ts';
import type { PageBody, ProductSummaryBody } from '../api/responses.ts';
import { useData } from '../api/use-data.ts';
import { formatCount } from '../ui/format.ts';
import { Loading } from '../ui/status.tsx';
import { ProductList } from './product-list.tsx';

/** Products listed at first. Each counts toward the prices that a reader may see per day. */
const FIRST = 6;

/** The most that one call returns. */
const MOST = 100;

/** The sealed products of a set, the most expensive first. */
export function SetProducts({ setId, count }: { setId: string; count: number }) {
  const [limit, setLimit] = useState(FIRST);
  const { body, error } = useData<PageBody<ProductSummaryBody>>(
    useLocalCall(productsApiPath({ set: setId, sort: 'price_desc', limit })),
  );
  return (
    <section aria-labelledby="products">
      <h2 id="products">Sealed products</h2>
      {body ? (
        <ProductList products={body.data} label="Sealed products of this set" hasSet={false} />
      ) : (
        <Loading error={error} />
      )}
      {limit < count && (
        <p>
          <button type="button" onClick={() => setLimit(MOST)}>
            Show {count > MOST ? formatCount(MOST) : `all ${formatCount(count)}`}
          </button>
        </p>
      )}
    </section>
  );
}
