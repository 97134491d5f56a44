import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { type Day, dayOf, latestDay, type Millis, parseDay, startOfDay } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { SourceFile } from '../contract/files.ts';
import type { LocalFile } from '../io/files.ts';
import { readRaw, withReadErrors } from '../io/files.ts';

/** `2026-01-28`, `20260128` or `20260128220837`, in UTC. */
const TIMESTAMP = /(?<!\d)(\d{4})(-?)(\d{2})\2(\d{2})(?:(\d{2})(\d{2})(\d{2}))?(?!\d)/;

/** Whether a day has begun neither in UTC nor in the time zone of this computer. */
export function isFutureDay(day: Day, now: Millis): boolean {
  return day > latestDay(now);
}

/** @throws OperatorError for a future day, on which nothing can have been observed. */
export function rejectFutureDay(day: Day, name: string, now: Millis): void {
  if (!isFutureDay(day, now)) return;
  throw new OperatorError(
    `${name} has a day in the future. Add the real day: --observed YYYY-MM-DD.`,
  );
}

/**
 * Returns the moment in a file's name, otherwise the file's modification time.
 *
 * @throws OperatorError if that is in the future.
 */
export function observedAtOfFile(file: LocalFile, now: Millis): Millis {
  return timestampIn(file.name, now) ?? newestModification([file], now);
}

/**
 * Returns the newest modification time of some files: the best guess if nothing else gives the
 * moment.
 * @throws OperatorError if that is in the future.
 */
export function newestModification(files: readonly LocalFile[], now: Millis): Millis {
  const newest = files.reduce((a, b) => (a.modifiedAt >= b.modifiedAt ? a : b));
  if (isFutureDay(dayOf(newest.modifiedAt), now)) {
    throw new OperatorError(
      `${newest.path} has a modification time in the future. Add the real day: ` +
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

/**
 * Describes a file for the store. The digest covers the bytes of the file, the bytes of further
 * files that it depends on, and the version of the adapter, so a new version imports the file
 * again.
 *
 * @throws OperatorError if a file cannot be read.
 */
export async function describeSourceFile(
  version: number,
  file: LocalFile,
  ...further: readonly LocalFile[]
): Promise<SourceFile> {
  const hash = createHash('sha256').update(`v${version}\n`);
  for (const { path } of [file, ...further]) {
    await withReadErrors(path, async () => {
      for await (const chunk of readRaw(path)) hash.update(chunk);
    });
  }
  return { path: file.name, digest: hash.digest('hex'), etag: null };
}

/**
 * Describes all files of a location, a file or a folder, as one. Its name is the last part of the
 * location, so a copy elsewhere is recognised.
 */
export async function describeLocation(
  location: string,
  version: number,
  [first, ...rest]: readonly LocalFile[],
): Promise<SourceFile | null> {
  if (!first) return null;
  return { ...(await describeSourceFile(version, first, ...rest)), path: basename(location) };
}
