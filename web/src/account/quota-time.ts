/** When the next quota begins. */

const CLOCK = new Intl.DateTimeFormat('en-US', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
});

/** Formats the time of day of an ISO 8601 moment with the reader's time zone: `17:05 GMT+1`. */
export function formatClock(iso: string): string {
  return CLOCK.format(Date.parse(iso));
}

/** Formats a duration to the second, as for a countdown: `7 h 05 min 09 s`, `45 s`. */
export function formatRemaining(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (seconds < 60) return `${seconds} s`;
  const rest = `${pad(seconds % 60)} s`;
  return hours === 0 ? `${minutes} min ${rest}` : `${hours} h ${pad(minutes)} min ${rest}`;
}

function pad(count: number): string {
  return String(count).padStart(2, '0');
}
