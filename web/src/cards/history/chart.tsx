import { useContext, useId, useMemo, useState } from 'preact/hooks';
import { RenderingContext } from '../../api/rendering.ts';
import { type Area, bandPath, linearScale, moveByKey, type Point } from '../../charts/geometry.ts';
import {
  cursorAttributes,
  DayAxis,
  Dot,
  Line,
  type LineStyle,
  type Size,
  useSize,
  ValueAxis,
} from '../../charts/parts.tsx';
import { amountTicks, dayTicks, formatAmountLabels, formatDayLabels } from '../../charts/ticks.ts';
import { formatDay, formatMoney } from '../../ui/format.ts';
import {
  type Amounts,
  type ChartDays,
  findLastObserved,
  hasGaps,
  type ObservedDay,
} from './days.ts';
import { type ChartEvent, EVENT_LABELS, stackMarks } from './events.ts';
import { type Chart, type Comparison, computeAmountRange, describeDay } from './lines.ts';

/** The size of the chart on pages that the server renders, until a browser measures it. */
const PICTURE: Size = { width: 640, height: 240, em: 13 };

/** A chart of daily prices with the numbers of the selected day; initially the last day. */
export function PriceChart({ chart }: { chart: Chart }) {
  const { days } = chart;
  // The element, which may have the focus, is kept when the days change; a selection is not.
  const [selection, setSelection] = useState<{ of: ChartDays; index: number | null }>();
  const selected = selection?.of === days ? selection.index : null;
  const [host, measured] = useSize<HTMLDivElement>();
  const size = measured ?? (useContext(RenderingContext)?.isOver === false ? PICTURE : undefined);
  const layout = useMemo(() => size && layOut(chart, size), [chart, size]);
  const index = selected ?? findLastObserved(days);
  const { day, amounts } = describeDay(chart, index);
  const cursor = cursorAttributes({
    label: chart.currency === null ? 'Day of the index' : 'Day of the price history',
    index,
    count: days.seconds.length,
    text: `${day}: ${amounts}`,
    ends: layout && [layout.area.left, layout.area.right],
    onKey: (key) => moveByKey(key, days.observed, index, Boolean),
    // A pointer moves many times within one day.
    onMove: (next) => next !== selected && setSelection({ of: days, index: next }),
  });
  return (
    <>
      <p class="read-out">
        <strong>{day}</strong> {amounts}
      </p>
      <div class="plot" ref={host} {...cursor}>
        {size && layout && <Drawing layout={layout} size={size} selected={selected} />}
      </div>
      <EventList events={chart.events} />
      <ChartNotes chart={chart} />
    </>
  );
}

interface DrawnLine {
  readonly points: readonly (Point | null)[];
  readonly style: LineStyle;
}

type Layout = ReturnType<typeof layOut>;

/** The room for a label along its axis, in font sizes. */
const AMOUNT_ROOM = 3;
const DAY_ROOM = 6;
/** The width of a digit, in font sizes. */
const DIGIT = 0.6;

/** Places the axes and lines of a chart in px. */
function layOut(chart: Chart, { width, height, em }: Size) {
  const { seconds, market, low, high } = chart.days;
  const { from, to } = computeAmountRange(chart);
  const [top, bottom] = [em / 2, height - em * 2.2];
  const amounts = amountTicks(from, to, Math.floor((bottom - top) / (em * AMOUNT_ROOM)));
  const texts = formatAmountLabels(amounts, chart.currency);
  const widest = Math.max(0, ...texts.map(({ length }) => length)) * em * DIGIT;
  const area: Area = { left: Math.ceil(widest) + em, right: width - em * 2, top, bottom };
  const x = linearScale([0, seconds.length - 1], [area.left, area.right]);
  const y = linearScale([from, to], [bottom, top]);
  const [first = 0] = seconds;
  const days = dayTicks(
    first,
    seconds.at(-1) ?? first,
    Math.floor((area.right - area.left) / (em * DAY_ROOM)),
  );
  const dayTexts = formatDayLabels(days);
  const pointsOf = (line: Amounts) =>
    line.map((amount, index): Point | null => (amount === null ? null : [x(index), y(amount)]));
  return {
    area,
    x,
    amounts: amounts.map((amount, i) => ({ text: texts[i] ?? '', at: Math.round(y(amount)) })),
    days: days.map((day, i) => ({
      text: dayTexts[i] ?? '',
      at: Math.round(x((day - first) / 86_400)),
    })),
    band: chart.isHighShown ? bandPath(pointsOf(low), pointsOf(high)) : '',
    marks: layOutMarks(
      chart.events.map(({ index }) => x(index)),
      bottom,
      em,
    ),
    lines: linesOf(chart, market).map(({ amounts: line, style }): DrawnLine => {
      return { points: pointsOf(line), style };
    }),
  };
}

/** The width of a mark, in font sizes. */
const MARK = 1.5;

/** Places the marks of events. Marks that are close to each other are stacked. */
function layOutMarks(places: readonly number[], bottom: number, em: number): readonly Point[] {
  const rows = stackMarks(places, MARK * em);
  return places.map((at, index): Point => [at, bottom - (rows[index] ?? 0) * MARK * em]);
}

/** Returns the lines of a chart from back to front. The market price is in front of all others. */
function linesOf({ days, copy, isHighShown, compared }: Chart, market: Amounts) {
  const high = { amounts: days.high, style: { color: '--control', width: 1 } };
  return [
    ...(isHighShown ? [high] : []),
    { amounts: days.low, style: { color: '--control', width: 1.5, dashes: '5 4' } },
    // The line of a grade is dotted, because it shows the current value of the grade, not its
    // history.
    ...compared.map(({ amounts, color, printing }) => {
      return { amounts, style: { color, width: 2, ...(!printing && { dashes: '2 4' }) } };
    }),
    ...(copy
      ? [{ amounts: copy.held, style: { color: '--market', width: 2, dashes: '2 4' } }]
      : []),
    { amounts: market, style: { color: '--market', width: 2.5 } },
  ];
}

interface DrawingProps {
  readonly layout: Layout;
  readonly size: Size;
  /** The index of the day at the cursor; null for none. */
  readonly selected: number | null;
}

function Drawing({ layout, size: { width, height }, selected }: DrawingProps) {
  const { area, x, lines } = layout;
  const id = useId();
  // Moving the cursor does not draw lines again.
  const still = useMemo(() => <Lines layout={layout} height={height} clip={id} />, [layout]);
  return (
    <svg class="chart" viewBox={`0 0 ${width} ${height}`} height={height} aria-hidden="true">
      {still}
      {selected !== null && (
        <g clip-path={`url(#${id})`}>
          <path class="rule cursor" d={`M${x(selected)} ${area.top}V${area.bottom}`} />
          {lines.map(({ points, style }, index) => (
            <Dot key={index} at={points[selected]} color={style.color} />
          ))}
        </g>
      )}
    </svg>
  );
}

/** Lines may extend slightly outside of the area, for example with dots, or far beyond it. */
const OVERLAP = 4;

function Lines({ layout, height, clip }: { layout: Layout; height: number; clip: string }) {
  const { area, amounts, days, band, lines, marks } = layout;
  return (
    <>
      <clipPath id={clip}>
        <rect
          x={area.left - OVERLAP}
          y={area.top - OVERLAP}
          width={area.right - area.left + 2 * OVERLAP}
          height={area.bottom - area.top + 2 * OVERLAP}
        />
      </clipPath>
      <ValueAxis area={area} ticks={amounts} />
      <DayAxis height={height} ticks={days} />
      <g clip-path={`url(#${clip})`}>
        <path class="band" d={band} />
        {lines.map((line, index) => (
          <Line key={index} {...line} />
        ))}
      </g>
      {marks.map(([at, level], index) => (
        <g key={index} class="event">
          <path class="rule" d={`M${at} ${area.top}V${area.bottom}`} />
          <circle cx={at} cy={level} />
          <text x={at} y={level} dy="0.36em" text-anchor="middle">
            {index + 1}
          </text>
        </g>
      ))}
    </>
  );
}

/** Longer lists are folded. */
const MOST_EVENTS = 5;

/** The events in the chart, by the numbers of their marks. */
function EventList({ events }: { events: readonly ChartEvent[] }) {
  if (events.length === 0) return null;
  const list = (
    <ol class="events">
      {events.map(({ kind, date, text }, index) => (
        <li key={index}>
          <strong>
            {EVENT_LABELS[kind]}, {formatDay(date)}:
          </strong>{' '}
          <bdi>{text}</bdi>
        </li>
      ))}
    </ol>
  );
  if (events.length <= MOST_EVENTS) return list;
  return (
    <details>
      <summary>{events.length} events in this period</summary>
      {list}
    </details>
  );
}

/** Information that the lines do not show. */
function ChartNotes({ chart }: { chart: Chart }) {
  const { isTruncated } = computeAmountRange(chart);
  return (
    <>
      {hasGaps(chart.days) && (
        <p class="hint">
          {chart.copy
            ? 'A dotted line continues the last price over days without one.'
            : 'Gaps in a line are days without an observed price.'}
        </p>
      )}
      {chart.events.some(({ kind }) => kind === 'source') && (
        <p class="hint">Prices before and after a change of source may not be comparable.</p>
      )}
      {isTruncated && (
        <p class="hint">Some of the highest listings are above the chart. The table shows them.</p>
      )}
    </>
  );
}

interface ChartLinesProps {
  /** The days of the chart; undefined while they are loading. */
  readonly history: readonly ObservedDay[] | undefined;
  /** The label of the price in the chart. */
  readonly label: string;
  readonly comparisons: readonly Comparison[];
  /** The ids of the comparisons in the chart. */
  readonly shown: ReadonlySet<string>;
  onChange(shown: ReadonlySet<string>): void;
  readonly isHighShown: boolean;
  onHighChange(isShown: boolean): void;
}

/** The legend of the chart, which also chooses its lines. */
export function ChartLines(props: ChartLinesProps) {
  const { history = [], label: main, comparisons, shown, onChange } = props;
  const { isHighShown, onHighChange } = props;
  const isKnown = (figure: 'low' | 'high') => history.some((day) => day[figure] !== null);
  const toggle = (id: string) => {
    const next = new Set(shown);
    if (!next.delete(id)) next.add(id);
    onChange(next);
  };
  return (
    <fieldset class="lines">
      <legend class="sr-only">Lines of the chart</legend>
      <span class="key market">{main}</span>
      {isKnown('low') && <span class="key low">Lowest listing</span>}
      {isKnown('high') && (
        <Toggle
          label="Highest listing"
          look="high"
          isOn={isHighShown}
          onToggle={() => onHighChange(!isHighShown)}
        />
      )}
      {comparisons.map(({ id, label, amount, color, currency }) => (
        <Toggle
          key={id}
          label={label}
          amount={amount}
          currency={currency}
          look={color.slice(2)}
          isOn={shown.has(id)}
          onToggle={() => toggle(id)}
        />
      ))}
    </fieldset>
  );
}

interface ToggleProps {
  readonly label: string;
  readonly amount?: number | null;
  readonly currency?: string | undefined;
  /** The class of the line's color. */
  readonly look: string;
  readonly isOn: boolean;
  onToggle(): void;
}

function Toggle({ label, amount = null, currency, look, isOn, onToggle }: ToggleProps) {
  return (
    <label class={`key ${look}`}>
      <input type="checkbox" checked={isOn} onChange={onToggle} />
      <bdi>{label}</bdi>
      {amount !== null && <span class="quiet">{formatMoney(amount, currency)}</span>}
    </label>
  );
}
