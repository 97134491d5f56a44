import type { TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type ChartDays, findLastObserved, moveByKey } from './days.ts';
import type { Plot } from './plot.ts';
import { computeAmountRange, describeDay } from './scale.ts';

/** Loads the code that draws the chart. It has a chunk of its own because it is large. */
export function loadPlot(): Promise<typeof import('./plot.ts')> {
  return import('./plot.ts');
}

/** A chart of daily prices, with the numbers of the selected day, at first of the last one. */
export function PriceChart({ days }: { days: ChartDays }) {
  const [selected, setSelected] = useState<number | null>(null);
  const { host, plot, hasFailed } = usePlot(days, setSelected);
  const index = selected ?? findLastObserved(days);
  const { day, amounts } = describeDay(days, index);
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    const next = moveByKey(event.key, days, index);
    if (next === undefined) return;
    event.preventDefault();
    setSelected(next);
    plot.current?.moveCursor(next);
  };
  return (
    <figure class="chart">
      <p class="read-out">
        <strong>{day}</strong> {amounts}
      </p>
      {hasFailed && (
        <p class="notice">The chart could not be loaded. The table below has the same numbers.</p>
      )}
      <div
        ref={host}
        class="plot"
        role="slider"
        tabIndex={0}
        aria-label="Day of the price history"
        aria-valuemin={0}
        aria-valuemax={days.seconds.length - 1}
        aria-valuenow={index}
        aria-valuetext={`${day}: ${amounts}`}
        onKeyDown={onKeyDown}
      />
      <figcaption>
        <span class="key line">Market price</span>{' '}
        <span class="key band">Lowest to highest listing</span>
        {computeAmountRange(days).isTruncated && (
          <p class="hint">Some highest listings lie far above the chart. The table has them.</p>
        )}
      </figcaption>
    </figure>
  );
}

/**
 * Draws the chart into the element of `host` once its code is loaded. Calls `onDay` with the index
 * of the day under the cursor, null for none.
 */
function usePlot(days: ChartDays, onDay: (index: number | null) => void) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot>(null);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    let isUnmounted = false;
    loadPlot().then(
      ({ drawPlot }) => {
        if (host.current && !isUnmounted) plot.current = drawPlot(host.current, days, onDay);
      },
      () => setFailed(true),
    );
    return () => {
      isUnmounted = true;
      plot.current?.destroy();
    };
  }, [days]);
  return { host, plot, hasFailed };
}
