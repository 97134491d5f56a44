import type { TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type ChartDays, dayAfterKey, lastObserved } from '../chart/days.ts';
import type { Plot } from '../chart/plot.ts';
import { amountRange } from '../chart/scale.ts';
import { readOut } from '../chart/words.ts';

/** Fetches what draws, which only this chart needs. */
export function loadPlot(): Promise<typeof import('../chart/plot.ts')> {
  return import('../chart/plot.ts');
}

/** The prices of many days as a picture, with a read-out of one of them: at first the last. */
export function Chart({ days }: { days: ChartDays }) {
  const [chosen, setChosen] = useState<number | null>(null);
  const { host, plot, hasFailed } = usePlot(days, setChosen);
  const index = chosen ?? lastObserved(days);
  const words = readOut(days, index);
  const press = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    const next = dayAfterKey(event.key, days, index);
    if (next === undefined) return;
    event.preventDefault();
    setChosen(next);
    plot.current?.show(next);
  };
  return (
    <figure class="chart">
      <p class="read-out">
        <strong>{words.day}</strong> {words.amounts}
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
        aria-valuetext={`${words.day}: ${words.amounts}`}
        onKeyDown={press}
      />
      <figcaption>
        <span class="key line">Market price</span>{' '}
        <span class="key band">Lowest to highest listing</span>
        {amountRange(days).isCut && (
          <p class="hint">Some highest listings lie far above the chart. The table has them.</p>
        )}
      </figcaption>
    </figure>
  );
}

/** Draws into `host` as soon as what draws is there; `onDay` is told which day is pointed at. */
function usePlot(days: ChartDays, onDay: (index: number | null) => void) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot>(null);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    let isGone = false;
    loadPlot().then(
      ({ drawPlot }) => {
        if (host.current && !isGone) plot.current = drawPlot(host.current, days, onDay);
      },
      () => setFailed(true),
    );
    return () => {
      isGone = true;
      plot.current?.destroy();
    };
  }, [days]);
  return { host, plot, hasFailed };
}
