import { useId } from 'preact/hooks';
import { linearScale } from '../charts/geometry.ts';
import { DayAxis, type Tick, useSize, ValueAxis } from '../charts/parts.tsx';
import { countTicks } from '../charts/ticks.ts';
import { formatCount, formatDay } from '../ui/format.ts';
import type { Grouping, UsageBar, UsageBars } from './usage.ts';

interface UsageChartProps {
  readonly bars: UsageBars;
  readonly grouping: Grouping;
}

/** The height of the chart, the margins of its bars, and its smallest width, in px. */
const HEIGHT = 240;
const TOP = 10;
const BOTTOM = HEIGHT - 24;
const LEFT = 52;
const MIN_WIDTH = 240;
/** The width until a browser measures it. */
const USUAL_WIDTH = 600;

/** The requests per day as stacked bars. Each series has a pattern as well as a color. */
export function UsageChart({ bars, grouping }: UsageChartProps) {
  const [figure, size] = useSize<HTMLElement>();
  const width = Math.max(MIN_WIDTH, size?.width ?? USUAL_WIDTH);
  const id = useId();
  return (
    <figure class="usage" ref={figure}>
      <svg
        class="chart"
        viewBox={`0 0 ${width} ${HEIGHT}`}
        height={HEIGHT}
        role="img"
        aria-labelledby={`${id}-title ${id}-desc`}
      >
        <title id={`${id}-title`}>Requests per day by {grouping}</title>
        <desc id={`${id}-desc`}>{describeBars(bars)}</desc>
        <Patterns />
        <Plot bars={bars} width={width} />
      </svg>
      <figcaption>
        <ul class="legend">
          {bars.series.map((name, index) => (
            <li key={name}>
              <svg class="swatch" viewBox="0 0 20 20" aria-hidden="true">
                <rect width={20} height={20} class={seriesClass(index)} fill={seriesFill(index)} />
              </svg>
              {name}
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  );
}

function describeBars({ bars, total }: UsageBars): string {
  const busiest = bars.toSorted((a, b) => b.total - a.total)[0];
  if (!busiest || total === 0) return 'There were no requests in the last 30 days.';
  return (
    `${formatCount(total)} requests in ${bars.length} days, most of them on ` +
    `${formatDay(busiest.date)}: ${formatCount(busiest.total)}. The table below shows the numbers.`
  );
}

interface PlotProps {
  readonly bars: UsageBars;
  readonly width: number;
}

function Plot({ bars: { bars, series }, width }: PlotProps) {
  const marks = countTicks(Math.max(...bars.map(({ total }) => total)));
  const y = linearScale([0, marks.at(-1) ?? 1], [BOTTOM, TOP]);
  const area = { left: LEFT, right: width, top: TOP, bottom: BOTTOM };
  const step = (width - LEFT) / bars.length;
  return (
    <>
      <ValueAxis
        area={area}
        ticks={marks.map((mark) => ({ at: y(mark), text: formatCount(mark) }))}
      />
      {bars.map((bar, index) => (
        <StackedBar
          key={bar.date}
          bar={bar}
          series={series}
          x={LEFT + index * step}
          width={step}
          y={y}
        />
      ))}
      <DayAxis height={HEIGHT} ticks={endLabels(bars, width)} />
    </>
  );
}

/** Returns the labels of the first and the last day. */
function endLabels(bars: readonly UsageBar[], width: number): Tick[] {
  const [first, last] = [bars[0], bars.at(-1)];
  if (!first || !last) return [];
  return [
    { at: LEFT, text: formatDay(first.date), anchor: 'start' },
    { at: width, text: formatDay(last.date), anchor: 'end' },
  ];
}

interface StackedBarProps {
  readonly bar: UsageBar;
  /** The names of the series. */
  readonly series: readonly string[];
  readonly x: number;
  readonly width: number;
  /** Returns the place of a number of requests on the axis, in px. */
  y(count: number): number;
}

/** The bar of a day, with its series from the bottom up. */
function StackedBar({ bar, series, x, width, y }: StackedBarProps) {
  let below = 0;
  const gap = Math.min(4, width / 4);
  return (
    <g>
      <title>{`${formatDay(bar.date)}: ${formatCount(bar.total)}`}</title>
      {series.map((name, index) => {
        const bottom = y(below);
        below += bar.counts[index] ?? 0;
        return (
          <rect
            key={name}
            class={seriesClass(index)}
            fill={seriesFill(index)}
            x={x + gap / 2}
            y={y(below)}
            width={width - gap}
            height={bottom - y(below)}
          />
        );
      })}
    </g>
  );
}

/** The SVG path of each series' pattern; the first series is plain. */
const PATTERN_PATHS = [
  '',
  'M0 8L8 0',
  'M0 4H8',
  'M0 0L8 8',
  'M4 0V8',
  'M2 2h2v2h-2zM6 6h2v2h-2z',
] as const;

function Patterns() {
  return (
    <defs>
      {PATTERN_PATHS.map((path, index) => (
        <pattern
          key={path}
          id={`series-${index}`}
          class={seriesClass(index)}
          width={8}
          height={8}
          patternUnits="userSpaceOnUse"
        >
          <rect width={8} height={8} fill="currentColor" />
          <path d={path} />
        </pattern>
      ))}
    </defs>
  );
}

function seriesClass(index: number): string {
  return `series series-${index}`;
}

function seriesFill(index: number): string {
  return `url(#series-${index})`;
}

interface UsageTableProps {
  readonly bars: UsageBars;
  readonly grouping: Grouping;
}

/** The numbers of the chart as a table, newest day first. */
export function UsageTable({ bars: { series, bars }, grouping }: UsageTableProps) {
  return (
    <details class="more">
      <summary>Show as a table</summary>
      <table class="usage-days">
        <caption class="sr-only">Requests per day by {grouping}</caption>
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
