import { addDays, type Day, dayOf, type Millis, parseDay, startOfDay } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { LocalFile } from '../io/files.ts';

/** When prices were observed, as far as the outside of their file shows it. */

/** `2026-01-28`, `20260128` or `20260128220837`, in UTC. */
const TIMESTAMP = /(?<!\d)(\d{4})(-?)(\d{2})\2(\d{2})(?:(\d{2})(\d{2})(\d{2}))?(?!\d)/;

/** Whether a day is still to come everywhere on earth: it is tomorrow already in some time zones. */
export function isFutureDay(day: Day, now: Millis): boolean {
  return day > addDays(dayOf(now), 1);
}

/** @throws OperatorError for a future day, on which nothing can have been observed. */
export function rejectFutureDay(day: Day, name: string, now: Millis): void {
  if (!isFutureDay(day, now)) return;
  throw new OperatorError(
    `${name} is of a day in the future. Say when the prices were observed: --observed YYYY-MM-DD.`,
  );
}

/**
 * Returns the moment in a file's name, or else the file's modification time.
 *
 * @throws OperatorError when that is in the future.
 */
export function observedAtOfFile(file: LocalFile, now: Millis): Millis {
  return timestampIn(file.name, now) ?? newestModification([file], now);
}

/**
 * Returns the newest modification time of some files: the best guess where nothing else gives the
 * moment.
 *
 * @throws OperatorError when that is in the future.
 */
export function newestModification(files: readonly LocalFile[], now: Millis): Millis {
  const newest = files.reduce((a, b) => (a.modifiedAt >= b.modifiedAt ? a : b));
  if (isFutureDay(dayOf(newest.modifiedAt), now)) {
    throw new OperatorError(
      `${newest.path} says that it was changed in the future. Say when the prices were observed: ` +
        '--observed YYYY-MM-DD.',
    );
  }
  return newest.modifiedAt;
}

function timestampIn(name: string, now: Millis): Millis | undefined {
  const [, year, , month, date, ...time] = TIMESTAMP.exec(name) ?? [];
  const day = parseDay(`${year}-${month}-${date}`);
  if (day === undefined) return undefined;
  rejectFutureDay(day, name, now);
  const [hours = 0, minutes = 0, seconds = 0] = time.map((part) => Number(part ?? 0));
  const isTime = hours < 24 && minutes < 60 && seconds < 60;
  return startOfDay(day) + (isTime ? ((hours * 60 + minutes) * 60 + seconds) * 1000 : 0);
}
