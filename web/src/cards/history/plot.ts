import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { type ChartDays, findIsolated } from './days.ts';
import { computeAmountRange, formatAmountLabels, formatDayLabels } from './scale.ts';

/** A drawn chart. */
export interface Plot {
  /** Moves the cursor to the day of an index. */
  moveCursor(index: number): void;
  destroy(): void;
}

/**
 * Draws prices into an element and redraws them when its size or the color scheme changes. Calls
 * `onDay` with the index of the day under the cursor, null for none.
 */
export function drawPlot(
  host: HTMLElement,
  days: ChartDays,
  onDay: (index: number | null) => void,
): Plot {
  const colors = readColors(host);
  const plot = new uPlot(
    {
      ...measureSize(host),
      ...buildOptions(host, days, colors),
      hooks: {
        setCursor: [({ cursor }) => onDay(cursor.idx ?? null)],
        drawSeries: [(drawn, series) => series === MARKET && drawIsolatedDays(drawn, days, colors)],
      },
    },
    [[...days.seconds], [...days.market], [...days.low], [...days.high]],
    host,
  );
  const stop = new AbortController();
  followSizeAndColors(plot, host, colors, stop.signal);
  followTouch(plot, stop.signal);
  return {
    moveCursor: (index) => moveCursor(plot, index),
    destroy() {
      stop.abort();
      plot.destroy();
    },
  };
}

/** The indexes of the series; 0 are the days. */
const MARKET = 1;
const LOW = 2;
const HIGH = 3;

interface Colors {
  text: string;
  grid: string;
  line: string;
  band: string;
  edge: string;
}

/** Reads the colors that history.css gives to an element, for the color scheme of this moment. */
function readColors(host: HTMLElement): Colors {
  const { color, borderTopColor, outlineColor, columnRuleColor, textDecorationColor } =
    getComputedStyle(host);
  return {
    text: color,
    grid: borderTopColor,
    line: outlineColor,
    edge: columnRuleColor,
    band: textDecorationColor,
  };
}

function measureSize(host: HTMLElement) {
  return { width: host.clientWidth, height: host.clientHeight };
}

function buildOptions(host: HTMLElement, days: ChartDays, colors: Colors) {
  const { fontSize, fontFamily } = getComputedStyle(host);
  const font = `${fontSize} ${fontFamily}`;
  const em = Number.parseFloat(fontSize);
  const axis = {
    font,
    stroke: () => colors.text,
    grid: { stroke: () => colors.grid, width: 1 },
    ticks: { show: false },
  };
  const { from, to } = computeAmountRange(days);
  const edge = buildEdgeSeries(host, days, colors);
  return {
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false, points: { one: false, size: 7 } },
    padding: [em / 2, em * 2, 0, 0] as uPlot.Padding,
    tzDate: (second: number) => uPlot.tzDate(new Date(second * 1000), 'UTC'),
    scales: {
      x: { range: (_: uPlot, first: number, last: number) => computeTimeRange(first, last) },
      y: { range: [from, to] as uPlot.Range.MinMax },
    },
    series: [{}, buildMarketSeries(days, colors), edge, edge],
    bands: [{ series: [HIGH, LOW] as uPlot.Band.Bounds, fill: () => colors.band }],
    axes: [
      {
        ...axis,
        size: em * 2.2,
        space: em * 6,
        incrs: DAY_STEPS,
        values: (_: uPlot, seconds: number[]) => formatDayLabels(seconds),
      },
      {
        ...axis,
        size: measureWidest(font),
        space: em * 3,
        values: (_: uPlot, amounts: number[]) => formatAmountLabels(amounts),
      },
    ],
  } satisfies Partial<uPlot.Options>;
}

const SECONDS_PER_DAY = 86_400;

/** The steps of the time axis in seconds, including those that uPlot takes for months and years. */
const DAY_STEPS = [1, 2, 7, 14, 30, 60, 90, 180, 365, 730, 1825].map(
  (days) => days * SECONDS_PER_DAY,
);

/** Returns the range of the time axis, with a margin that centers a single day. */
function computeTimeRange(first: number, last: number): uPlot.Range.MinMax {
  return first === last ? [first - SECONDS_PER_DAY, last + SECONDS_PER_DAY] : [first, last];
}

function buildMarketSeries({ market }: ChartDays, colors: Colors): uPlot.Series {
  const isolated = findIsolated(market);
  return {
    stroke: () => colors.line,
    width: 2,
    points: { show: true, size: 6, filter: () => isolated, fill: () => colors.line },
  };
}

/** Returns the series of an edge of the band, invisible where days are denser than pixels. */
function buildEdgeSeries(host: HTMLElement, days: ChartDays, colors: Colors): uPlot.Series {
  const isDense = days.seconds.length > host.clientWidth;
  return { stroke: () => colors.edge, width: isDense ? 0 : 1, points: { show: false } };
}

/** Returns a function that measures the widest of some labels in a font, in pixels. */
function measureWidest(font: string) {
  return ({ ctx }: uPlot, labels: string[] | null) => {
    ctx.font = font;
    const widths = (labels ?? []).map((label) => ctx.measureText(label).width);
    return Math.ceil(Math.max(0, ...widths)) + 12;
  };
}

/** Draws a bar from the lowest to the highest listing of isolated days, where the band has no width. */
function drawIsolatedDays(plot: uPlot, { seconds, low, high }: ChartDays, colors: Colors): void {
  const { ctx } = plot;
  ctx.save();
  ctx.strokeStyle = colors.edge;
  ctx.lineWidth = 2 * devicePixelRatio;
  for (const index of findIsolated(low)) {
    const [bottom, top] = [low[index] ?? null, high[index] ?? null];
    if (bottom === null || top === null) continue;
    const x = plot.valToPos(seconds[index] ?? 0, 'x', true);
    ctx.beginPath();
    ctx.moveTo(x, plot.valToPos(bottom, 'y', true));
    ctx.lineTo(x, Math.max(plot.bbox.top, plot.valToPos(top, 'y', true)));
    ctx.stroke();
  }
  ctx.restore();
}

/** Redraws when the size of the element or the color scheme changes. */
function followSizeAndColors(
  plot: uPlot,
  host: HTMLElement,
  colors: Colors,
  stop: AbortSignal,
): void {
  const sizes = new ResizeObserver(() => {
    const { width, height } = measureSize(host);
    if (width !== plot.width || height !== plot.height) plot.setSize({ width, height });
  });
  sizes.observe(host);
  stop.addEventListener('abort', () => sizes.disconnect());
  const recolor = () => {
    Object.assign(colors, readColors(host));
    plot.redraw(false);
  };
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', recolor, { signal: stop });
}

/** Moves the cursor under a finger or pen on the chart, as under a mouse. */
function followTouch(plot: uPlot, signal: AbortSignal): void {
  const point = (event: PointerEvent) => {
    if (event.pointerType === 'mouse') return;
    const { left, top } = plot.over.getBoundingClientRect();
    plot.setCursor({ left: event.clientX - left, top: event.clientY - top });
  };
  plot.over.addEventListener('pointerdown', point, { signal });
  plot.over.addEventListener('pointermove', point, { signal });
}

function moveCursor(plot: uPlot, index: number): void {
  const [seconds = []] = plot.data;
  const left = plot.valToPos(seconds[index] ?? 0, 'x');
  plot.setCursor({ left, top: 0 }, true);
}
