import { useEffect, useMemo } from 'preact/hooks';
import type { Period } from '../../../../src/domain/window.ts';
import './history.css';
import { useFeature } from '../../account/use-feature.ts';
import { useData } from '../../api/use-data.ts';
import { formatDay } from '../../ui/format.ts';
import { Loading, PermanentError } from '../../ui/status.tsx';
import { dashboardPath, historyApiPath } from '../links.ts';
import type { HistoryBody } from '../responses.ts';
import { loadPlot, PriceChart } from './chart.tsx';
import { buildChartDays } from './days.ts';
import { HistoryTable } from './history-table.tsx';
import { PERIOD_OPTIONS } from './periods.ts';

interface Props {
  readonly id: string;
  /** The printing in the address; undefined for the card's default one. */
  readonly printing: string | undefined;
  readonly period: Period;
  hrefOf(period: Period): string;
}

/** The past prices of a card as a chart and as a table, if the account's plan includes them. */
export function PriceHistory(props: Props) {
  const { isIncluded, cheapestPlan } = useFeature('history');
  return (
    <section aria-labelledby="history" class="history">
      <h2 id="history">Price history</h2>
      {isIncluded ? (
        <PeriodHistory {...props} />
      ) : (
        <p class="notice">
          The history of prices is included from the {cheapestPlan} plan on.{' '}
          <a href="/plans">See the plans</a>
        </p>
      )}
    </section>
  );
}

function PeriodHistory({ id, printing, period, hrefOf }: Props) {
  const apiPath = historyApiPath(id, { printing, period });
  const { body, error, isLoading } = useData<{ data: HistoryBody }>(dashboardPath(apiPath));
  // The chart's code loads at the same time as its data.
  useEffect(() => void loadPlot(), []);
  return (
    <>
      <nav class="choices" aria-label="Periods">
        <ul>
          {PERIOD_OPTIONS.map(([choice, label]) => (
            <li key={choice}>
              <a href={hrefOf(choice)} aria-current={choice === period ? 'true' : undefined}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="period" aria-busy={isLoading}>
        {body ? (
          <>
            <PermanentError error={error} />
            <ObservedPrices body={body.data} hrefOfAll={hrefOf('all')} />
          </>
        ) : (
          <Loading error={error} />
        )}
      </div>
    </>
  );
}

/** The chart and the table of a period, or a text if no price was observed in it. */
function ObservedPrices({ body, hrefOfAll }: { body: HistoryBody; hrefOfAll: string }) {
  const { history, period, asOf, printing } = body;
  const days = useMemo(() => buildChartDays(history, period as Period, asOf), [body]);
  if (history.length === 0) {
    return (
      <p>
        No price was observed
        {period === 'all' || asOf === null
          ? ''
          : ` in the ${formatPeriod(period)} up to ${formatDay(asOf)}`}
        . {period !== 'all' && <a href={hrefOfAll}>Look at all days</a>}
      </p>
    );
  }
  return (
    <>
      <PriceChart key={`${period} ${printing}`} days={days} />
      <HistoryTable history={history} />
    </>
  );
}

function formatPeriod(period: string): string {
  return PERIOD_OPTIONS.find(([choice]) => choice === period)?.[1] ?? period;
}
