import { type Amounts, findIsolated } from './days.ts';

/** Drawing on the canvas of the chart, in px from its upper left corner. */

/** The area of the lines, and where days and amounts are in it. */
export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** Returns where the day of an index is. */
  x(index: number): number;
  /** Returns where an amount of dollars is; outside of the area for one outside of the range. */
  y(amount: number): number;
}

export interface LineStyle {
  readonly color: string;
  readonly width: number;
  readonly dash?: readonly number[];
}

type Context = CanvasRenderingContext2D;

const POINT_RADIUS = 3;

/** A line that breaks where no amount is known, and shows amounts without neighbours as points. */
export function drawLine(context: Context, frame: Frame, amounts: Amounts, style: LineStyle): void {
  context.strokeStyle = style.color;
  context.lineWidth = style.width;
  context.setLineDash([...(style.dash ?? [])]);
  context.beginPath();
  let isBroken = true;
  for (const [index, amount] of amounts.entries()) {
    if (amount !== null && isBroken) context.moveTo(frame.x(index), frame.y(amount));
    else if (amount !== null) context.lineTo(frame.x(index), frame.y(amount));
    isBroken = amount === null;
  }
  context.stroke();
  for (const index of findIsolated(amounts)) drawPoint(context, frame, amounts, index, style.color);
}

/** The amount of a day as a point, if it is known. */
export function drawPoint(
  context: Context,
  frame: Frame,
  amounts: Amounts,
  index: number,
  color: string,
): void {
  const amount = amounts[index] ?? null;
  if (amount === null) return;
  context.fillStyle = color;
  context.beginPath();
  context.arc(frame.x(index), frame.y(amount), POINT_RADIUS, 0, 2 * Math.PI);
  context.fill();
}

/** Fills what lies between two amounts of each day, on days on which both are known. */
export function fillBetween(
  context: Context,
  frame: Frame,
  [lower, upper]: readonly [Amounts, Amounts],
  color: string,
): void {
  const isKnown = (index: number) =>
    typeof lower[index] === 'number' && typeof upper[index] === 'number';
  context.fillStyle = color;
  for (let start = 0; start < lower.length; start += 1) {
    if (!isKnown(start)) continue;
    let end = start;
    while (isKnown(end + 1)) end += 1;
    context.beginPath();
    for (let at = start; at <= end; at += 1) context.lineTo(frame.x(at), frame.y(upper[at] ?? 0));
    for (let at = end; at >= start; at -= 1) context.lineTo(frame.x(at), frame.y(lower[at] ?? 0));
    context.fill();
    start = end;
  }
}

/** A straight line that is as thin and as sharp as the screen allows. */
export function drawRule(
  context: Context,
  [x1, y1, x2, y2]: readonly [number, number, number, number],
  color: string,
): void {
  const sharp = (at: number) => Math.round(at) + 0.5;
  context.strokeStyle = color;
  context.lineWidth = 1;
  context.setLineDash([]);
  context.beginPath();
  context.moveTo(sharp(x1), sharp(y1));
  context.lineTo(sharp(x2), sharp(y2));
  context.stroke();
}
