import { useServerClock } from '../clock.ts';
import { formatAge, formatDate, formatMoment } from '../format.ts';

/** How long ago something was; which moment that is shows on hovering. */
export function Age({ iso }: { iso: string }) {
  const now = useServerClock();
  return (
    <time dateTime={iso} title={formatMoment(iso)}>
      {formatAge(iso, now)}
    </time>
  );
}

/** The day of a moment in the reader's zone. */
export function DateOf({ iso }: { iso: string }) {
  return (
    <time dateTime={iso} title={formatMoment(iso)}>
      {formatDate(iso)}
    </time>
  );
}
