import type { TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatMoney } from '../../ui/format.ts';
import { type ChartDays, findLastObserved, hasGaps, moveByKey, type ObservedDay } from './days.ts';
import type { Chart, Comparison } from './lines.ts';
import type { Plot } from './plot.ts';
import { computeAmountRange, describeDay } from './scale.ts';

/** Loads the code that draws the chart. It has a chunk of its own because it is large. */
export function loadPlot(): Promise<typeof import('./plot.ts')> {
  return import('./plot.ts');
}

/** A chart of daily prices, with the numbers of the selected day, at first of the last one. */
export function PriceChart({ chart }: { chart: Chart }) {
  const { days } = chart;
  // A selection ends with its days, so that the element, and the focus on it, can outlast them.
  const [selection, setSelection] = useState<{ of: ChartDays; index: number | null }>();
  const select = (index: number | null) => setSelection({ of: days, index });
  const selected = selection?.of === days ? selection.index : null;
  const { canvas, plot, hasFailed } = usePlot(chart, selected, select);
  const index = selected ?? findLastObserved(days);
  const { day, amounts } = describeDay(chart, index);
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    const next = moveByKey(event.key, days, index);
    if (next === undefined) return;
    event.preventDefault();
    select(next);
    plot.current?.moveCursor(next);
  };
  return (
    <>
      <p class="read-out">
        <strong>{day}</strong> {amounts}
      </p>
      {hasFailed && (
        <p class="notice">The chart could not be loaded. The table below has the same numbers.</p>
      )}
      <div
        class="plot"
        role="slider"
        tabIndex={0}
        aria-label="Day of the price history"
        aria-valuemin={0}
        aria-valuemax={days.seconds.length - 1}
        aria-valuenow={index}
        aria-valuetext={`${day}: ${amounts}`}
        onKeyDown={onKeyDown}
      >
        <canvas ref={canvas} />
      </div>
      <ChartNotes chart={chart} />
    </>
  );
}

/** What the lines do not say by themselves. */
function ChartNotes({ chart }: { chart: Chart }) {
  const { isTruncated } = computeAmountRange(chart);
  return (
    <>
      {hasGaps(chart.days) && <p class="hint">Where a line breaks, no price was observed.</p>}
      {isTruncated && (
        <p class="hint">Some highest listings lie far above the chart. The table has them.</p>
      )}
    </>
  );
}

/**
 * Draws the chart on the element of `canvas` once its code is loaded, with the cursor at the day of
 * the index `selected`. Calls `onDay` with the index of the day under the cursor, null for none.
 */
function usePlot(chart: Chart, selected: number | null, onDay: (index: number | null) => void) {
  const cursor = useRef(selected);
  cursor.current = selected;
  const canvas = useRef<HTMLCanvasElement>(null);
  const plot = useRef<Plot>(null);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    let isUnmounted = false;
    loadPlot().then(
      ({ drawPlot }) => {
        if (!canvas.current || isUnmounted) return;
        plot.current = drawPlot(canvas.current, chart, { cursor: cursor.current, onDay });
      },
      () => setFailed(true),
    );
    return () => {
      isUnmounted = true;
      plot.current?.destroy();
    };
  }, [chart]);
  return { canvas, plot, hasFailed };
}

interface ChartLinesProps {
  /** The days of the chart; undefined while they are loading. */
  readonly history: readonly ObservedDay[] | undefined;
  readonly comparisons: readonly Comparison[];
  /** The ids of those that the chart shows. */
  readonly shown: ReadonlySet<string>;
  onChange(shown: ReadonlySet<string>): void;
  readonly isHighShown: boolean;
  onHighChange(isShown: boolean): void;
}

/** The lines of the chart: what each color means, and which lines are shown. */
export function ChartLines(props: ChartLinesProps) {
  const { history = [], comparisons, shown, onChange, isHighShown, onHighChange } = props;
  const isKnown = (figure: 'low' | 'high') => history.some((day) => day[figure] !== null);
  const toggle = (id: string) => {
    const next = new Set(shown);
    if (!next.delete(id)) next.add(id);
    onChange(next);
  };
  return (
    <fieldset class="lines">
      <legend class="sr-only">Lines of the chart</legend>
      <span class="key market">Market price</span>
      {isKnown('low') && <span class="key low">Lowest listing</span>}
      {isKnown('high') && (
        <Toggle
          label="Highest listing"
          look="high"
          isOn={isHighShown}
          onToggle={() => onHighChange(!isHighShown)}
        />
      )}
      {comparisons.map(({ id, label, amount, color }) => (
        <Toggle
          key={id}
          label={label}
          amount={amount}
          look={`of-${color.slice(2)}`}
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
  /** The class by which history.css knows the line. */
  readonly look: string;
  readonly isOn: boolean;
  onToggle(): void;
}

function Toggle({ label, amount = null, look, isOn, onToggle }: ToggleProps) {
  return (
    <label class={`key ${look}`}>
      <input type="checkbox" checked={isOn} onChange={onToggle} />
      <bdi>{label}</bdi>
      {amount !== null && <span class="quiet">{formatMoney(amount)}</span>}
    </label>
  );
}
