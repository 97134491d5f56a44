import { addDays, type Day, dayOf, type Millis, parseDay, startOfDay } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import { type LocalFile, newestModification } from '../io/files.ts';

/** `2026-01-28`, `20260128` or `20260128220837`, in UTC. */
const MOMENT = /(?<!\d)(\d{4})(-?)(\d{2})\2(\d{2})(?:(\d{2})(\d{2})(\d{2}))?(?!\d)/;

/** @throws OperatorError for a day that is still to come, and so cannot be that of prices. */
export function rejectFutureDay(day: Day, name: string, now: Millis): void {
  if (day <= addDays(dayOf(now), 1)) return;
  throw new OperatorError(
    `${name} is of a day in the future. Say when the prices were observed: --observed YYYY-MM-DD.`,
  );
}

/**
 * When what is in a file was observed, as far as one can tell from outside: what its name says,
 * or else when it was changed.
 *
 * @throws OperatorError when that is in the future, and so cannot be true.
 */
export function observedAtOfFile(file: LocalFile, now: Millis): Millis {
  return momentIn(file.name, now) ?? newestModification([file], now);
}

function momentIn(name: string, now: Millis): Millis | undefined {
  const [, year, , month, date, ...time] = MOMENT.exec(name) ?? [];
  const day = parseDay(`${year}-${month}-${date}`);
  if (day === undefined) return undefined;
  rejectFutureDay(day, name, now);
  const [hours = 0, minutes = 0, seconds = 0] = time.map((part) => Number(part ?? 0));
  const isTime = hours < 24 && minutes < 60 && seconds < 60;
  return startOfDay(day) + (isTime ? ((hours * 60 + minutes) * 60 + seconds) * 1000 : 0);
}
