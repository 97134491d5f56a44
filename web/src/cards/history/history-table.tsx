import { useMemo } from 'preact/hooks';
import { Disclosure } from '../../ui/disclosure.tsx';
import { formatCount, formatDay } from '../../ui/format.ts';
import { Money } from '../../ui/money.tsx';
import { groupByYear, type ObservedDay } from './days.ts';

/** A longer history has a table for each year, rendered when the reader opens it. */
const MOST_ROWS = 100;

/** The numbers of the chart as a table, newest first. */
export function HistoryTable({ history }: { history: readonly ObservedDay[] }) {
  return (
    <Disclosure
      summary="The same numbers as a table"
      render={() =>
        history.length > MOST_ROWS ? (
          <Years history={history} />
        ) : (
          <Days days={history.toReversed()} caption="Prices by day, newest first" />
        )
      }
    />
  );
}

function Years({ history }: { history: readonly ObservedDay[] }) {
  const years = useMemo(() => groupByYear(history), [history]);
  return (
    <>
      {years.map(({ year, days }) => (
        <Disclosure
          key={year}
          summary={`${year}: ${formatCount(days.length)} ${days.length === 1 ? 'day' : 'days'}`}
          render={() => <Days days={days} caption={`Prices of ${year} by day, newest first`} />}
        />
      ))}
    </>
  );
}

function Days({ days, caption }: { days: readonly ObservedDay[]; caption: string }) {
  return (
    <table class="days">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Day (UTC)</th>
          <th scope="col" class="number">
            Market
          </th>
          <th scope="col" class="number">
            Lowest
          </th>
          <th scope="col" class="number">
            Highest
          </th>
        </tr>
      </thead>
      <tbody>
        {days.map(({ date, market, low, high }) => (
          <tr key={date}>
            <th scope="row">{formatDay(date)}</th>
            <td class="number">
              <Money amount={market} />
            </td>
            <td class="number">
              <Money amount={low} />
            </td>
            <td class="number">
              <Money amount={high} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
