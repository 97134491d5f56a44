import { formatStamp, type Millis } from '../../domain/day.ts';

/** Returns the stamp of a moment, or of the first later second whose stamp no name has yet. */
export function freeStamp(at: Millis, isTaken: (stamp: string) => boolean): string {
  const stamp = formatStamp(at);
  return isTaken(stamp) ? freeStamp(at + 1000, isTaken) : stamp;
}
