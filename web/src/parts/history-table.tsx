import { useMemo } from 'preact/hooks';
import { byYear, type ObservedDay } from '../chart/days.ts';
import { formatCount, formatDay } from '../format.ts';
import { Disclosure } from './card-disclosure.tsx';
import { Money } from './card-money.tsx';

/** Longer tables are made a year at a time, when the reader opens it. */
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
  const years = useMemo(() => byYear(history), [history]);
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
