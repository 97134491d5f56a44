import { useEffect, useMemo } from 'preact/hooks';
import type { Period } from '../../../src/domain/window.ts';
import '../chart/chart.css';
import { chartDays } from '../chart/days.ts';
import { useData } from '../data.ts';
import { formatDay } from '../format.ts';
import type { PastPrices } from './card-bodies.ts';
import { historyCall, own } from './card-paths.ts';
import { useFeature } from './card-plan.ts';
import { Refusal } from './card-refusal.tsx';
import { Chart, loadPlot } from './chart.tsx';
import { PERIOD_CHOICES } from './history-periods.ts';
import { HistoryTable } from './history-table.tsx';
import { Waiting } from './waiting.tsx';

interface Props {
  readonly id: string;
  /** The printing that the address names; undefined for the card's default one. */
  readonly printing: string | undefined;
  readonly period: Period;
  addressOf(period: Period): string;
}

/** What a card was worth, as a picture and as numbers. */
export function History(props: Props) {
  const { isIncluded, from } = useFeature('history');
  return (
    <section aria-labelledby="history" class="history">
      <h2 id="history">Price history</h2>
      {isIncluded ? (
        <Past {...props} />
      ) : (
        <p class="notice">
          The history of prices is included from the {from} plan on.{' '}
          <a href="/plans">See the plans</a>
        </p>
      )}
    </section>
  );
}

function Past({ id, printing, period, addressOf }: Props) {
  const call = historyCall(id, { printing, period });
  const { body, error, isLoading } = useData<{ data: PastPrices }>(own(call));
  // What draws is fetched while the numbers are.
  useEffect(() => void loadPlot(), []);
  return (
    <>
      <nav class="choices" aria-label="Periods">
        <ul>
          {PERIOD_CHOICES.map(([choice, label]) => (
            <li key={choice}>
              <a href={addressOf(choice)} aria-current={choice === period ? 'true' : undefined}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="past" aria-busy={isLoading}>
        {body ? (
          <>
            <Refusal error={error} />
            <Observed past={body.data} addressOfAll={addressOf('all')} />
          </>
        ) : (
          <Waiting error={error} />
        )}
      </div>
    </>
  );
}

/** The observed days of a period, or that there are none. */
function Observed({ past, addressOfAll }: { past: PastPrices; addressOfAll: string }) {
  const { history, period, asOf, printing } = past;
  const days = useMemo(() => chartDays(history, period as Period, asOf), [past]);
  if (history.length === 0) {
    return (
      <p>
        No price was observed
        {period === 'all' || asOf === null
          ? ''
          : ` in the ${labelOf(period)} up to ${formatDay(asOf)}`}
        . {period !== 'all' && <a href={addressOfAll}>Look at all days</a>}
      </p>
    );
  }
  return (
    <>
      <Chart key={`${period} ${printing}`} days={days} />
      <HistoryTable history={history} />
    </>
  );
}

function labelOf(period: string): string {
  return PERIOD_CHOICES.find(([choice]) => choice === period)?.[1] ?? period;
}
