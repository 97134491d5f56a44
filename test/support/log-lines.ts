/** A line of the log, as an object. */
export type LogLine = Readonly<Record<string, unknown>>;

/** Returns the lines of a log that describe a request. */
export function requests(log: readonly string[]): LogLine[] {
  const lines = log.map((line) => JSON.parse(line) as LogLine);
  return lines.filter(({ msg }) => msg === 'request' || msg === 'slow request');
}
