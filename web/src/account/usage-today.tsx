import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { UNLIMITED } from '../../../src/domain/plans.ts';
import { formatCount } from '../ui/format.ts';
import { formatClock, formatRemaining } from './quota-time.ts';
import type { Usage } from './responses.ts';

/** How many requests were used today, and of what. */
export function UsageToday({ usage }: { usage: Usage }) {
  const id = useId();
  return (
    <section aria-labelledby={id} class="today">
      <h2 id={id}>Today</h2>
      {usage.limit === UNLIMITED ? <Unlimited usage={usage} /> : <Quota usage={usage} />}
    </section>
  );
}

function Unlimited({ usage: { used } }: { usage: Usage }) {
  return (
    <p class="figure">
      <strong>{formatCount(used)}</strong> requests used, of as many as you like
    </p>
  );
}

/** How much of today's quota is used, how much remains, and when the next one begins. */
function Quota({ usage }: { usage: Usage }) {
  const { used, limit, remaining, resetAt } = usage;
  return (
    <>
      <p class="figure">
        <strong>{formatCount(used)}</strong> of {formatCount(limit)} requests used
      </p>
      <meter
        class={remaining === 0 ? 'full' : undefined}
        min={0}
        max={limit}
        value={Math.min(used, limit)}
        aria-label="Requests used today"
      />
      <p>
        {formatCount(remaining)} remain. The quota begins anew at{' '}
        <time dateTime={resetAt}>{formatClock(resetAt)}</time>, in <Countdown usage={usage} />.
      </p>
      <Announcement
        text={`${formatCount(used)} requests used today, ${formatCount(remaining)} remain`}
      />
    </>
  );
}

/** The time until the next quota begins, by the server's clock. */
function Countdown({ usage: { now, resetAt } }: { usage: Usage }) {
  const clockOffset = useMemo(() => Date.parse(now) - Date.now(), [now]);
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  const remainingMs = Date.parse(resetAt) - Date.now() - clockOffset;
  return <span class="countdown">{formatRemaining(remainingMs)}</span>;
}

/** The time between two announcements: the count may change every second. */
const ANNOUNCEMENT_MS = 20_000;

/** Announces the newest text to screen readers from time to time. */
function Announcement({ text }: { text: string }) {
  const [announced, setAnnounced] = useState(text);
  const newest = useRef(text);
  newest.current = text;
  useEffect(() => {
    const timer = setInterval(() => setAnnounced(newest.current), ANNOUNCEMENT_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <p class="sr-only" role="status">
      {announced}
    </p>
  );
}
