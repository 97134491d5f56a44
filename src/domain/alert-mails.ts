import type { AlertMail } from './alerts.ts';
import { dayOf, type Millis, MS_PER_DAY, startOfDay } from './day.ts';

/** The time of day (UTC) of daily mails, in milliseconds. */
const DAILY_AT: Millis = 7 * 3_600_000;

/** Returns when to mail an event; null for never. */
export function mailAt(mail: AlertMail, at: Millis): Millis | null {
  if (mail === 'off') return null;
  if (mail === 'now') return at;
  const today = startOfDay(dayOf(at)) + DAILY_AT;
  return at < today ? today : today + MS_PER_DAY;
}
