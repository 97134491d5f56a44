import { type Axes, drawAxes, layOutAxes } from './axes.ts';
import { drawLine, drawPoint, drawRule, fillBetween, type LineStyle } from './canvas.ts';
import type { Amounts } from './days.ts';
import type { Chart } from './lines.ts';
import { Palette } from './palette.ts';
import { computeAmountRange } from './scale.ts';

/** A drawn chart. */
export interface Plot {
  /** Moves the cursor to the day of an index. */
  moveCursor(index: number): void;
  destroy(): void;
}

export interface PlotOptions {
  /** The index of the day that has the cursor at first; null for none. */
  readonly cursor: number | null;
  /** Called with the index of the day under the cursor, null for none. */
  onDay(index: number | null): void;
}

/**
 * Draws prices on a canvas that fills an element, and again when its size, the pixels of the screen or the color
 * scheme change.
 */
export function drawPlot(
  canvas: HTMLCanvasElement,
  chart: Chart,
  { cursor, onDay }: PlotOptions,
): Plot {
  const host = canvas.parentElement;
  if (!host) throw new Error('the canvas of a chart is in an element that gives it its size');
  const stop = new AbortController();
  const picture = new Picture(host, canvas, chart);
  const moveCursor = (index: number | null) => {
    // A pointer moves many times within one day.
    if (index === picture.cursor) return;
    picture.cursor = index;
    picture.drawSoon();
    onDay(index);
  };
  picture.cursor = cursor;
  picture.draw();
  followPointer(host, picture, moveCursor, stop.signal);
  followScreen(host, picture, stop.signal);
  return {
    moveCursor,
    destroy() {
      stop.abort();
      picture.stop();
    },
  };
}

/** The canvas of a chart. */
class Picture {
  /** The index of the day under the cursor; null for none. */
  cursor: number | null = null;
  readonly #host: HTMLElement;
  readonly #chart: Chart;
  readonly #canvas: HTMLCanvasElement;
  readonly #palette: Palette;
  readonly #lines: readonly Line[];
  #axes: Axes | undefined;
  #frameRequest = 0;

  constructor(host: HTMLElement, canvas: HTMLCanvasElement, chart: Chart) {
    this.#host = host;
    this.#canvas = canvas;
    this.#chart = chart;
    this.#palette = new Palette(host);
    this.#lines = linesOf(chart);
  }

  /** Draws everything now, as large and with the colors that the element has now. */
  draw(): void {
    const context = this.#canvas.getContext('2d');
    if (!context) return;
    const { days, isHighShown } = this.#chart;
    const em = this.#resize(context);
    const { clientWidth: width, clientHeight: height } = this.#host;
    const range = computeAmountRange(this.#chart);
    const axes = layOutAxes(context, days, range, { width, height, em });
    const { left, right, top, bottom } = axes.frame;
    const color = (variable: string) => this.#palette.color(variable);
    drawAxes(context, axes, { label: color('--quiet'), rule: color('--line') });
    context.beginPath();
    context.rect(left - 4, top - 4, right - left + 8, bottom - top + 8);
    context.clip();
    if (isHighShown) fillBetween(context, axes.frame, [days.low, days.high], color('--band'));
    for (const { amounts, style } of this.#lines) {
      drawLine(context, axes.frame, amounts, { ...style, color: color(style.color) });
    }
    this.#drawCursor(context, axes);
    this.#axes = axes;
  }

  #drawCursor(context: CanvasRenderingContext2D, { frame }: Axes): void {
    if (this.cursor === null) return;
    const x = frame.x(this.cursor);
    drawRule(context, [x, frame.top, x, frame.bottom], this.#palette.color('--control'));
    for (const { amounts, style } of this.#lines) {
      drawPoint(context, frame, amounts, this.cursor, this.#palette.color(style.color));
    }
  }

  /** Draws before the next frame; several changes until then are drawn once. */
  drawSoon(): void {
    cancelAnimationFrame(this.#frameRequest);
    this.#frameRequest = requestAnimationFrame(() => this.draw());
  }

  /** Draws with the colors of this moment. */
  recolor(): void {
    this.#palette.clear();
    this.drawSoon();
  }

  /** Returns the index of the day that is nearest to `clientX`, in px of the window. */
  dayAt(clientX: number): number {
    const last = this.#chart.days.seconds.length - 1;
    if (!this.#axes) return last;
    const { left, right } = this.#axes.frame;
    const x = clientX - this.#canvas.getBoundingClientRect().left;
    return Math.min(last, Math.max(0, Math.round(((x - left) / (right - left)) * last)));
  }

  /** Draws nothing any more. */
  stop(): void {
    cancelAnimationFrame(this.#frameRequest);
  }

  /**
   * Gives the empty canvas a dot for each pixel of the screen, and the font of the element. Returns
   * the size of the font in px.
   */
  #resize(context: CanvasRenderingContext2D): number {
    const { clientWidth, clientHeight } = this.#host;
    this.#canvas.width = Math.round(clientWidth * devicePixelRatio);
    this.#canvas.height = Math.round(clientHeight * devicePixelRatio);
    context.scale(devicePixelRatio, devicePixelRatio);
    const { fontSize, fontFamily } = getComputedStyle(this.#host);
    context.font = `${fontSize} ${fontFamily}`;
    return Number.parseFloat(fontSize);
  }
}

/** A line with its color as a CSS variable. */
interface Line {
  readonly amounts: Amounts;
  readonly style: LineStyle;
}

/** The market price is last, above all others. */
function linesOf({ days, isHighShown, compared }: Chart): Line[] {
  const high = { amounts: days.high, style: { color: '--control', width: 1 } };
  return [
    ...(isHighShown ? [high] : []),
    { amounts: days.low, style: { color: '--control', width: 1.5, dash: [5, 4] } },
    // The line of a grade is dotted: it is what the grade is worth now, and not its history.
    ...compared.map(({ amounts, color, printing }) => {
      return {
        amounts,
        style: { color, width: 2, ...(printing === undefined && { dash: [2, 4] }) },
      };
    }),
    { amounts: days.market, style: { color: '--accent', width: 2.5 } },
  ];
}

/** Moves the cursor with a mouse, and under a finger or pen, which leave it where they end. */
function followPointer(
  host: HTMLElement,
  picture: Picture,
  moveCursor: (index: number | null) => void,
  signal: AbortSignal,
): void {
  const point = ({ clientX }: PointerEvent) => moveCursor(picture.dayAt(clientX));
  host.addEventListener('pointerdown', point, { signal });
  host.addEventListener('pointermove', point, { signal });
  const leave = ({ pointerType }: PointerEvent) => pointerType === 'mouse' && moveCursor(null);
  host.addEventListener('pointerleave', leave, { signal });
}

/** Draws again when the size of the element, the pixels of the screen or the colors change. */
function followScreen(host: HTMLElement, picture: Picture, signal: AbortSignal): void {
  const sizes = new ResizeObserver(() => picture.drawSoon());
  sizes.observe(host);
  signal.addEventListener('abort', () => sizes.disconnect());
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  scheme.addEventListener('change', () => picture.recolor(), { signal });
  followPixels(picture, signal);
}

/** A query for the ratio of this moment tells when it changes, once. */
function followPixels(picture: Picture, signal: AbortSignal): void {
  const query = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
  const redraw = () => {
    picture.drawSoon();
    followPixels(picture, signal);
  };
  query.addEventListener('change', redraw, { signal, once: true });
}
