import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { formatClock, formatCount, formatRemaining } from '../format.ts';
import type { Usage } from '../pages/usage.tsx';

/** What is used of today's quota, what remains, and when it begins anew. */
export function Today({ usage }: { usage: Usage }) {
  const { used, limit, remaining, resetAt } = usage;
  const id = useId();
  return (
    <section aria-labelledby={id} class="today">
      <h2 id={id}>Today</h2>
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
        words={`${formatCount(used)} requests used today, ${formatCount(remaining)} remain`}
      />
    </section>
  );
}

/** Until the quota begins anew, by the clock of the server's last answer. */
function Countdown({ usage: { now, resetAt } }: { usage: Usage }) {
  const offset = useMemo(() => Date.parse(now) - Date.now(), [now]);
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <span class="countdown">{formatRemaining(Date.parse(resetAt) - Date.now() - offset)}</span>
  );
}

/** So often at most is a screen reader told of what changes all the time. */
const QUIET_MS = 20_000;

/** Tells who hears the page what changed, but not with every request. */
function Announcement({ words }: { words: string }) {
  const [told, setTold] = useState(words);
  const newest = useRef(words);
  newest.current = words;
  useEffect(() => {
    const timer = setInterval(() => setTold(newest.current), QUIET_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <p class="unseen" role="status">
      {told}
    </p>
  );
}
