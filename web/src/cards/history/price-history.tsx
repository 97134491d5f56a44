import './history.css';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { PAGES } from '../../../../src/dashboard/pages.ts';
import type { CopyName } from '../../../../src/domain/copy.ts';
import type { Period } from '../../../../src/domain/day.ts';
import { CallError, call } from '../../api/call.ts';
import { localPath, useCurrency, useLocalCall } from '../../api/currency.ts';
import { dashboardPath, historyPathOf } from '../../api/links.ts';
import type { HistoryBody } from '../../api/responses.ts';
import { useSession } from '../../api/session.ts';
import { useData } from '../../api/use-data.ts';
import { Segmented } from '../../ui/controls.tsx';
import { formatCount, formatDay, formatMoney } from '../../ui/format.ts';
import { late } from '../../ui/late.tsx';
import { Disclosure } from '../../ui/parts.tsx';
import { Loading, PermanentError } from '../../ui/status.tsx';
import { labelOf, viewOfPrice } from '../price-names.ts';
import { ChartLines, PriceChart } from './chart.tsx';
import { buildChartDays, hasOnlyHigh, labelPeriod } from './days.ts';
import { findSourceChanges, type PriceEvent, placeEvents } from './events.ts';
import { alignMarket, type Chart, type Comparison, holdMarket } from './lines.ts';

/** The numbers of the chart, which few readers open. */
const HistoryTable = late(
  'The table',
  async () => (await import('./history-table.tsx')).HistoryTable,
);

interface PriceHistoryProps {
  /** The path of the card or product in the API. */
  readonly apiPath: string;
  /** The printing in the address; undefined for the card's default one. */
  readonly printing: string | undefined;
  readonly period: Period;
  /** The periods that the reader may select; none if they may see no history. */
  readonly periods: readonly Period[];
  onPeriod(period: Period): void;
  /** The condition or grade whose prices are shown instead of the market price. */
  readonly copy?: CopyName | undefined;
  /** The events of the price; undefined while they are loading. */
  readonly events: readonly PriceEvent[] | undefined;
  /** The possible comparisons in the chart. */
  readonly comparisons: readonly Comparison[];
}

/** The past prices of a card as a chart and a table, for the days that the reader may see. */
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
export function ShownDays() {
  const { historyDays, plans } = useSession();
  if (historyDays === null) return null;
  const more = plans.find(({ historyDays: days }) => days === null || days > historyDays);
  return (
    <p class="hint">
      This page shows the last {formatCount(historyDays)} days.
      {more && (
        <>
          {' '}
          The {more.label} plan shows {more.historyDays === null ? 'all days' : 'more days'}.{' '}
          <a href={PAGES.plans}>See the plans</a>
        </>
      )}
    </p>
  );
}

function PeriodHistory(props: PriceHistoryProps) {
  const { apiPath, printing, period, copy, events, comparisons } = props;
  const {
    body: loaded,
    error,
    isLoading,
  } = useData<{ data: HistoryBody }>(
    useLocalCall(historyPathOf(apiPath, { printing, period, ...viewOfPrice(copy) })),
  );
  const body = events && loaded;
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
            events={events}
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
          label={labelOf(copyIn(body?.data) ?? 'market')}
          comparisons={comparisons}
          shown={shown}
          onChange={setShown}
          isHighShown={isHighShown}
          onHighChange={setHighShown}
        />
      )}
      {body && hasChart && (
        <Disclosure
          summary="Show as a table"
          render={() => <HistoryTable {...body.data} copy={copyIn(body.data)} />}
        />
      )}
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

/** Returns the condition or grade of a history; undefined for the market price. */
function copyIn(body: HistoryBody | undefined): CopyName | undefined {
  return (body?.grade ?? body?.condition) as CopyName | undefined;
}

interface ObservedPricesProps {
  readonly body: HistoryBody;
  readonly events: readonly PriceEvent[];
  readonly isHighShown: boolean;
  readonly selected: readonly Comparison[];
  readonly histories: ReadonlyMap<string, HistoryBody['history']>;
}

/** The chart of a period, or a text if there is too little to draw. */
function ObservedPrices(props: ObservedPricesProps) {
  const { body, events, isHighShown, selected, histories } = props;
  const { history, period, asOf, currency } = body;
  const days = useMemo(() => buildChartDays(history, period as Period, asOf), [body]);
  const chart: Chart = useMemo(() => {
    const name = copyIn(body);
    const copy = name && { label: labelOf(name), held: holdMarket(days, history) };
    const placed = placeEvents(days, [...events, ...findSourceChanges(history)]);
    const compared = selected.map((comparison) => {
      const { id, grade, condition } = comparison;
      const isCopy = grade !== undefined || condition !== undefined;
      const amountsOf = isCopy ? holdMarket : alignMarket;
      return { ...comparison, amounts: amountsOf(days, histories.get(id) ?? []) };
    });
    const isHigh = isHighShown || hasOnlyHigh(days);
    return { days, copy, events: placed, isHighShown: isHigh, compared, currency };
  }, [days, events, currency, isHighShown, histories, selected.map(({ id }) => id).join('\n')]);
  if (!isDrawable(body)) return <TooLittle body={body} />;
  return <PriceChart chart={chart} />;
}

/** Whether there is more than one point to draw. */
function isDrawable({ history }: HistoryBody): boolean {
  return history.length > 1;
}

/** Describes the known prices if a chart would show a point or nothing. */
function TooLittle({ body }: { body: HistoryBody }) {
  const { history, period, asOf, currency } = body;
  const [day] = history;
  const copy = copyIn(body);
  const within =
    period === 'all' || asOf === null
      ? ''
      : ` in the ${labelPeriod(period as Period)} up to ${formatDay(asOf)}`;
  return (
    <p class="too-little">
      {day ? (
        <>
          {copy ? `${labelOf(copy)} has` : 'There is'} one price{within}:{' '}
          {formatMoney(day.market, currency)}
          {!copy && ` (lowest listing ${formatMoney(day.low, currency)})`} on {formatDay(day.date)}.
          The chart starts with the second.
        </>
      ) : (
        <>
          No {copy ? `price for ${labelOf(copy)}` : 'price'} was observed{within}.
        </>
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
