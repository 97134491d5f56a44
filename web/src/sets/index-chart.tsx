import { useMemo, useState } from 'preact/hooks';
import type { Period } from '../../../src/domain/day.ts';
import { dashboardPath, withQuery } from '../api/links.ts';
import type { PriceIndexBody } from '../api/responses.ts';
import { useSession } from '../api/session.ts';
import { useData } from '../api/use-data.ts';
import { PriceChart } from '../cards/history/chart.tsx';
import { buildChartDays, labelPeriod, parsePeriod, periodsWithin } from '../cards/history/days.ts';
import type { Chart } from '../cards/history/lines.ts';
import { ShownDays } from '../cards/history/price-history.tsx';
import { Change } from '../cards/parts.tsx';
import { Segmented } from '../ui/controls.tsx';
import { Loading, PermanentError } from '../ui/status.tsx';

/** The index of a set or game with its changes, for the days that the reader may see. */
export function IndexChart({ apiPath }: { apiPath: string }) {
  const periods = periodsWithin(useSession().historyDays);
  const [selected, setSelected] = useState<Period>();
  const period = parsePeriod(selected, periods);
  const path = dashboardPath(withQuery(apiPath, { period }));
  const { body, error, isLoading } = useData<{ data: PriceIndexBody }>(path);
  return (
    <>
      <Segmented
        label="Period"
        value={period}
        onChange={(next: Period) => setSelected(next)}
        segments={periods.map((value) => ({ value, label: labelPeriod(value) }))}
      />
      <div class="period" aria-busy={isLoading}>
        {body ? <PeriodIndex body={body.data} /> : <Loading error={error} />}
        {body && <PermanentError error={error} />}
      </div>
      <ShownDays />
    </>
  );
}

function PeriodIndex({ body: { index, asOf, changes } }: { body: PriceIndexBody }) {
  const chart = useMemo((): Chart => {
    const history = index.map(({ date, value }) => ({
      date,
      market: value,
      low: null,
      high: null,
    }));
    const days = buildChartDays(history, 'all', asOf);
    return { days, events: [], isHighShown: false, compared: [], currency: null };
  }, [index]);
  if (index.length < 2) {
    return <p class="too-little">The index starts with the second day of prices in a period.</p>;
  }
  return (
    <>
      <IndexChanges changes={changes} />
      <PriceChart chart={chart} />
      <p class="hint">
        The market prices of all cards together, with 100 on the first day. Cards that come or go do
        not move it.
      </p>
    </>
  );
}

function IndexChanges({ changes }: Pick<PriceIndexBody, 'changes'>) {
  return (
    <dl class="figures">
      {Object.entries(changes).map(([name, percent]) => {
        if (percent === null) return null;
        return (
          <div key={name}>
            <dt>{name === '1d' ? '1 day' : labelPeriod(name as Period)}</dt>
            <dd>
              <Change change={{ amount: toTenth(percent), percent }} isShort />
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** Rounds like the displayed changes, so a displayed 0% has no direction. */
function toTenth(percent: number): number {
  return Math.round(percent * 10) / 10;
}
