import { useSession } from '../api/session.ts';
import { late } from '../ui/late.tsx';
import { Disclosure } from '../ui/parts.tsx';

const IndexChart = late(
  'The price index',
  async () => (await import('./index-chart.tsx')).IndexChart,
);

/**
 * How the prices of a set or game moved as a whole; `apiPath` is the path of its index. It is
 * loaded once a reader opens it, because the index of a large game takes seconds to compute.
 */
export function PriceIndex({ apiPath }: { apiPath: string }) {
  if (useSession().historyDays === 0) return null;
  return (
    <Disclosure
      summary="Show the price index"
      render={() => (
        <div class="history price-index">
          <IndexChart apiPath={apiPath} />
        </div>
      )}
    />
  );
}
