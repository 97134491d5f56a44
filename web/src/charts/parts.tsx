import './charts.css';
import type { RefObject, TargetedKeyboardEvent, TargetedPointerEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Area, findIsolated, linearScale, linePath, type Point } from './geometry.ts';

/** The parts that charts are drawn from, all of them SVG. */

/** The size of an element and of its font, in px. */
export interface Size {
  readonly width: number;
  readonly height: number;
  readonly em: number;
}

/** Returns a ref for an element and the size of the element; undefined until a browser knows it. */
export function useSize<Host extends HTMLElement>(): [RefObject<Host | null>, Size | undefined] {
  const element = useRef<Host>(null);
  const [size, setSize] = useState<Size>();
  useEffect(() => {
    const { current } = element;
    if (!current) return;
    const observer = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = current;
      setSize({ width, height, em: Number.parseFloat(getComputedStyle(current).fontSize) });
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return [element, size];
}

/** A label of an axis, with its position on the axis in px. */
export interface Tick {
  readonly at: number;
  readonly text: string;
  /** The part of the text that is at the position; the middle by default. */
  readonly anchor?: 'start' | 'middle' | 'end';
}

/** Labels on the left of an area, each with a rule across the area. */
export function ValueAxis({ area, ticks }: { area: Area; ticks: readonly Tick[] }) {
  return ticks.map(({ at, text }) => (
    <g key={text}>
      <line class="rule" x1={area.left} x2={area.right} y1={at} y2={at} />
      <text x={area.left - 6} y={at} dy="0.34em" text-anchor="end">
        {text}
      </text>
    </g>
  ));
}

/** Labels below a chart that is `height` px high. */
export function DayAxis({ height, ticks }: { height: number; ticks: readonly Tick[] }) {
  return ticks.map(({ at, text, anchor = 'middle' }) => (
    <text key={text} x={at} y={height} dy="-0.3em" text-anchor={anchor}>
      {text}
    </text>
  ));
}

export interface LineStyle {
  /** A CSS variable, such as `--accent`. */
  readonly color: string;
  readonly width: number;
  readonly dashes?: string;
}

interface LineProps {
  /** Null where unknown. */
  readonly points: readonly (Point | null)[];
  readonly style: LineStyle;
}

/** A line that breaks at unknown points. Points without a neighbor are dots. */
export function Line({ points, style: { color, width, dashes } }: LineProps) {
  return (
    <>
      <path
        fill="none"
        stroke={`var(${color})`}
        stroke-width={width}
        stroke-dasharray={dashes}
        d={linePath(points)}
      />
      {findIsolated(points).map((index) => (
        <Dot key={index} at={points[index]} color={color} />
      ))}
    </>
  );
}

/** A dot, unless its position is unknown. */
export function Dot({ at, color }: { at: Point | null | undefined; color: string }) {
  return at ? <circle class="dot" cx={at[0]} cy={at[1]} fill={`var(${color})`} /> : null;
}

interface CursorProps {
  /** The name of the slider. */
  readonly label: string;
  /** The index of the item at the cursor, the number of items, and the item in words. */
  readonly index: number;
  readonly count: number;
  readonly text: string;
  /** The left and right ends of the items, in px; undefined before the chart is drawn. */
  readonly ends: readonly [left: number, right: number] | undefined;
  /** Returns the index to which a key moves the cursor; undefined for keys that move nothing. */
  onKey(key: string): number | undefined;
  /** Called with the index of the item under the cursor; null when a mouse has left the chart. */
  onMove(index: number | null): void;
}

/** Returns the attributes of the element around a chart that give it a cursor: a slider. */
export function cursorAttributes(props: CursorProps) {
  const { label, index, count, text, ends, onKey, onMove } = props;
  const point = ({ clientX, currentTarget }: TargetedPointerEvent<HTMLElement>) => {
    if (!ends) return;
    const x = clientX - currentTarget.getBoundingClientRect().left;
    const nearest = Math.round(linearScale(ends, [0, count - 1])(x));
    onMove(Math.min(count - 1, Math.max(0, nearest)));
  };
  return {
    role: 'slider',
    tabIndex: 0,
    'aria-label': label,
    'aria-valuemin': 0,
    'aria-valuemax': count - 1,
    'aria-valuenow': index,
    'aria-valuetext': text,
    onKeyDown: (event: TargetedKeyboardEvent<HTMLElement>) => {
      const next = onKey(event.key);
      if (next === undefined) return;
      event.preventDefault();
      onMove(next);
    },
    onPointerDown: point,
    onPointerMove: point,
    // A finger or pen leaves the cursor where it ends.
    onPointerLeave: ({ pointerType }: TargetedPointerEvent<HTMLElement>) => {
      if (pointerType === 'mouse') onMove(null);
    },
  } as const;
}
