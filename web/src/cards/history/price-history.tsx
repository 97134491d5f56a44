import './history.css';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { PAGES } from '../../../../src/dashboard/pages.ts';
import type { Period } from '../../../../src/domain/day.ts';
import { CallError, call } from '../../api/call.ts';
import { localPath, useCurrency, useLocalCall } from '../../api/currency.ts';
import { dashboardPath, historyPathOf } from '../../api/links.ts';
import type { HistoryBody } from '../../api/responses.ts';
import { useSession } from '../../api/session.ts';
import { useData } from '../../api/use-data.ts';
import { Segmented } from '../../ui/controls.tsx';
import { formatCount, formatCounted, formatDay, formatMoney } from '../../ui/format.ts';
import { Disclosure, Money } from '../../ui/parts.tsx';
import { Loading, PermanentError } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { ChartLines, PriceChart } from './chart.tsx';
import { buildChartDays, groupByYear, hasOnlyHigh, labelPeriod, type ObservedDay } from './days.ts';
import { alignMarket, type Chart, type Comparison, holdMarket } from './lines.ts';

interface PriceHistoryProps {
  /** The path of the card or product in the API. */
  readonly apiPath: string;
  /** The printing in the address; undefined for the card's default one. */
  readonly printing: string | undefined;
  readonly period: Period;
  /** The periods that the reader may select; none if they may see no history. */
  readonly periods: readonly Period[];
  onPeriod(period: Period): void;
  /** What the chart can be compared with. */
  readonly comparisons: readonly Comparison[];
}

/** The past prices of a card as a chart and a table, as far back as the reader may see them. */
export function PriceHistory(props: PriceHistoryProps) {
  const { period, periods, onPeriod } = props;
  return (
    <section aria-labelledby="history" class="history">
      <h2 id="history" class="sr-only">
        Price history
      </h2>
      {periods.length > 0 && (
        <>
          <Segmented
            label="Period"
            value={period}
            onChange={onPeriod}
            segments={periods.map((value) => ({ value, label: labelPeriod(value) }))}
          />
          <PeriodHistory {...props} />
        </>
      )}
      <ShownDays />
    </section>
  );
}

/** Shows how far back the history goes, and which plan shows more. */
function ShownDays() {
  const { historyDays, plans } = useSession();
  if (historyDays === null) return null;
  const more = plans.find(({ historyDays: days }) => days === null || days > historyDays);
  return (
    <p class="hint">
      The last {formatCount(historyDays)} days are shown.
      {more && (
        <>
          {' '}
          The {more.label} plan shows {more.historyDays === null ? 'all days' : 'more'}.{' '}
          <a href={PAGES.plans}>See the plans</a>
        </>
      )}
    </p>
  );
}

function PeriodHistory(props: PriceHistoryProps) {
  const { apiPath, printing, period, comparisons } = props;
  const { body, error, isLoading } = useData<{ data: HistoryBody }>(
    useLocalCall(historyPathOf(apiPath, { printing, period })),
  );
  const [isHighShown, setHighShown] = useState(false);
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set());
  const selected = comparisons.filter((comparison) => shown.has(comparison.id));
  const compared = useCompared(apiPath, period, selected);
  const hasChart = !body || isDrawable(body.data);
  return (
    <div class="period" aria-busy={isLoading}>
      {body ? (
        <>
          <PermanentError error={error ?? compared.error} />
          <ObservedPrices
            body={body.data}
            isHighShown={isHighShown}
            selected={selected}
            histories={compared.histories}
          />
        </>
      ) : (
        <Loading error={error} />
      )}
      {hasChart && (
        <ChartLines
          history={body?.data.history}
          comparisons={comparisons}
          shown={shown}
          onChange={setShown}
          isHighShown={isHighShown}
          onHighChange={setHighShown}
        />
      )}
      {body && hasChart && <HistoryTable {...body.data} />}
    </div>
  );
}

/** Fetches the histories of the selected comparisons. Returns them by their ids. */
function useCompared(apiPath: string, period: Period, selected: readonly Comparison[]) {
  const [currency] = useCurrency();
  const pathOf = ({ printing, grade, condition }: Comparison) => {
    const path = historyPathOf(apiPath, { printing, grade, condition, period });
    return localPath(path, currency);
  };
  const paths = selected.map(pathOf);
  const { bodies, error } = useHistories(paths);
  const histories = useMemo(() => {
    return new Map(selected.map((one) => [one.id, bodies.get(pathOf(one))?.history ?? []]));
  }, [bodies, paths.join('\n')]);
  return { histories, error };
}

interface ObservedPricesProps {
  readonly body: HistoryBody;
  readonly isHighShown: boolean;
  readonly selected: readonly Comparison[];
  readonly histories: ReadonlyMap<string, HistoryBody['history']>;
}

/** The chart of a period, or a text if there is too little to draw. */
function ObservedPrices({ body, isHighShown, selected, histories }: ObservedPricesProps) {
  const { history, period, asOf, currency } = body;
  const days = useMemo(() => buildChartDays(history, period as Period, asOf), [body]);
  const chart: Chart = useMemo(() => {
    const compared = selected.map((comparison) => {
      const { id, grade, condition } = comparison;
      const isCopy = grade !== undefined || condition !== undefined;
      const amountsOf = isCopy ? holdMarket : alignMarket;
      return { ...comparison, amounts: amountsOf(days, histories.get(id) ?? []) };
    });
    return { days, isHighShown: isHighShown || hasOnlyHigh(days), compared, currency };
  }, [days, currency, isHighShown, histories, selected.map(({ id }) => id).join('\n')]);
  if (!isDrawable(body)) return <TooLittle body={body} />;
  return <PriceChart chart={chart} />;
}

/** Whether there is more than a point to draw. */
function isDrawable({ history }: HistoryBody): boolean {
  return history.length > 1;
}

/** Describes the known prices if a chart would show a point or nothing. */
function TooLittle({ body: { history, period, asOf, currency } }: { body: HistoryBody }) {
  const [day] = history;
  const within =
    period === 'all' || asOf === null
      ? ''
      : ` in the ${labelPeriod(period as Period)} up to ${formatDay(asOf)}`;
  return (
    <p class="too-little">
      {day ? (
        <>
          There is one day of prices{within}: {formatDay(day.date)}, market{' '}
          {formatMoney(day.market, currency)}, lowest listing {formatMoney(day.low, currency)}. A
          chart needs two.
        </>
      ) : (
        <>No price was observed{within}.</>
      )}
    </p>
  );
}

interface Histories {
  /** By the path of the API that returns them, once they are loaded. */
  readonly bodies: ReadonlyMap<string, HistoryBody>;
  readonly error: CallError | undefined;
}

/** Fetches several histories, each once. */
export function useHistories(apiPaths: readonly string[]): Histories {
  const [bodies, setBodies] = useState<ReadonlyMap<string, HistoryBody>>(new Map());
  const [error, setError] = useState<CallError>();
  useEffect(() => {
    const { signal, abort } = abortable();
    setError(undefined);
    for (const path of apiPaths.filter((wanted) => !bodies.has(wanted))) {
      call<{ data: HistoryBody }>(dashboardPath(path), { signal }).then(
        ({ data }) => setBodies((before) => new Map(before).set(path, data)),
        (failure: unknown) => failure instanceof CallError && setError(failure),
      );
    }
    return abort;
  }, [apiPaths.join(' ')]);
  return { bodies, error };
}

function abortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

/** Longer histories have a table for each year, rendered when the reader opens it. */
const MOST_ROWS = 100;

interface HistoryTableProps {
  readonly history: readonly ObservedDay[];
  /** US dollars unless given. */
  readonly currency?: string | undefined;
}

/** The numbers of the chart as a table, newest first. */
export function HistoryTable({ history, currency }: HistoryTableProps) {
  return (
    <Disclosure
      summary="Show as a table"
      render={() =>
        history.length > MOST_ROWS ? (
          <Years history={history} currency={currency} />
        ) : (
          <Days
            days={history.toReversed()}
            currency={currency}
            caption="Prices by day, newest first"
          />
        )
      }
    />
  );
}

function Years({ history, currency }: HistoryTableProps) {
  const years = useMemo(() => groupByYear(history), [history]);
  return (
    <>
      {years.map(({ year, days }) => (
        <Disclosure
          key={year}
          summary={`${year}: ${formatCounted(days.length, 'day')}`}
          render={() => (
            <Days
              days={days}
              currency={currency}
              caption={`Prices of ${year} by day, newest first`}
            />
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

function columnsIn(currency: string | undefined): readonly Column<ObservedDay>[] {
  return [
    { label: 'Day (UTC)', cell: ({ date }) => formatDay(date) },
    ...FIGURES.map(([figure, label]) => ({
      label,
      kind: 'number' as const,
      cell: (day: ObservedDay) => <Money amount={day[figure]} currency={currency} />,
    })),
  ];
}

interface DaysProps {
  readonly days: readonly ObservedDay[];
  readonly currency: string | undefined;
  readonly caption: string;
}

function Days({ days, currency, caption }: DaysProps) {
  return (
    <Table
      caption={caption}
      hasCaption
      look="days"
      columns={columnsIn(currency)}
      rows={days}
      keyOf={({ date }) => date}
    />
  );
}
