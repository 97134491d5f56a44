import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { type Amounts, findIsolated } from './days.ts';
import type { Chart, ComparedLine } from './lines.ts';
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
  chart: Chart,
  onDay: (index: number | null) => void,
): Plot {
  const { seconds, market, low, high } = chart.days;
  const palette = new Palette(host);
  const plot = new uPlot(
    {
      ...measureSize(host),
      ...buildOptions(host, chart, palette),
      hooks: { setCursor: [({ cursor }) => onDay(cursor.idx ?? null)] },
    },
    [seconds, market, low, high, ...chart.compared.map(({ amounts }) => amounts)].map(copy) as [
      number[],
    ],
    host,
  );
  const stop = new AbortController();
  followSizeAndColors(plot, host, palette, stop.signal);
  followTouch(plot, stop.signal);
  return {
    moveCursor: (index) => moveCursor(plot, index),
    destroy() {
      stop.abort();
      plot.destroy();
    },
  };
}

function copy(values: readonly (number | null)[]): (number | null)[] {
  return [...values];
}

/** The indexes of two series; 0 are the days, 1 is the market price. */
const LOW = 2;
const HIGH = 3;

/** Colors of CSS variables as a canvas takes them, for the color scheme of this moment. */
class Palette {
  readonly #host: HTMLElement;
  readonly #colors = new Map<string, string>();

  constructor(host: HTMLElement) {
    this.#host = host;
  }

  /** Returns the color of a variable such as `--accent`. */
  color(variable: string): string {
    const known = this.#colors.get(variable);
    if (known !== undefined) return known;
    this.#host.style.color = `var(${variable})`;
    const { color } = getComputedStyle(this.#host);
    this.#host.style.color = '';
    this.#colors.set(variable, color);
    return color;
  }

  /** Forgets the colors: the color scheme has changed. */
  clear(): void {
    this.#colors.clear();
  }
}

function measureSize(host: HTMLElement) {
  return { width: host.clientWidth, height: host.clientHeight };
}

function buildOptions(host: HTMLElement, chart: Chart, palette: Palette) {
  const { from, to } = computeAmountRange(chart);
  return {
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false, points: { one: false, size: 7 } },
    tzDate: (second: number) => uPlot.tzDate(new Date(second * 1000), 'UTC'),
    scales: {
      x: { range: (_: uPlot, first: number, last: number) => computeTimeRange(first, last) },
      y: { range: [from, to] as uPlot.Range.MinMax },
    },
    series: buildSeries(chart, palette),
    bands: [{ series: [HIGH, LOW] as uPlot.Band.Bounds, fill: () => palette.color('--band') }],
    ...buildAxes(host, palette),
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

function buildAxes(host: HTMLElement, palette: Palette) {
  const { fontSize, fontFamily } = getComputedStyle(host);
  // uPlot takes the digits before `px` for the size, so a fraction would be taken for all of it.
  const em = Math.round(Number.parseFloat(fontSize));
  const font = `${em}px ${fontFamily}`;
  const axis = {
    font,
    stroke: () => palette.color('--quiet'),
    grid: { stroke: () => palette.color('--line'), width: 1 },
    ticks: { show: false },
  };
  const days = {
    ...axis,
    grid: { show: false },
    size: em * 2.2,
    space: em * 6,
    incrs: DAY_STEPS,
    values: (_: uPlot, seconds: number[]) => formatDayLabels(seconds),
  };
  const amounts = {
    ...axis,
    size: measureWidest(font),
    space: em * 3,
    values: (_: uPlot, labels: number[]) => formatAmountLabels(labels),
  };
  return { axes: [days, amounts], padding: [em / 2, em * 2, 0, 0] as uPlot.Padding };
}

function buildSeries({ days, isHighShown, compared }: Chart, palette: Palette): uPlot.Series[] {
  const edge = '--control';
  return [
    {},
    buildLine(days.market, palette, { color: '--accent', width: 2.5 }),
    buildLine(days.low, palette, { color: edge, width: 1.5, dash: [5, 4] }),
    { ...buildLine(days.high, palette, { color: edge, width: 1 }), show: isHighShown },
    ...compared.map((line) => buildLine(line.amounts, palette, styleOf(line))),
  ];
}

/** The line of a grade is dashed: it is what the grade is worth now, and not its history. */
function styleOf({ color, printing }: ComparedLine): LineStyle {
  return { color, width: 2, ...(printing === undefined && { dash: [2, 4] }) };
}

interface LineStyle {
  /** A CSS variable. */
  readonly color: string;
  /** In pixels. */
  readonly width: number;
  readonly dash?: number[];
}

/** A line that breaks where no amount is known, and shows amounts without neighbours as points. */
function buildLine(amounts: Amounts, palette: Palette, style: LineStyle): uPlot.Series {
  const color = () => palette.color(style.color);
  const isolated = findIsolated(amounts);
  return {
    ...style,
    stroke: color,
    points: { show: true, size: 6, filter: () => isolated, fill: color },
  };
}

/** Returns a function that measures the widest of some labels in a font, in pixels. */
function measureWidest(font: string) {
  return ({ ctx }: uPlot, labels: string[] | null) => {
    ctx.font = font;
    const widths = (labels ?? []).map((label) => ctx.measureText(label).width);
    return Math.ceil(Math.max(0, ...widths)) + 12;
  };
}

/** Redraws when the size of the element or the color scheme changes. */
function followSizeAndColors(
  plot: uPlot,
  host: HTMLElement,
  palette: Palette,
  stop: AbortSignal,
): void {
  const sizes = new ResizeObserver(() => {
    const { width, height } = measureSize(host);
    if (width !== plot.width || height !== plot.height) plot.setSize({ width, height });
  });
  sizes.observe(host);
  stop.addEventListener('abort', () => sizes.disconnect());
  const recolor = () => {
    palette.clear();
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
