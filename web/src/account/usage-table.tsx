import { formatCount, formatDay } from '../ui/format.ts';
import type { Grouping, UsageBar, UsageBars } from './usage-bars.ts';

interface Props {
  readonly bars: UsageBars;
  readonly grouping: Grouping;
}

/** The numbers of the chart as a table, newest day first. */
export function UsageTable({ bars: { series, bars }, grouping }: Props) {
  return (
    <details class="more">
      <summary>The same as a table</summary>
      <table class="usage-days">
        <caption class="sr-only">Requests a day by {grouping}</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">{grouping === 'endpoint' ? 'Endpoint' : 'Status'}</th>
            <th scope="col" class="number">
              Requests
            </th>
          </tr>
        </thead>
        <tbody>
          {bars.toReversed().map((bar) => (
            <DayRows key={bar.date} bar={bar} series={series} />
          ))}
        </tbody>
      </table>
    </details>
  );
}

function DayRows({ bar, series }: { bar: UsageBar; series: readonly string[] }) {
  const counts = series.flatMap((name, index) => {
    const count = bar.counts[index] ?? 0;
    return count > 0 ? [{ name, count }] : [];
  });
  const rows = counts.length > 0 ? counts : [{ name: 'none', count: 0 }];
  return (
    <>
      {rows.map(({ name, count }, index) => (
        <tr key={name}>
          {index === 0 && (
            <th scope="rowgroup" rowSpan={rows.length}>
              {formatDay(bar.date)}
            </th>
          )}
          <td>{name}</td>
          <td class="number">{formatCount(count)}</td>
        </tr>
      ))}
    </>
  );
}
