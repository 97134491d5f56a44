import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { formatCount, formatDay } from '../format.ts';
import { axisMarks, type Bar, type Bars, type Grouping } from '../usage-bars.ts';

interface Props {
  readonly bars: Bars;
  readonly grouping: Grouping;
}

/** Where things are in the picture, in pixels. */
const HEIGHT = 240;
const TOP = 10;
const BOTTOM = 24;
const LEFT = 52;
const LEAST_WIDTH = 240;

/** Requests a day as stacked bars. Each series has a pattern besides its colour. */
export function UsageChart({ bars, grouping }: Props) {
  const [frame, width] = useWidth();
  const id = useId();
  return (
    <figure class="usage" ref={frame}>
      <svg
        viewBox={`0 0 ${width} ${HEIGHT}`}
        height={HEIGHT}
        role="img"
        aria-labelledby={`${id}-title ${id}-desc`}
      >
        <title id={`${id}-title`}>Requests a day by {grouping}</title>
        <desc id={`${id}-desc`}>{describe(bars)}</desc>
        <Patterns />
        <Drawing bars={bars} width={width} />
      </svg>
      <figcaption>
        <ul class="legend">
          {bars.series.map((name, series) => (
            <li key={name}>
              <svg class="swatch" viewBox="0 0 20 20" aria-hidden="true">
                <rect width={20} height={20} class={classOf(series)} fill={patternOf(series)} />
              </svg>
              {name}
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  );
}

function describe({ bars, total }: Bars): string {
  const busiest = bars.toSorted((a, b) => b.total - a.total)[0];
  if (!busiest || total === 0) return 'There was no request in the last 30 days.';
  return (
    `${formatCount(total)} requests in ${bars.length} days, most of them on ` +
    `${formatDay(busiest.date)}: ${formatCount(busiest.total)}. The table below has the numbers.`
  );
}

interface DrawingProps {
  readonly bars: Bars;
  readonly width: number;
}

function Drawing({ bars: { bars, series }, width }: DrawingProps) {
  const marks = axisMarks(Math.max(...bars.map(({ total }) => total)));
  const most = marks.at(-1) ?? 1;
  const high = (count: number) => (count / most) * (HEIGHT - TOP - BOTTOM);
  const step = (width - LEFT) / bars.length;
  return (
    <>
      {marks.map((mark) => (
        <Mark key={mark} mark={mark} y={HEIGHT - BOTTOM - high(mark)} width={width} />
      ))}
      {bars.map((bar, index) => (
        <Stack
          key={bar.date}
          bar={bar}
          names={series}
          x={LEFT + index * step}
          width={step}
          high={high}
        />
      ))}
      <Ends bars={bars} width={width} />
    </>
  );
}

function Mark({ mark, y, width }: { mark: number; y: number; width: number }) {
  return (
    <>
      <line class="grid" x1={LEFT} x2={width} y1={y} y2={y} />
      <text x={LEFT - 6} y={y + 4} text-anchor="end">
        {formatCount(mark)}
      </text>
    </>
  );
}

interface StackProps {
  readonly bar: Bar;
  /** Of the series. */
  readonly names: readonly string[];
  readonly x: number;
  readonly width: number;
  high(count: number): number;
}

/** One day, its series from the bottom up. */
function Stack({ bar, names, x, width, high }: StackProps) {
  let top = HEIGHT - BOTTOM;
  const gap = Math.min(4, width / 4);
  return (
    <g>
      <title>{`${formatDay(bar.date)}: ${formatCount(bar.total)}`}</title>
      {names.map((name, series) => {
        const height = high(bar.counts[series] ?? 0);
        top -= height;
        return (
          <rect
            key={name}
            class={classOf(series)}
            fill={patternOf(series)}
            x={x + gap / 2}
            y={top}
            width={width - gap}
            height={height}
          />
        );
      })}
    </g>
  );
}

/** The first and the last day, below the bars. */
function Ends({ bars, width }: { bars: readonly Bar[]; width: number }) {
  const [first, last] = [bars[0], bars.at(-1)];
  if (!first || !last) return null;
  return (
    <>
      <text x={LEFT} y={HEIGHT - 6}>
        {formatDay(first.date)}
      </text>
      <text x={width} y={HEIGHT - 6} text-anchor="end">
        {formatDay(last.date)}
      </text>
    </>
  );
}

/** What is drawn over the colour of each series; the first has none. */
const INKS = ['', 'M0 8L8 0', 'M0 4H8', 'M0 0L8 8', 'M4 0V8', 'M2 2h2v2h-2zM6 6h2v2h-2z'] as const;

function Patterns() {
  return (
    <defs>
      {INKS.map((ink, series) => (
        <pattern
          key={ink}
          id={`series-${series}`}
          class={classOf(series)}
          width={8}
          height={8}
          patternUnits="userSpaceOnUse"
        >
          <rect width={8} height={8} fill="currentColor" />
          <path d={ink} />
        </pattern>
      ))}
    </defs>
  );
}

function classOf(series: number): string {
  return `series series-${series}`;
}

function patternOf(series: number): string {
  return `url(#series-${series})`;
}

/** The width that an element has on the page, in pixels, and what it is measured with. */
function useWidth() {
  const [width, setWidth] = useState(600);
  const frame = useRef<HTMLElement>(null);
  useEffect(() => {
    const { current } = frame;
    if (!current) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setWidth(Math.max(LEAST_WIDTH, Math.round(entry.contentRect.width)));
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return [frame, width] as const;
}
