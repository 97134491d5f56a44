import { useMemo } from 'preact/hooks';
import type { CopyName } from '../../../../src/domain/copy.ts';
import { formatCounted, formatDay, formatMoney } from '../../ui/format.ts';
import { Disclosure, Money } from '../../ui/parts.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { labelOf } from '../price-names.ts';
import { groupByYear, type ObservedDay } from './days.ts';
import { findExtremes } from './extremes.ts';

/** Longer histories have a table for each year, rendered when the reader opens it. */
const MOST_ROWS = 100;

export interface HistoryTableProps {
  readonly history: readonly ObservedDay[];
  /** US dollars by default. */
  readonly currency?: string | undefined;
  /** The condition or grade of the prices; undefined for the figures. */
  readonly copy?: CopyName | undefined;
}

/** The numbers of a chart as a table, newest first. */
export function HistoryTable({ history, ...shown }: HistoryTableProps) {
  return (
    <>
      <LowestAndHighest history={history} currency={shown.currency} />
      {history.length > MOST_ROWS ? (
        <Years history={history} {...shown} />
      ) : (
        <Days days={history.toReversed()} {...shown} caption="Prices by day, newest first" />
      )}
    </>
  );
}

function LowestAndHighest({ history, currency }: HistoryTableProps) {
  const found = useMemo(() => findExtremes(history), [history]);
  if (!found) return null;
  const text = ({ market, date }: ObservedDay) => (
    <>
      <strong>{formatMoney(market, currency)}</strong> on {formatDay(date)}
    </>
  );
  return (
    <p class="hint">
      Lowest {text(found.lowest)}, highest {text(found.highest)}.
    </p>
  );
}

function Years({ history, ...shown }: HistoryTableProps) {
  const years = useMemo(() => groupByYear(history), [history]);
  return (
    <>
      {years.map(({ year, days }) => (
        <Disclosure
          key={year}
          summary={`${year}: ${formatCounted(days.length, 'day')}`}
          render={() => (
            <Days days={days} {...shown} caption={`Prices of ${year} by day, newest first`} />
          )}
        />
      ))}
    </>
  );
}

const FIGURES = [
  ['market', 'Market'],
  ['low', 'Lowest'],
  ['high', 'Highest'],
] as const;

type DaysProps = Omit<HistoryTableProps, 'history'> & {
  readonly days: readonly ObservedDay[];
  readonly caption: string;
};

function Days({ days, currency, copy, caption }: DaysProps) {
  const figures = copy ? ([['market', labelOf(copy)]] as const) : FIGURES;
  const columns: readonly Column<ObservedDay>[] = [
    { label: 'Day (UTC)', cell: ({ date }) => formatDay(date) },
    ...figures.map(([figure, label]) => ({
      label,
      kind: 'number' as const,
      cell: (day: ObservedDay) => <Money amount={day[figure]} currency={currency} />,
    })),
  ];
  return (
    <Table
      caption={caption}
      hasCaption
      look="days"
      columns={columns}
      rows={days}
      keyOf={({ date }) => date}
    />
  );
}
