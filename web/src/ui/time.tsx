import { useEffect, useState } from 'preact/hooks';
import { useTimeZone } from '../api/rendering.ts';
import { useSession } from '../api/session.ts';
import { formatAge, formatDate, formatMoment } from './format.ts';

/**
 * Returns the server's clock in milliseconds and renders again every `intervalMs`. Ages and
 * countdowns use it because the reader's clock may be wrong.
 */
export function useServerClock(intervalMs = 60_000): number {
  const { clockOffset } = useSession();
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
  return Date.now() + clockOffset;
}

/** The age of a moment. The tooltip shows the moment itself. */
export function Age({ iso }: { iso: string }) {
  const now = useServerClock();
  const zone = useTimeZone();
  return (
    <time dateTime={iso} title={formatMoment(iso, zone)}>
      {formatAge(iso, now)}
    </time>
  );
}

/** When something was last used; null for never. */
export function LastUse({ at }: { at: string | null }) {
  return at === null ? <>never</> : <Age iso={at} />;
}

/** The day of a moment in the reader's time zone. The tooltip shows the moment itself. */
export function LocalDate({ iso }: { iso: string }) {
  const zone = useTimeZone();
  return (
    <time dateTime={iso} title={formatMoment(iso, zone)}>
      {formatDate(iso, zone)}
    </time>
  );
}
