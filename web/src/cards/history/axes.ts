import { amountTicks, dayTicks } from '../../charts/ticks.ts';
import { drawRule, type Frame } from './canvas.ts';
import type { ChartDays } from './days.ts';
import { type AmountRange, formatAmountLabels, formatDayLabels } from './scale.ts';

/** The size of the canvas in px, and the font of its labels. */
export interface Sheet {
  readonly width: number;
  readonly height: number;
  /** The size of the font. */
  readonly em: number;
}

/** The amounts and days that have labels, and the frame that leaves room for these. */
export interface Axes {
  readonly frame: Frame;
  readonly amounts: readonly Label[];
  readonly days: readonly Label[];
}

interface Label {
  readonly text: string;
  /** In px, on the axis. */
  readonly at: number;
}

/** The room of a label along its axis, in sizes of the font. */
const AMOUNT_ROOM = 3;
const DAY_ROOM = 6;

/** Lays the axes out. The font of `context` has to be set. */
export function layOutAxes(
  context: CanvasRenderingContext2D,
  { seconds }: ChartDays,
  range: AmountRange,
  { width, height, em }: Sheet,
): Axes {
  const [top, bottom] = [em / 2, height - em * 2.2];
  const ticks = amountTicks(range.from, range.to, Math.floor((bottom - top) / (em * AMOUNT_ROOM)));
  const texts = formatAmountLabels(ticks);
  const widest = Math.max(0, ...texts.map((text) => context.measureText(text).width));
  const [left, right] = [Math.ceil(widest) + em, width - em * 2];
  const count = seconds.length;
  const frame: Frame = {
    ...{ left, right, top, bottom },
    x: (index) => left + ((right - left) * index) / Math.max(1, count - 1),
    y: (amount) => bottom - ((bottom - top) * (amount - range.from)) / (range.to - range.from),
  };
  const [first = 0] = seconds;
  const days = dayTicks(
    first,
    seconds.at(-1) ?? first,
    Math.floor((right - left) / (em * DAY_ROOM)),
  );
  const labels = formatDayLabels(days);
  return {
    frame,
    amounts: ticks.map((amount, i) => ({ text: texts[i] ?? '', at: frame.y(amount) })),
    days: days.map((day, i) => ({ text: labels[i] ?? '', at: frame.x((day - first) / 86_400) })),
  };
}

/** Draws the labels, and a rule for each amount. */
export function drawAxes(
  context: CanvasRenderingContext2D,
  { frame, amounts, days }: Axes,
  colors: { readonly label: string; readonly rule: string },
): void {
  for (const { at } of amounts) drawRule(context, [frame.left, at, frame.right, at], colors.rule);
  context.fillStyle = colors.label;
  context.textBaseline = 'middle';
  context.textAlign = 'right';
  for (const { text, at } of amounts) context.fillText(text, frame.left - 6, at);
  context.textBaseline = 'bottom';
  context.textAlign = 'center';
  for (const { text, at } of days) context.fillText(text, at, context.canvas.clientHeight);
}
