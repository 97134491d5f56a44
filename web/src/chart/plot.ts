import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { type ChartDays, isolated } from './days.ts';
import { amountLabels, amountRange, dayLabels } from './scale.ts';

/** A drawn chart. */
export interface Plot {
  /** Points at a day. */
  show(index: number): void;
  destroy(): void;
}

/**
 * Draws prices into an element that has its size from the page, and keeps to that size and to the
 * colours of the page. `onDay` is told which day the reader points at, null for none any more.
 */
export function drawPlot(
  host: HTMLElement,
  days: ChartDays,
  onDay: (index: number | null) => void,
): Plot {
  const colours = coloursOf(host);
  const plot = new uPlot(
    {
      ...sizeOf(host),
      ...looks(host, days, colours),
      hooks: {
        setCursor: [({ cursor }) => onDay(cursor.idx ?? null)],
        drawSeries: [(drawn, series) => series === MARKET && drawLoneDays(drawn, days, colours)],
      },
    },
    [[...days.seconds], [...days.market], [...days.low], [...days.high]],
    host,
  );
  const stop = new AbortController();
  followPage(plot, host, colours, stop.signal);
  followFinger(plot, stop.signal);
  return {
    show: (index) => pointAt(plot, index),
    destroy() {
      stop.abort();
      plot.destroy();
    },
  };
}

/** Numbers of the series; 0 are the days. */
const MARKET = 1;
const LOW = 2;
const HIGH = 3;

interface Colours {
  text: string;
  grid: string;
  line: string;
  band: string;
  edge: string;
}

/** The colours of the page, as they are right now: styles say them once, for light and dark. */
function coloursOf(host: HTMLElement): Colours {
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

function sizeOf(host: HTMLElement) {
  return { width: host.clientWidth, height: host.clientHeight };
}

function looks(host: HTMLElement, days: ChartDays, colours: Colours) {
  const { fontSize, fontFamily } = getComputedStyle(host);
  const font = `${fontSize} ${fontFamily}`;
  const em = Number.parseFloat(fontSize);
  const axis = {
    font,
    stroke: () => colours.text,
    grid: { stroke: () => colours.grid, width: 1 },
    ticks: { show: false },
  };
  const { from, to } = amountRange(days);
  const edge = edgeSeries(host, days, colours);
  return {
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false, points: { one: false, size: 7 } },
    padding: [em / 2, em * 2, 0, 0] as uPlot.Padding,
    tzDate: (second: number) => uPlot.tzDate(new Date(second * 1000), 'UTC'),
    scales: {
      x: { range: (_: uPlot, first: number, last: number) => roomFor(first, last) },
      y: { range: [from, to] as uPlot.Range.MinMax },
    },
    series: [{}, marketSeries(days, colours), edge, edge],
    bands: [{ series: [HIGH, LOW] as uPlot.Band.Bounds, fill: () => colours.band }],
    axes: [
      {
        ...axis,
        size: em * 2.2,
        space: em * 6,
        incrs: DAY_STEPS,
        values: (_: uPlot, seconds: number[]) => dayLabels(seconds),
      },
      {
        ...axis,
        size: widthOf(font),
        space: em * 3,
        values: (_: uPlot, amounts: number[]) => amountLabels(amounts),
      },
    ],
  } satisfies Partial<uPlot.Options>;
}

const DAY = 86_400;

/** What may lie between two lines, in seconds; what uPlot takes for months and years among them. */
const DAY_STEPS = [1, 2, 7, 14, 30, 60, 90, 180, 365, 730, 1825].map((days) => days * DAY);

/** A single day stands in the middle and not at the edge. */
function roomFor(first: number, last: number): uPlot.Range.MinMax {
  return first === last ? [first - DAY, last + DAY] : [first, last];
}

function marketSeries({ market }: ChartDays, colours: Colours): uPlot.Series {
  const alone = isolated(market);
  return {
    stroke: () => colours.line,
    width: 2,
    points: { show: true, size: 6, filter: () => alone, fill: () => colours.line },
  };
}

/** The edge of the band, which has none where its ups and downs are closer than pixels. */
function edgeSeries(host: HTMLElement, days: ChartDays, colours: Colours): uPlot.Series {
  const isDense = days.seconds.length > host.clientWidth;
  return { stroke: () => colours.edge, width: isDense ? 0 : 1, points: { show: false } };
}

/** As wide as the longest amount. */
function widthOf(font: string) {
  return ({ ctx }: uPlot, labels: string[] | null) => {
    ctx.font = font;
    const widths = (labels ?? []).map((label) => ctx.measureText(label).width);
    return Math.ceil(Math.max(0, ...widths)) + 12;
  };
}

/** Between two gaps a band has no width: such days get a bar from the lowest to the highest. */
function drawLoneDays(plot: uPlot, { seconds, low, high }: ChartDays, colours: Colours): void {
  const { ctx } = plot;
  ctx.save();
  ctx.strokeStyle = colours.edge;
  ctx.lineWidth = 2 * devicePixelRatio;
  for (const index of isolated(low)) {
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

/** Follows the size of the page, and its colours when they change between light and dark. */
function followPage(plot: uPlot, host: HTMLElement, colours: Colours, stop: AbortSignal): void {
  const sizes = new ResizeObserver(() => {
    const { width, height } = sizeOf(host);
    if (width !== plot.width || height !== plot.height) plot.setSize({ width, height });
  });
  sizes.observe(host);
  stop.addEventListener('abort', () => sizes.disconnect());
  const recolour = () => {
    Object.assign(colours, coloursOf(host));
    plot.redraw(false);
  };
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', recolour, { signal: stop });
}

/** A finger that moves across the chart points at days, as a mouse does. */
function followFinger(plot: uPlot, signal: AbortSignal): void {
  const point = (event: PointerEvent) => {
    if (event.pointerType === 'mouse') return;
    const { left, top } = plot.over.getBoundingClientRect();
    plot.setCursor({ left: event.clientX - left, top: event.clientY - top });
  };
  plot.over.addEventListener('pointerdown', point, { signal });
  plot.over.addEventListener('pointermove', point, { signal });
}

function pointAt(plot: uPlot, index: number): void {
  const [seconds = []] = plot.data;
  const left = plot.valToPos(seconds[index] ?? 0, 'x');
  plot.setCursor({ left, top: 0 }, true);
}
