import { PAGES } from '../../../src/dashboard/pages.ts';
import { withQuery } from '../api/query.ts';
import { useData } from '../api/use-data.ts';
import '../cards/results/card-list.css';
import { dashboardPath } from '../cards/links.ts';
import { MoverList } from '../movers/mover-list.tsx';
import type { MoversBody } from '../movers/responses.ts';
import { formatDay } from '../ui/format.ts';

const PATH = dashboardPath(withQuery('/v1/movers', { limit: 6 }));

/** What moved most within a week; nothing where the service does not know. */
export function HomeMovers() {
  const { body } = useData<MoversBody>(PATH);
  if (!body || body.data.length === 0 || body.asOf === null) return null;
  const title = `What moved in the week to ${formatDay(body.asOf)}`;
  return (
    <section aria-labelledby="movers">
      <div class="section-head">
        <h2 id="movers">{title}</h2>
        <a href={PAGES.movers}>All movers</a>
      </div>
      <MoverList movers={body.data} label={title} />
    </section>
  );
}
